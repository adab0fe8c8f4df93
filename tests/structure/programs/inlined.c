/* Loops in helpers that are inlined, in one place or in several. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline void scale(double *a, double by, int n)
{
    for (int i = 0; i < n; i++)
        a[i] *= by;
}

static inline double norm(const double *a, int n)
{
    return sqrt(dot(a, a, n));
}

static inline int digits(unsigned n)
{
    int found = 1;
    while (n >= 10) {
        n /= 10;
        found++;
    }
    return found;
}

static void normalise(double *v, int vectors, int n)
{
    for (int k = 0; k < vectors; k++) {
        double *one = v + k * n;
        for (int j = 0; j < k; j++) {
            double part = dot(v + j * n, one, n);
            for (int i = 0; i < n; i++)
                one[i] -= part * v[j * n + i];
        }
        scale(one, 1 / norm(one, n), n);
    }
}

int all_digits(const unsigned *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += digits(v[i]);
    return sum;
}

/* The same helper on both ways. */
int either(unsigned a, unsigned b)
{
    if (a > b)
        return digits(a - b) + 3;
    return digits(b) * 2;
}

#define EACH(i, n) for (int i = 0; i < (n); i++)

double by_macro(const double *v, int n)
{
    double sum = 0;
    EACH(i, n)
    sum += sqrt(fabs(v[i]));
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 16;
    double *v = malloc(sizeof *v * (size_t)n * 4);
    unsigned w[16];
    for (int i = 0; i < 4 * n; i++)
        v[i] = i % 7 + 0.25;
    normalise(v, 4, n);
    for (unsigned i = 0; i < 16; i++)
        w[i] = i * i * (unsigned)n;
    printf("%g %d %d %g\n", dot(v, v + n, n), all_digits(w, 16), either(w[3], w[5]),
           by_macro(v, n));
    free(v);
    return 0;
}
