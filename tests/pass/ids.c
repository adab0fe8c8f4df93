/* The line table carries the ids: at every level, rows of one marked loop's body agree, rows of
 * different loops differ, and inlined calls have theirs in the debug information.
 * RUN: for o in 1 2 3; do scalana-static mpicc -O$o -c %s -o $o.o && llvm-dwarfdump --debug-line $o.o > $o.lines && python3 %i/ids.py %s $o.lines || exit 1; done
 * RUN: scalana-static mpicc -O0 -c %s -o 0.o && llvm-dwarfdump --debug-line 0.o > 0.lines && python3 %i/ids.py %s 0.lines
 * RUN: scalana-static mpicc -g -O2 -c %s -o g.o && llvm-dwarfdump --debug-line g.o > g.lines && python3 %i/ids.py %s g.lines
 * Debug information without discriminators gives way to DWARF 4; code stays as it was:
 * RUN: for d in -gdwarf-2 -gdwarf-3 -gcodeview; do scalana-static mpicc $d -O2 -c %s -o old.o && llvm-dwarfdump --debug-line old.o > old.lines && python3 %i/ids.py %s old.lines && for f in 2 old; do objcopy -O binary -j .text $f.o $f.text; done && cmp 2.text old.text || exit 1; done
 * RUN: for o in 2.o g.o old.o; do llvm-dwarfdump --debug-info $o | FileCheck %s || exit 1; done
 * CHECK: DW_AT_producer ("{{.*}}clang version {{.*}} scalana:{{[0-9a-f]+}}")
 * CHECK: DW_TAG_inlined_subroutine
 * CHECK: DW_AT_GNU_discriminator (0x
 */
#include <mpi.h>
#include <math.h>
static double inner(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* LOOP A */
        s += a[i] * sin(a[i]);  /* BODY A */
    return s;
}
double outer(double *a, double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* LOOP B */
        b[i] = a[i] * 2;          /* BODY B */
        b[i] += 1 / a[i];         /* BODY B */
    }
    for (int k = 0; k < 10; k++) { /* LOOP C */
        s += inner(b, n);          /* CALL D */
        MPI_Barrier(MPI_COMM_WORLD); /* CALL E */
    }
    while (s > 1)     /* LOOP F */
        s = s / 2 - 1; /* BODY F */
    return s;
}
