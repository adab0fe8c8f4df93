/* A library that comes and goes. */
long plugin_work(long n)
{
    volatile long sum = 0;
    for (long i = 1; i <= n; i++)
        sum += i;
    return sum;
}
