/* Of other_file.c. */
double react(double x, int count);

static double reaction(double x, int count)
{
    for (int i = 0; i < count; i++) /* CAUSE */
        x = x * 0.9999998 + 2e-8;
    return x;
}

double react(double x, int count)
{
    return 0.5 * (reaction(x, count) + x);
}
