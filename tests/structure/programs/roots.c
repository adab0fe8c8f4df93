/* A helper whose rare part, the call for a negative number, compilers lay far from its loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double roots(long n)
{
    double sum = 1;
    for (long i = 0; i < n; i++)
        sum += sqrt(sum + i);
    return sum;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 10;
    double sum = 0;
    for (int step = 0; step < n; step++) {
        sum += roots(100);
        puts("shared");
        if (n > 5)
            sum += roots(n);
        puts("done");
    }
    printf("%g\n", sum);
    return 0;
}
