// Landing pads, and a function that is in the file several times.
extern "C" int MPI_Barrier(int);

template <class T> __attribute__((noinline)) T sum(const T *v, int n)
{
    T all = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0)
            throw i;
        all += v[i];
    }
    return all;
}

int main(int argc, char **)
{
    static int a[8];
    static long b[8];
    for (int i = 0; i < argc; i++)
        try {
            a[0] += sum(a, i);
            b[0] += sum(b, i);
        } catch (int where) {
            a[1] += MPI_Barrier(where);
        }
    return a[0] + static_cast<int>(b[0]);
}
