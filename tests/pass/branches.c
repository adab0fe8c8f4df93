/* Conditionals as they were written: && and || are one, ?: is computation unless it calls, and
 * what follows an early return, a break or a continue is not inside the branch.
 * RUN: for o in 0 1 2 3; do scalana-static mpicc -O$o -c %s -o $o.o && scalana-static --dump=text $o.o | sed '/^after/,$d' | sed -Ef %i/levels.sed > $o.txt; done
 * RUN: for o in 0 1 2 3; do for f in quiet early both ternary dowhile table indirect checked oneline; do FileCheck --match-full-lines --check-prefix=$f %s < $o.txt || exit 1; done; done
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
extern int helper(int);
int quiet(int x)
{
    if (x < 0)
        return -1;
    if ((x > 10 && x < 20) || x == 99) {
        x *= 2;
    } else if (x == 5) {
        x += 3;
    } else {
        x -= 1;
    }
    return x;
}
void early(int r)
{
    if (r) {
        printf("a\n");
        return;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
void both(int r)
{
    if (r)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Finalize();
}
int ternary(int a, int b)
{
    int m = a > b ? a : b;
    int k = a && b;
    return m + (k ? helper(a) : 0);
}
double dowhile(double *a, int n)
{
    int i = 0;
    double s = 0;
    do {
        s += a[i];
        if (s > 1e9)
            continue;
        s *= 1.1;
    } while (++i < n && s < 100);
    while (1) {
        s = s / 2;
        if (s < 1) {
            printf("done\n");
            break;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return s;
}
int table(int k, double *a, int n)
{
    switch (k) {
    case 1:
        helper(3);
    case 2:
        for (int i = 0; i < n; i++)
            a[i] = 0;
        break;
    case 3: {
        int q[3];
        if (n > 3)
            return 5;
        a[0] = q[0] = 1;
        break;
    }
    default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
    a[1] = 5;
    return k;
}
typedef int (*function)(int);
int indirect(function f, int n)
{
    int s = 0;
    for (int i = 0;
         i < n;
         i++) {
        s += f(
            i + n);
        for (int j = 0; j < n; j++) {
            if (j % 2)
                continue;
            s += j;
        }
    }
    return s + indirect(f, n - 1);
}
int checked(int *a, int n)
{
    int ok = 1;
    if (n > 3) {
        a[0] = 3;
    } else {
        return -1;
    }
    assert(a);
    MPI_Barrier(MPI_COMM_WORLD);
    return ok;
}
// What follows a loop on its line is not inside it.
// clang-format off
int oneline(double *a, int n) { for (int i = 0; i < n; i++) if (a[i] > 3) return 1; return MPI_Barrier(MPI_COMM_WORLD); }
// clang-format on
/*
early: early, {{.*}}
early-NEXT: |root 23-{{[0-9]+}}
early-NEXT: ||branch 25-26
early-NEXT: |||comp 26 [arm 0]
early-NEXT: ||mpi MPI_Barrier 29
quiet: quiet, {{.*}}
quiet-NEXT: |root 10-{{[0-9]+}}
quiet-NEXT: ||branch 12-13
quiet-NEXT: |||comp 13 [arm 0]
quiet-NEXT: ||branch 14-19
quiet-NEXT: |||comp 15 [arm 0]
quiet-NEXT: |||branch 16-19 [arm 1]
quiet-NEXT: ||||comp 17 [arm 0]
quiet-NEXT: ||||comp 19 [arm 1]
quiet-NEXT: ||comp 21
checked: checked, {{.*}}
checked-NEXT: |root 103-{{[0-9]+}}
checked-NEXT: ||comp 105
checked-NEXT: ||branch 106-109
checked-NEXT: |||comp 107 [arm 0]
checked-NEXT: |||comp 109 [arm 1]
checked-NEXT: ||branch 111
checked-NEXT: |||comp 111 [arm 0]
checked-NEXT: ||mpi MPI_Barrier 112
checked-NEXT: ||comp 113
table: table, {{.*}}
table-NEXT: |root 64-{{[0-9]+}}
table-NEXT: ||branch 66-82
table-NEXT: |||call helper 68 [arm 0]
table-NEXT: |||loop 70-71 [arm 1]
table-NEXT: ||||comp 71
table-NEXT: |||branch 75-76 [arm 2]
table-NEXT: ||||comp 76 [arm 0]
table-NEXT: |||comp 77 [arm 2]
table-NEXT: |||mpi MPI_Barrier 81 [arm 3]
table-NEXT: ||comp 83-84
both: both, {{.*}}
both-NEXT: |root 31-{{[0-9]+}}
both-NEXT: ||branch 33-36
both-NEXT: |||mpi MPI_Barrier 34 [arm 0]
both-NEXT: |||mpi MPI_Finalize 36 [arm 1]
indirect: indirect, {{.*}}
indirect-NEXT: |root 87-{{[0-9]+}}
indirect-NEXT: ||comp 89
indirect-NEXT: ||loop 90-100 *
indirect-NEXT: |||call (indirect) 93-94
indirect-NEXT: |||loop 95-99
indirect-NEXT: ||||branch 96-97
indirect-NEXT: ||||comp 98
indirect-NEXT: ||call indirect 101 -> indirect (recursive)
ternary: ternary, {{.*}}
ternary-NEXT: |root 38-{{[0-9]+}}
ternary-NEXT: ||comp 40-42
ternary-NEXT: ||branch 42
ternary-NEXT: |||call helper 42 [arm 0]
ternary-NEXT: ||comp 42{{.*}}
dowhile: dowhile, {{.*}}
dowhile-NEXT: |root 44-{{[0-9]+}}
dowhile-NEXT: ||comp 46-47
dowhile-NEXT: ||loop 48-53
dowhile-NEXT: |||comp 49
dowhile-NEXT: |||branch 50-51
dowhile-NEXT: |||comp 52-53
dowhile-NEXT: ||loop 54-61 *
dowhile-NEXT: |||comp 55
dowhile-NEXT: |||branch 56-57
dowhile-NEXT: ||||comp 57 [arm 0]
dowhile-NEXT: |||mpi MPI_Barrier 60
oneline: oneline, {{.*}}
oneline-NEXT: |root 117
oneline-NEXT: ||loop 117
oneline-NEXT: ||mpi MPI_Barrier 117
*/
