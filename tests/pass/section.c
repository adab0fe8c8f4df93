/* The section takes no memory at run time and survives ld -r, --gc-sections, archives, shared
 * libraries and strip; --stats finds it in each.
 * RUN: scalana-static mpicc -O2 -fPIC -ffunction-sections -DPART=1 -c %s -o a.o
 * RUN: scalana-static mpicc -O2 -fPIC -ffunction-sections -DPART=2 -c %s -o b.o
 * RUN: readelf -SW a.o | grep -E ' \.scalana\.psg +PROGBITS +0+ [0-9a-f]+ [0-9a-f]+ 00 +0 +0 +1'
 * RUN: scalana-static mpicc a.o b.o -o plain && scalana-static --stats plain | FileCheck %s
 * RUN: scalana-static mpicc -Wl,--gc-sections a.o b.o -o gc && scalana-static --stats gc | FileCheck %s
 * RUN: ld -r a.o b.o -o r.o && scalana-static mpicc r.o -o rel && scalana-static --stats rel | FileCheck %s
 * RUN: ar rcs libb.a b.o && scalana-static mpicc a.o -L. -lb -o arch && scalana-static --stats arch | FileCheck %s
 * RUN: scalana-static mpicc -shared b.o -o libpart.so && scalana-static mpicc a.o -L. -lpart -Wl,-rpath,'$ORIGIN' -o shared && scalana-static --stats shared | FileCheck %s
 * RUN: cp plain g && strip -g g && scalana-static --stats g | FileCheck %s
 * RUN: scalana-static --dump=text libb.a | grep -q MPI_Barrier
 * RUN: ar rcT thin.a a.o b.o && scalana-static --stats thin.a | FileCheck %s
 * RUN: mkdir -p elsewhere && ar rcT elsewhere/far.a b.o && scalana-static --dump=text elsewhere/far.a | grep -q MPI_Barrier
 * RUN: cp b.o c.o && ar rcT lost.a c.o && rm c.o && (scalana-static --stats lost.a 2> err; test $? = 1) && grep -q 'c.o, of the archive lost.a: No such file' err
 * RUN: head -c 90 thin.a > cut.a; (scalana-static --stats cut.a 2> err; test $? = 1) && grep -q 'cut.a: damaged thin archive' err
 * RUN: mpirun -n 1 ./shared
 * RUN: mpirun -n 1 ./gc
 * RUN: gcc -c -x c /dev/null -o none.o && (scalana-static --stats none.o 2> err; test $? = 1 -a $(wc -l < err) = 1) && grep -q 'no program structure graph' err
 * RUN: (scalana-static --stats %s 2> err; test $? = 1) && grep -q 'not an ELF' err
 * RUN: (scalana-static --stats nothing 2> err; test $? = 1) && grep -q 'No such file' err
 * CHECK: {{^(plain|gc|rel|arch|shared|g|thin.a) +}}5 5 1 0 0 3
 */
#include <mpi.h>
void part(void);
#if PART == 1
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    part();
    MPI_Finalize();
}
void unused(void)
{
    part();
}
#else
void part(void)
{
    for (int i = 0; i < 3; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}
#endif
