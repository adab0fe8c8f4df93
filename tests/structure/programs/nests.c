/* Nests of loops, each on lines of its own. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static double a[N][N], b[N][N], c[N][N];

void fill(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = i + 0.5 * j;
            b[i][j] = i - j;
        }
}

void multiply(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
}

long triangle(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = i; j < n; j++)
            for (long k = j; k < n; k += 3)
                sum ^= i * j + k;
    return sum;
}

int until(int n)
{
    int steps = 0;
    do {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    } while (n > 1);
    return steps;
}

int do_in_do(int n)
{
    int sum = 0, i = 0;
    do {
        int j = n;
        do {
            sum += i * j;
            j -= 2;
        } while (j > i);
        i++;
    } while (i < n);
    return sum;
}

double sweep(int n, int rounds)
{
    double worst = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++)
                c[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        }
        worst = 0;
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                double change = c[i][j] - a[i][j];
                if (change > worst)
                    worst = change;
                a[i][j] = c[i][j];
            }
        }
        if (worst < 1e-9)
            break;
    }
    return worst;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    fill(n);
    multiply(n);
    printf("%ld %d %d %g\n", triangle(n), until(n), do_in_do(n), sweep(n, n));
    return 0;
}
