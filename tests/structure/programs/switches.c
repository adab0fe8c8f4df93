/* Jump tables within loops. */
#include <stdio.h>
#include <stdlib.h>

enum operation { PUSH, ADD, MULTIPLY, SUBTRACT, DOUBLE, SWAP, COUNT_DOWN, STOP };

long interpret(const unsigned char *code, long limit)
{
    long stack[32] = {0}, steps = 0;
    int top = 0;
    for (;;) {
        switch (*code++) {
        case PUSH:
            stack[++top & 31] = *code++;
            break;
        case ADD:
            stack[(top - 1) & 31] += stack[top & 31];
            top--;
            break;
        case MULTIPLY:
            stack[(top - 1) & 31] *= stack[top & 31];
            top--;
            break;
        case SUBTRACT:
            stack[(top - 1) & 31] -= stack[top & 31];
            top--;
            break;
        case DOUBLE:
            stack[top & 31] <<= 1;
            break;
        case SWAP: {
            long kept = stack[top & 31];
            stack[top & 31] = stack[(top - 1) & 31];
            stack[(top - 1) & 31] = kept;
            break;
        }
        case COUNT_DOWN:
            while (stack[top & 31] > limit)
                stack[top & 31] -= steps + 1;
            break;
        case STOP:
            return stack[top & 31];
        default:
            abort();
        }
        if (++steps > limit)
            return steps;
    }
}

int classes(const char *text, int counts[8])
{
    int i;
    for (i = 0; text[i]; i++) {
        switch (text[i]) {
        case 'a':
        case 'e':
        case 'i':
            counts[0]++;
            break;
        case 'b':
            counts[1] += i;
            break;
        case 'c':
            counts[2] ^= i;
            break;
        case 'd':
            counts[3]--;
            break;
        case 'f':
            counts[4] += 2 * i;
            break;
        case 'g':
            return i;
        case 'h':
            counts[5] *= 3;
            continue;
        default:
            counts[7]++;
        }
        counts[6] += counts[i & 7];
    }
    return i;
}

/* A label's address as a value. */
long threaded(const unsigned char *code, long x)
{
    static const void *const labels[] = {&&add, &&twice, &&minus, &&stop};
    goto *labels[*code++ & 3];
add:
    x += 5;
    goto *labels[*code++ & 3];
twice:
    x *= 2;
    goto *labels[*code++ & 3];
minus:
    x -= 1;
    goto *labels[*code++ & 3];
stop:
    return x;
}

int main(int argc, char **argv)
{
    unsigned char code[] = {PUSH, 3, PUSH, 4, ADD, DOUBLE, SWAP, STOP};
    int counts[8] = {0};
    long n = argc > 1 ? atol(argv[1]) : 100;
    printf("%ld %d %ld\n", interpret(code, n), classes(argv[0], counts), threaded(code, n));
    return 0;
}
