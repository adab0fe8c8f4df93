/* Loads its work when it is already running, as simulation codes load their physics. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double (*work)(int) = (double (*)(int))dlsym(plugin, "work");
    double result = work(20); /* CALL */
    dlclose(plugin);
    MPI_Finalize();
    return !(result > 0);
}
