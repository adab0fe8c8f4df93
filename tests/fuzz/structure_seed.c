/* What recovery has a way of its own for: loops, a switch, a part far away, calls of all kinds. */
extern void abort(void) __attribute__((noreturn));
extern int MPI_Barrier(int);
int (*pointer)(int);

__attribute__((noinline, noreturn)) static void give_up(void)
{
    abort();
}

__attribute__((noinline)) int by_table(int kind, int *v)
{
    switch (kind) {
    case 0:
        return v[1];
    case 1:
        return v[0] * 3;
    case 2:
        return pointer(v[2]);
    case 3:
        return v[3] - v[0];
    case 4:
        MPI_Barrier(1);
        return 7;
    case 5:
        return v[5] << v[4];
    default:
        return 0;
    }
}

__attribute__((noinline)) int nest(int (*v)[64], int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            sum += v[i][j] * sum;
        if (__builtin_expect(sum < 0, 0))
            give_up();
        MPI_Barrier(0);
    }
    return sum;
}

int main(int argc, char **argv)
{
    static int v[64][64];
    (void)argv;
    while (argc--)
        v[0][argc & 63] += by_table(argc, v[1]) + nest(v, argc);
    return v[0][0];
}
