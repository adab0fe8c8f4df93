/* Loops that are vectorised, unrolled, unswitched, split, interchanged. */
#include <stdio.h>
#include <stdlib.h>

void axpy(float *restrict y, const float *restrict x, float a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

int sum_bytes(const unsigned char *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

void unswitched(float *v, int n, int squares)
{
    for (int i = 0; i < n; i++) {
        if (squares)
            v[i] = v[i] * v[i];
        else
            v[i] = v[i] + 1;
    }
}

void small_inner(float v[][4], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            v[i][j] = v[i][j] * 2 + j;
}

void aliasing(float *a, const float *b, const float *c, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * c[i] + b[i];
}

void distributed(float *a, float *b, int n)
{
    for (int i = 1; i < n; i++) {
        a[i] = a[i] * 3;
        b[i] = b[i - 1] + a[i];
    }
}

void cleared(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

int conditional(const int *v, int n, int limit)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        if (v[i] < limit && v[i] > most)
            most = v[i];
    return most;
}

void column_sums(const double *m, double *sums, int rows, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            sums[j] += m[i * columns + j];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    float *v = calloc((size_t)n * 4, sizeof *v);
    double *m = calloc((size_t)n * 8, sizeof *m);
    axpy(v, v + n, 2, n);
    unswitched(v, n, argc);
    small_inner((float(*)[4])v, n);
    aliasing(v, v + n, v + 2 * n, n);
    distributed(v, v + n, n);
    cleared(v, n / 2);
    column_sums(m, m + 7 * n, 6, n);
    printf("%g %g %d %d\n", v[3], m[7], sum_bytes((unsigned char *)v, n),
           conditional((int *)v, n, 99));
    free(v);
    free(m);
    return 0;
}
