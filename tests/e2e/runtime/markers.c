/*
 * A ring without any collective, whose loops carry the markers that scalana-static puts into
 * instrumented code: written by hand here, so that the test needs no compiler pass.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*hook)(uint64_t);

__attribute__((visibility("hidden"), used)) volatile hook sca_loop_hook;

__asm__(".pushsection .note.scalana,\"a\",@note\n"
        ".balign 4\n"
        ".long 8, 8, 1\n"
        ".asciz \"ScalAna\"\n"
        "1: .quad sca_loop_hook - 1b\n"
        ".popsection\n");

static inline __attribute__((always_inline)) void mark(uint64_t loop)
{
    if (sca_loop_hook)
        sca_loop_hook(loop);
}

/* The steps: here, or in a library that is loaded after MPI_Init. */
int run_steps(void)
{
    int me, size, in[4000], out[4000] = {0}, n = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int outer = 0; outer < 100; outer++) {
        mark(0x1000001);
        for (int inner = 0; inner < 30; inner++) {
            mark(0x1000002);
            MPI_Sendrecv(out, 4 * (++n % 4000), MPI_BYTE, (me + 1) % size, 1, in, 16000, MPI_BYTE,
                         (me + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return 0;
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
