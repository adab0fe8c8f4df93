/* Profile-guided optimization. The front end counts statements, so any build's profile fits; the
 * optimizer counts jumps, a loop's marker among them, so the profile must be of such a build too.
 * RUN: OMPI_CC=clang mpicc -O2 -fprofile-instr-generate %s -o gen && LLVM_PROFILE_FILE=instr.raw ./gen && llvm-profdata merge -o instr instr.raw
 * RUN: scalana-static mpicc -O2 -Werror -fprofile-instr-use=instr %s -o use && ./use && llvm-dwarfdump --debug-line use > lines && python3 %i/ids.py %s lines && scalana-static --stats use | FileCheck %s
 * RUN: scalana-static mpicc -O2 -fprofile-generate %s -o gen && LLVM_PROFILE_FILE=ir.raw ./gen && llvm-profdata merge -o ir ir.raw
 * RUN: scalana-static mpicc -O2 -Werror -fprofile-use=ir %s -o use && ./use && llvm-dwarfdump --debug-line use > lines && python3 %i/ids.py %s lines && scalana-static --stats use | FileCheck %s
 * CHECK: use {{.*}} 2 1 {{.*}} 4
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < 1000; i++)
            sum += i * 0.5; /* BODY A */
        if (step % 4 == 0)
            MPI_Barrier(MPI_COMM_WORLD); /* CALL B */
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* CALL C */
    }
    MPI_Finalize(); /* CALL D */
    return sum > 0 ? 0 : 1;
}
