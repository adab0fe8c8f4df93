// Of the samples of a running -O3 program at least 99 in 100 carry the loop that the program says
// it is in; those of an object that a plain compiler made carry their function, and no graph.
// RUN: gcc -O2 -x c -c %i/samples_recorder.inc -o recorder.o
// RUN: scalana-static clang++ -O3 -march=x86-64-v3 %s recorder.o -o samples
// RUN: ./samples > ticks
// RUN: cut -d' ' -f1 ticks | %b/tests/support/show_places $PWD/samples > places
// RUN: python3 %i/samples.py %s ticks places
#include <algorithm>
#include <numeric>
#include <vector>
extern "C" {
extern volatile int phase;
int enough(void);
void record(void), print(void), plain_loop(void);
}
enum { N = 2000, M = 48 };
static double a[N], b[N], c[N], x[M][M], y[M][M], z[M][M];
static long links[N], seed = 1, found;
static int kind[N];

static inline void now(int loop)
{
    __asm__ volatile("" ::: "memory");
    phase = loop;
    __asm__ volatile("" ::: "memory");
}

static void triad(double f)
{
    now(1);
    for (int i = 0; i < N; i++) // LOOP 1
        a[i] = b[i] + f * c[i];
    now(0);
}

static void product()
{
    now(2);
    for (int i = 0; i < M; i++) // LOOP 2
        for (int j = 0; j < M; j++) {
            double sum = 0;
            for (int k = 0; k < M; k++)
                sum += x[i][k] * y[k][j];
            z[i][j] = sum * 0.01;
        }
    now(0);
}

static void siblings()
{
    for (int step = 0; step < 3; step++) {
        now(3);
        for (int i = 1; i < N; i++) // LOOP 3
            b[i] = b[i - 1] * 0.5 + c[i];
        now(4);
        for (int i = 0; i < N; i++) // LOOP 4
            if (b[i] > c[i])
                c[i] += 0.1;
            else
                c[i] *= 0.99;
        now(0);
    }
}

template <class T> static inline T norm(const std::vector<T> &v)
{
    T sum = 0;
    for (const T &e : v) // LOOP 5
        sum += e * e;
    return sum;
}

static double norms(const std::vector<double> &wide, const std::vector<float> &narrow)
{
    now(5);
    double sum = norm(wide) + norm(narrow);
    now(0);
    return sum;
}

static void chase()
{
    long at = 0;
    now(6);
    for (int i = 0; i < N; i++) // LOOP 6
        at = links[at];
    found += at;
    now(0);
}

static void decide()
{
    now(7);
    for (int i = 0; i < N; i++) // LOOP 7
        switch (kind[i]) {
        case 0:
            seed = seed * 5 + 1;
            break;
        case 1:
            seed ^= seed >> 3;
            break;
        case 2:
            seed += i;
            break;
        default:
            seed = (seed << 1) | 1;
        }
    now(0);
}

static void each(std::vector<double> &v, double by)
{
    auto change = [by](double e) { return e / by + 1; };
    now(8);
    for (double &e : v) // LOOP 8
        e = change(e);
    now(0);
}

__attribute__((noinline)) static long steps(long n)
{
    long count = 0, start = n, odd = 0;
    while (count < 4000) { // LOOP 9
        n = n == 1 ? start : n % 2 ? 3 * n + 1 : n / 2;
        odd += n % 2;
        count++;
    }
    return odd;
}

static void called(bool twice)
{
    now(9);
    for (int i = 1; i < 5; i++)
        found += steps(i);
    now(10);
    for (int i = 0; i < N; i++) { // LOOP 10
        if (twice)
            a[i] *= 2;
        a[i] = a[i] * 0.25 + b[i];
    }
    now(11);
    plain_loop(); // CODE 11 plain_loop
    now(0);
}

int main(int count, char **)
{
    std::vector<double> wide(N, 1.5);
    std::vector<float> narrow(N, 0.5f);
    std::iota(b, b + N, 1.0);
    std::iota(x[0], x[0] + M * M, 0.1);
    std::iota(y[0], y[0] + M * M, count);
    for (int i = 0; i < N; i++) {
        links[i] = (i * 7 + 3) % N;
        kind[i] = (i * 31 >> 2) % 4;
        c[i] = i % 13;
    }
    for (record(); !enough();) {
        triad(0.5);
        product();
        siblings();
        a[0] += norms(wide, narrow);
        chase();
        decide();
        each(wide, 3.0 + count);
        called(count > 1);
    }
    print();
    return a[0] + z[3][3] + found + seed == 0.5;
}
