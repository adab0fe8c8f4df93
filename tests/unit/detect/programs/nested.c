/* Functions inlined into each other, twice from one line, and a recursion. */
#include <stdio.h>
#include <stdlib.h>

static inline int innermost(int x)
{
    volatile int sum = 0;
    for (int i = 0; i < x; i++)
        sum += i;
    return sum;
}

static inline int middle(int x)
{
    return innermost(x) + innermost(x + 1);
}

static inline int outer(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += middle(x + i);
    return sum;
}

__attribute__((noinline)) static int recursive(int depth)
{
    return depth > 0 ? recursive(depth - 1) + outer(depth) : 1;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    for (int i = 0; i < n; i++)
        printf("%d %d\n", outer(i), recursive(i));
    return 0;
}
