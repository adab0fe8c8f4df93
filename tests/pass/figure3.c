/* The program of the paper's Figure 3 gives the graphs of its Figure 4, vertex by vertex.
 * RUN: scalana-static mpicc -O2 %s -o fig3
 * RUN: scalana-static --max-loop-depth=1 --dump=text fig3 | sed -Ef %i/levels.sed > dump
 * RUN: FileCheck --match-full-lines --check-prefix=FOO %s < dump
 * RUN: FileCheck --match-full-lines --check-prefix=MAIN %s < dump
 * RUN: scalana-static --max-loop-depth=1 --stats fig3 | FileCheck --check-prefix=STATS %s
 * RUN: scalana-static --max-loop-depth=1 mpicc -O2 %s -o deep1
 * RUN: scalana-static --stats deep1 | FileCheck --check-prefix=STATS %s
 * RUN: scalana-static --stats fig3 | FileCheck --check-prefix=DEEP %s
 * RUN: scalana-static --dump=dot fig3 | FileCheck --check-prefix=DOT %s
 * RUN: scalana-static --dump=json fig3 | python3 -m json.tool > /dev/null
 */
#include <mpi.h>
#include <stdlib.h>
int N = 10, A[100], sum, product, myRank;
void foo(void);
int main()
{
    for (int i = 0; i < N; ++i) { /* line 19: Loop 1 */
        A[i] = rand();
        for (int j = 0; j < i; ++j) /* line 21: Loop 1.1 */
            sum += A[j];
        for (int k = 0; k < i; ++k) /* line 23: Loop 1.2 */
            product *= A[k];
    }
    foo();
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
void foo(void)
{
    if (myRank % 2 == 0)
        MPI_Send(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/*
FOO: before contraction:
FOO: foo, reaches MPI, {{.*}}/figure3.c
FOO-NEXT: |root 29-35
FOO-NEXT: ||branch 31-34
FOO-NEXT: |||mpi MPI_Send 32 [arm 0]
FOO-NEXT: |||mpi MPI_Recv 34 [arm 1]
FOO: after contraction, loops down to depth 1:
FOO: foo, reaches MPI, {{.*}}/figure3.c
FOO-NEXT: |root 29-35
FOO-NEXT: ||branch 31-34
FOO-NEXT: |||mpi MPI_Send 32 [arm 0]
FOO-NEXT: |||mpi MPI_Recv 34 [arm 1]
MAIN: before contraction:
MAIN: main, main program, reaches MPI, {{.*}}/figure3.c
MAIN-NEXT: |root 17-28
MAIN-NEXT: ||loop 19-25
MAIN-NEXT: |||comp 20
MAIN-NEXT: |||loop 21-22
MAIN-NEXT: ||||comp 22
MAIN-NEXT: |||loop 23-24
MAIN-NEXT: ||||comp 24
MAIN-NEXT: ||call foo 26 -> foo
MAIN-NEXT: ||mpi MPI_Bcast 27
MAIN: after contraction, loops down to depth 1:
MAIN: main, main program, reaches MPI, {{.*}}/figure3.c
MAIN-NEXT: |root 17-28
MAIN-NEXT: ||loop 19-25
MAIN-NEXT: |||comp 20-24
MAIN-NEXT: ||call foo 26 -> foo
MAIN-NEXT: ||mpi MPI_Bcast 27
STATS: #VBC #VAC Loop Branch Comp MPI
STATS-NEXT: {{[^ ]+}} 11 7 1 1 1 3
DEEP: 11 11 3 1 3 3
DOT: digraph before_contraction
DOT: digraph after_contraction
*/
