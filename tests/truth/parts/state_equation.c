/* Of shared_library.c. */
double pressure(double x, int count);

static double iterate(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

double pressure(double x, int count)
{
    return 0.5 * (iterate(x, count) + x);
}
