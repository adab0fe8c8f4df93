/*
 * Ranks that wait for ranks of another MPI_COMM_WORLD: worlds MODE [STEPS]. In each step the ranks
 * that are started by mpirun compute one unit, and those that they start compute three, one after
 * the other: whichever world computes, the other waits. Modes: spawn (messages), multiple
 * (MPI_Comm_spawn_multiple, probes), merged (messages and collectives on a merged
 * intra-communicator), collective (on the inter-communicator), port (the two meet at a port), join
 * (by a socket; one rank each). A mode may name another program
 * to start: spawn:PROGRAM.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MASTER, WORKER, UNIT = 1500000 };
static int role, rank, size, steps = 40;
static const char *mode, *program;

static void compute(long units)
{
    volatile double x = 1;
    for (long i = 0; i < units * UNIT; i++)
        x = x * 1.0000001 + 1e-9;
}

/* Who answers computes three times as long as who asks. */
static void ask(MPI_Comm other, int peer)
{
    for (int s = 0; s < steps; s++) {
        compute(1);
        MPI_Send(&s, 1, MPI_INT, peer, 5, other);
        MPI_Recv(&s, 1, MPI_INT, peer, 6, other, MPI_STATUS_IGNORE);
    }
}

static void answer(MPI_Comm other, int peer, int probes)
{
    for (int s = 0; s < steps; s++) {
        if (probes)
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);
        MPI_Recv(&s, 1, MPI_INT, peer, 5, other, MPI_STATUS_IGNORE);
        compute(3);
        MPI_Send(&s, 1, MPI_INT, peer, 6, other);
    }
}

static void exchange(MPI_Comm other, int peer)
{
    if (role == MASTER)
        ask(other, peer);
    else
        answer(other, peer, !strcmp(mode, "multiple"));
}

/* Masters are the lower ranks. */
static void merged(MPI_Comm between)
{
    MPI_Comm all;
    int sum, one = 1, total;
    MPI_Intercomm_merge(between, role == WORKER, &all);
    MPI_Comm_size(all, &total);
    exchange(all, role == MASTER ? size + rank : rank);
    for (int s = 0; s < steps; s++) {
        compute(role == MASTER ? 1 : 3);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
        if (sum != total)
            MPI_Abort(MPI_COMM_WORLD, 9);
    }
    MPI_Comm_free(&all);
}

static void collective(MPI_Comm between)
{
    int value = 7, root = role == MASTER ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    for (int s = 0; s < steps; s++) {
        compute(role == MASTER ? 1 : 3);
        MPI_Barrier(between);
        MPI_Bcast(&value, 1, MPI_INT, root, between);
    }
}

static MPI_Comm start(void)
{
    MPI_Comm kids;
    char count[16];
    snprintf(count, sizeof count, "%d", steps);
    char *args[] = {(char *)mode, count, NULL}, *commands[] = {(char *)program, (char *)program},
         **both[] = {args, args};
    int ones[] = {size > 1 ? size - 1 : 1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    if (!strcmp(mode, "multiple"))
        MPI_Comm_spawn_multiple(size > 1 ? 2 : 1, commands, both, ones, infos, 0, MPI_COMM_WORLD,
                                &kids, MPI_ERRCODES_IGNORE);
    else
        MPI_Comm_spawn(program, args, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &kids,
                       MPI_ERRCODES_IGNORE);
    return kids;
}

/* The two part, and meet again at a port, whose name was told before. */
static MPI_Comm meet_again(MPI_Comm between)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm met;
    if (role == MASTER && rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 1, between);
    } else if (role == WORKER && rank == 0) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 1, between, MPI_STATUS_IGNORE);
    }
    if (role == MASTER)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
    if (role == MASTER && rank == 0)
        MPI_Close_port(port);
    return met;
}

static int listen_at(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1) ||
        getsockname(fd, (struct sockaddr *)&at, &length))
        MPI_Abort(MPI_COMM_WORLD, 8);
    *port = ntohs(at.sin_port);
    return fd;
}

static MPI_Comm joined(MPI_Comm between)
{
    MPI_Comm met;
    int port, fd;
    if (role == MASTER) {
        int listener = listen_at(&port);
        MPI_Send(&port, 1, MPI_INT, 0, 1, between);
        fd = accept(listener, NULL, NULL);
    } else {
        MPI_Recv(&port, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
        struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&to, sizeof to))
            MPI_Abort(MPI_COMM_WORLD, 8);
    }
    MPI_Comm_join(fd, &met);
    close(fd);
    return met;
}

static void work(MPI_Comm between)
{
    MPI_Comm met = MPI_COMM_NULL;
    if (!strcmp(mode, "merged"))
        merged(between);
    else if (!strcmp(mode, "collective"))
        collective(between);
    else if (!strcmp(mode, "port"))
        met = meet_again(between);
    else if (!strcmp(mode, "join"))
        met = joined(between);
    else
        exchange(between, rank);
    if (met != MPI_COMM_NULL) {
        exchange(met, rank);
        MPI_Comm_disconnect(&met);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent, between;
    MPI_Init(&argc, &argv);
    mode = argc > 1 ? argv[1] : "spawn";
    program = argv[0];
    if (!strncmp(mode, "spawn:", strlen("spawn:"))) {
        program = mode + strlen("spawn:");
        mode = "spawn";
    }
    steps = argc > 2 ? atoi(argv[2]) : steps;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    role = parent == MPI_COMM_NULL ? MASTER : WORKER;
    between = role == MASTER ? start() : parent;
    work(between);
    MPI_Comm_disconnect(&between);
    MPI_Finalize();
    if (role == MASTER && rank == 0)
        puts("done");
    return 0;
}
