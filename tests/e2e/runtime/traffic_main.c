#include "traffic.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int me, size;

static int sent;
static unsigned state;
static char pool[64][MOST];

int fresh(void)
{
    return 4 * ++sent;
}

char *buffer(void)
{
    static unsigned next;
    return pool[next++ % 64];
}

unsigned dice(unsigned n)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

void pause_a_little(void)
{
    if (!dice(4))
        usleep(dice(300));
}

static const struct {
    const char *name;
    scenario run;
} scenarios[] = {
    {"ring", ring},           {"halo", halo},           {"master", master},
    {"mixed", mixed},         {"mprobe", mprobe},       {"persistent", persistent},
    {"testsome", testsome},   {"waitany", waitany},     {"many_tags", many_tags},
    {"self", self},           {"cancel", cancel},       {"comms", comms},
    {"intercomm", intercomm}, {"proc_null", proc_null}, {"steps", steps},
    {"marathon", marathon},   {"near", near},           {"odd", odd},
    {"failed", failed},       {"isendrecv", isendrecv}, {"paused", paused},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = 77u + (unsigned)me;
    int found = 0;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (argc > 1 && !strcmp(argv[1], scenarios[i].name)) {
            scenarios[i].run();
            found = 1;
        }
    MPI_Finalize();
    return !found;
}
