/* Loops that are left, entered and gone round in unusual ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noreturn, noinline)) static void give_up(const char *why, int at)
{
    fprintf(stderr, "%s at %d\n", why, at);
    exit(1);
}

int sum_checked(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0)
            give_up("negative", i);
        sum += v[i];
    }
    return sum;
}

int search(const char *text, char wanted)
{
    int at = 0;
    while (1) {
        if (!text[at])
            return -1;
        if (text[at] == wanted)
            break;
        if (text[at] == '#') {
            at += 2;
            continue;
        }
        at++;
    }
    return at;
}

int by_goto(int n)
{
    int i = 0, sum = 0;
again:
    sum += i * i;
    i++;
    if (sum < n)
        goto again;
    return sum;
}

/* Two ways in. */
int two_entries(int n, int first)
{
    int x = n;
    if (first)
        goto second;
one:
    x = x * 3 + 1;
    if (x > 1000000)
        return x;
second:
    x -= n / 2;
    if (x > 7)
        goto one;
    return x;
}

__attribute__((noinline, cold)) void rarely(int at)
{
    fprintf(stderr, "rare: %d\n", at);
}

/* The rare part goes to another section. */
long with_cold_part(const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        if (__builtin_expect(v[i] > 1000000, 0)) {
            rarely(i);
            sum -= v[i] / 3;
            for (int j = 0; j < v[i]; j += 1000)
                sum += fprintf(stderr, "%d", j);
        }
        sum += v[i] ^ i;
    }
    return sum;
}

int for_ever(FILE *file)
{
    int lines = 0;
    for (;;) {
        int c = fgetc(file);
        if (c == EOF)
            return lines;
        if (c == '\n')
            lines++;
    }
}

/* Two ways to go on. */
int skips(const int *v, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] % 3 == 0)
            continue;
        if (v[i] % 7 == 5) {
            kept += strlen("x") + (size_t)v[i];
            continue;
        }
        kept ^= v[i];
    }
    return kept;
}

static int last_call(int n)
{
    return printf("%d\n", n);
}

int leaves_both(int v[8][8], int wanted)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (v[i][j] == wanted)
                goto found;
    return 0;
found:
    return last_call(wanted);
}

int main(int argc, char **argv)
{
    int v[64];
    for (int i = 0; i < 64; i++)
        v[i] = i * argc;
    int n = argc > 1 ? atoi(argv[1]) : 64;
    printf("%d %d %d %d\n", sum_checked(v, n), search(argv[0], 's'), by_goto(n),
           two_entries(n, argc));
    printf("%ld %d %d\n", with_cold_part(v, n), skips(v, n), leaves_both((int(*)[8])v, n));
    return for_ever(stdin);
}
