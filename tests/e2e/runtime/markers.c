/*
 * A ring without any collective, whose loops carry the markers that scalana-static puts into
 * instrumented code: written by hand here, so that the test needs no compiler pass.
 */
#include "../../../include/sca_hook.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

static volatile struct sca_loop loops[3]
    __attribute__((section(SCA_HOOK_SECTION))) = {{.id = 1}, {.id = 2}, {.id = 3}};
enum { OUTER, INNER, IDLE };

__asm__(".pushsection .note.scalana,\"a\",@note\n"
        ".balign 4\n"
        ".long 8, 16, 2\n"
        ".asciz \"ScalAna\"\n"
        "1: .quad __start_scalana_loops - 1b, __stop_scalana_loops - 1b\n"
        ".hidden __start_scalana_loops\n"
        ".hidden __stop_scalana_loops\n"
        ".popsection\n");

static inline __attribute__((always_inline)) void mark(volatile struct sca_loop *loop)
{
    if (loop->hook)
        loop->hook((struct sca_loop *)loop);
}

/* Calls that the compiler cannot see into, and that never communicate. */
static void compute(void)
{
    for (int i = 0; i < 1000; i++)
        mark(&loops[IDLE]);
}

/* The steps: here, or in a library that is loaded after MPI_Init. */
int run_steps(void)
{
    int me, size, in[4000], out[4000] = {0}, n = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int outer = 0; outer < 100; outer++) {
        mark(&loops[OUTER]);
        compute();
        for (int inner = 0; inner < 30; inner++) {
            mark(&loops[INNER]);
            MPI_Sendrecv(out, 4 * (++n % 4000), MPI_BYTE, (me + 1) % size, 1, in, 16000, MPI_BYTE,
                         (me + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return !loops[OUTER].hook != !loops[INNER].hook ||
           loops[IDLE].hook; /* the idle one is let alone */
}

#ifndef AS_LIBRARY
int main(int argc, char **argv)
{
    int (*steps)(void) = run_steps;
    void *library = NULL;
    MPI_Init(&argc, &argv);
    if (argc > 1 && (library = dlopen(argv[1], RTLD_NOW)))
        steps = (int (*)(void))dlsym(library, "run_steps");
    int status = !steps || steps();
    if (library)
        dlclose(library);
    MPI_Finalize();
    return status;
}
#endif
