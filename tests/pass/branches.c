/* Conditionals as they were written: && and || are one, ?: is computation unless it calls, and
 * what follows an early return, a break or a continue is not inside the branch.
 * RUN: for o in 0 1 2 3; do scalana-static mpicc -O$o -c %s -o $o.o && scalana-static --dump=text $o.o | sed '/^after/,$d' > $o.txt; done
 * RUN: for o in 0 1 2 3; do for f in quiet early both ternary dowhile table indirect checked; do FileCheck --match-full-lines --check-prefix=$f %s < $o.txt || exit 1; done; done
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
/*
quiet: quiet, {{.*}}
quiet-NEXT: root 10-22
quiet-NEXT: branch 12-13
quiet-NEXT: comp 13 [arm 0]
quiet-NEXT: branch 14-19
quiet-NEXT: comp 15 [arm 0]
quiet-NEXT: branch 16-19 [arm 1]
quiet-NEXT: comp 17 [arm 0]
quiet-NEXT: comp 19 [arm 1]
quiet-NEXT: comp 21
*/
void early(int r)
{
    if (r) {
        printf("a\n");
        return;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
/*
early: early, {{.*}}
early-NEXT: root 35-42
early-NEXT: branch 37-38
early-NEXT: comp 38 [arm 0]
early-NEXT: mpi MPI_Barrier 41
*/
void both(int r)
{
    if (r)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Finalize();
}
/*
both: both, {{.*}}
both-NEXT: root 50-56
both-NEXT: branch 52-55
both-NEXT: mpi MPI_Barrier 53 [arm 0]
both-NEXT: mpi MPI_Finalize 55 [arm 1]
*/
int ternary(int a, int b)
{
    int m = a > b ? a : b;
    int k = a && b;
    return m + (k ? helper(a) : 0);
}
/*
ternary: ternary, {{.*}}
ternary-NEXT: root 64-{{6[89]}}
ternary-NEXT: comp 66-68
ternary-NEXT: branch 68
ternary-NEXT: call helper 68 [arm 0]
ternary-NEXT: comp 68{{.*}}
*/
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
/*
dowhile: dowhile, {{.*}}
dowhile-NEXT: root 78-97
dowhile-NEXT: comp 80-81
dowhile-NEXT: loop 82-87
dowhile-NEXT: comp 83
dowhile-NEXT: branch 84-85
dowhile-NEXT: comp 86-87
dowhile-NEXT: loop 88-95 *
dowhile-NEXT: comp 89
dowhile-NEXT: branch 90-91
dowhile-NEXT: comp 91 [arm 0]
dowhile-NEXT: mpi MPI_Barrier 94
*/
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
/*
table: table, {{.*}}
table-NEXT: root 110-131
table-NEXT: branch 112-128
table-NEXT: call helper 114 [arm 0]
table-NEXT: loop 116-117 [arm 1]
table-NEXT: comp 117
table-NEXT: branch 121-122 [arm 2]
table-NEXT: comp 122 [arm 0]
table-NEXT: comp 123 [arm 2]
table-NEXT: mpi MPI_Barrier 127 [arm 3]
table-NEXT: comp 129-130
*/
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
/*
indirect: indirect, {{.*}}
indirect-NEXT: root 145-160
indirect-NEXT: comp 147
indirect-NEXT: loop 148-158 *
indirect-NEXT: call (indirect) 151-152
indirect-NEXT: loop 153-157
indirect-NEXT: branch 154-155
indirect-NEXT: comp 156
indirect-NEXT: comp 159
indirect-NEXT: call indirect 159 -> indirect (recursive)
*/
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
/*
checked: checked, {{.*}}
checked-NEXT: root 171-182
checked-NEXT: comp 173
checked-NEXT: branch 174-177
checked-NEXT: comp 175 [arm 0]
checked-NEXT: comp 177 [arm 1]
checked-NEXT: branch 179
checked-NEXT: comp 179 [arm {{.}}]
checked-NEXT: mpi MPI_Barrier 180
*/
