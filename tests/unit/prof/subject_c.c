/* SUBJECT names the entry: this file is built once per compiler and level. */
#include "subjects.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define UNIQUE static __attribute__((noinline))
#else
#define UNIQUE static __attribute__((noinline, noclone))
#endif

static volatile long sink;
static long (*volatile indirect)(long);

UNIQUE long leaf(long x)
{
    probe();
    sink += x;
    return x + 1;
}

UNIQUE long recurse(long n)
{
    long local[3] = {n, n + 1, n + 2};
    if (n > 0)
        local[n % 3] += recurse(n - 1);
    else
        local[0] += leaf(n);
    return local[0] + local[1] + local[2];
}

UNIQUE long even(long n);

UNIQUE long odd(long n)
{
    long r = n > 0 ? even(n - 1) : leaf(n);
    return r + sink;
}

UNIQUE long even(long n)
{
    char pad[200];
    memset(pad, (int)n, sizeof pad);
    long r = n > 0 ? odd(n - 1) : leaf(n);
    return r + pad[n % 200];
}

UNIQUE long with_alloca(long n)
{
    char *memory = alloca((size_t)(n * 37 + 1));
    memset(memory, 1, (size_t)(n * 37 + 1));
    long r = leaf(n) + memory[n];
    return r + (n > 1 ? with_alloca(n - 2) : recurse(2));
}

UNIQUE long with_vla(long n)
{
    long values[n + 1];
    for (long i = 0; i <= n; i++)
        values[i] = leaf(i);
    return values[n] + with_alloca(n);
}

UNIQUE long realigned(long n)
{
    long values[8] __attribute__((aligned(64)));
    for (int i = 0; i < 8; i++)
        values[i] = n + i;
    sink += values[n % 8];
    return leaf(values[3]) + values[7];
}

UNIQUE long realigned_alloca(long n)
{
    long values[8] __attribute__((aligned(128)));
    char *memory = alloca((size_t)n + 1);
    memory[n] = 1;
    for (int i = 0; i < 8; i++)
        values[i] = realigned(n + i) + memory[n];
    return leaf(values[3]) + values[7];
}

UNIQUE long many_arguments(long a, long b, long c, long d, long e, long f, long g, long h, long i)
{
    return leaf(a + b + c) + leaf(d + e + f) + leaf(g + h + i) + (a ? i : h);
}

UNIQUE long by_pointer(long n)
{
    indirect = leaf;
    return indirect(n) + 1;
}

UNIQUE long early_exit(long n)
{
    if (n < 0)
        return sink;
    long r = leaf(n) * leaf(n + 1);
    if (n == 2)
        return r + recurse(1);
    return by_pointer(r) + many_arguments(n, r, 3, 4, 5, r + 1, 7, 8, 9);
}

static int compare(const void *a, const void *b)
{
    probe();
    return *(const int *)a - *(const int *)b;
}

UNIQUE void through_libc(void)
{
    int values[] = {5, 3, 9, 1};
    qsort(values, 4, sizeof values[0], compare);
    sink += values[0];
}

void SUBJECT(int n)
{
    sink += recurse(n) + odd(n) + with_vla(n) + realigned(n) + realigned_alloca(n);
    for (int i = -1; i < 3; i++)
        sink += early_exit(i);
    through_libc();
    probe();
}
