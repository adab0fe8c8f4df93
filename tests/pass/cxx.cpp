// C++: methods, templates, virtual calls, lambdas, exceptions; accessors of the standard library
// are computation, and what a header defines is stored once however many objects carry it.
// RUN: scalana-static mpicxx -O2 -DOTHER -c %s -o b.o
// RUN: scalana-static mpicxx -O2 -c %s -o a.o && scalana-static mpicxx a.o b.o -o cxx && mpirun -n 2 ./cxx
// RUN: test $(readelf -SW a.o | grep -c "\.scalana\.psg") = 1
// RUN: scalana-static --dump=text cxx | sed '/^after/,$d' | sed -Ef %i/levels.sed > dump
// RUN: for p in UPDATE SUM WORK LAMBDA MAIN; do FileCheck --check-prefix=$p %s < dump || exit 1; done
// RUN: test $(grep -c '^ Field::sum' dump) = 1
// RUN: for o in 0 1 3; do scalana-static mpicxx -O$o -g -DOTHER -c %s -o b.o && scalana-static mpicxx -O$o -g %s b.o -o x && ./x && scalana-static --stats x | tail -1 | cut -c25- > $o.stats; done; cmp 1.stats 3.stats
#include <functional>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <vector>
template <class T> struct Field {
    std::vector<T> v;
    explicit Field(int n) : v(n) {}
    virtual ~Field() {}
    virtual void update(T x)
    {
        for (auto &e : v) // line 21
            e += x;
    }
    T sum() const
    {
        T s = 0;
        for (size_t i = 0; i < v.size(); i++) // line 27
            s += v[i];
        return s;
    }
};
double other(Field<double> &f);
#ifdef OTHER
double other(Field<double> &f)
{
    return f.sum();
}
#else
struct Halo : Field<double> {
    Halo(int n) : Field<double>(n) {}
    void update(double x) override
    {
        for (size_t i = 0; i < v.size(); ++i) // line 43
            v[i] *= x;
        MPI_Barrier(MPI_COMM_WORLD); // line 45
    }
};
static int work(Field<double> &f, int n)
{
    int caught = 0;
    for (int i = 0; i < n; i++) { // line 51
        try {
            f.update(i); // line 53
            if (f.sum() < 1)
                throw std::runtime_error("small");
        } catch (std::exception &e) {
            caught++;
        }
    }
    return caught;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Halo h(100);
    int caught = work(h, 5);
    auto fill = [&](int k) {
        for (int i = 0; i < k; i++) // line 68
            h.v[i] = i;
    };
    fill(10);
    std::function<void(int)> again = fill;
    again(3);
    double s = other(h), t = 0; // line 74
    MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return caught == 5 && t >= 45 ? 0 : 1;
}
#endif
// UPDATE: Halo::update, reaches MPI
// UPDATE-NEXT: |root 41-
// UPDATE-NEXT: ||loop 43-44{{$}}
// UPDATE-NEXT: |||comp 44
// UPDATE-NEXT: ||mpi MPI_Barrier 45
// SUM: Field::sum, {{.*}}cxx.cpp
// SUM-NEXT: |root 24-
// SUM-NEXT: ||comp 26
// SUM-NEXT: ||loop 27-28{{$}}
// SUM-NEXT: |||comp 28
// WORK: work, reaches MPI
// WORK-NEXT: |root 48-61
// WORK-NEXT: ||comp 50
// WORK-NEXT: ||loop 51-59 *
// WORK-NEXT: |||call (indirect) 53
// WORK-NEXT: |||call {{.*}} 54 -> Field::sum
// WORK-NEXT: |||branch 54-55
// WORK-NEXT: ||||comp 55 [arm 0]
// WORK-NEXT: |||comp 56-58
// LAMBDA: main::$_0::operator(), {{.*}}cxx.cpp
// LAMBDA-NEXT: |root 67-
// LAMBDA-NEXT: ||loop 68-69
// MAIN: main, main program, reaches MPI
// MAIN: ||mpi MPI_Init 64
// MAIN: ||call {{.*}} 66 -> work
// MAIN: ||call {{.*}} 74 -> other
// MAIN: ||mpi MPI_Allreduce 75
