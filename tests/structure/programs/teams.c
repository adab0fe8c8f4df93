/* Loops of parallel regions. */
#include <stdio.h>
#include <stdlib.h>

double shared_sum(const double *v, int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

void dynamic_rows(double *v, int n)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        double x = v[i];
        for (int j = 0; j < i; j++)
            x = x * 0.5 + j;
        v[i] = x;
    }
}

void region(double *v, int n, int rounds)
{
#pragma omp parallel
    {
        for (int round = 0; round < rounds; round++) {
#pragma omp for
            for (int i = 1; i < n; i++)
                v[i] += v[i] / (round + 1);
#pragma omp single
            v[0] += 1;
        }
    }
}

int both(int n)
{
    int hits = 0;
#pragma omp parallel for collapse(2) reduction(+ : hits)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            hits += (i * j) % 3 == 1;
    return hits;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    double *v = calloc((size_t)n, sizeof *v);
    dynamic_rows(v, n);
    region(v, n, 3);
    printf("%g %d\n", shared_sum(v, n), both(n));
    free(v);
    return 0;
}
