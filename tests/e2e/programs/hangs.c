/*
 * Programs that hang, and some that only seem to: hangs KIND [SECONDS].
 *
 * deadlock    two ranks receive from each other, the others wait for them at a barrier
 * pairs       two ranks receive from each other, and so do the other two
 * ring        every rank sends a large message to the next one before it receives
 * absent      rank 1 computes and never comes to the collective of the others, who wait in a chain
 * spins       rank 1 goes through 20 rounds like all others, and computes for ever in the next
 * mismatch    rank 0 calls MPI_Bcast, the others MPI_Reduce
 * requests    rank 0 waits for messages of all others, of whom rank 2 never sends
 * subgroup    rank 1 is late for a collective of a part of the ranks, the rest wait at a barrier
 * wildcard    rank 0 receives from anybody, while nobody sends
 * tag         rank 3 receives tag 7 of rank 1, which sends tag 8 and comes to the barrier
 * tags        the same in a halo exchange that ends in MPI_Waitall
 * neighbour   rank 2 of a ring waits once for a message of the rank that it sends to
 * eager       rank 0 waits in MPI_Sendrecv for rank 2 alone, who computes
 * fence       rank 1 computes and never comes to the fence of the others
 * epoch       rank 0 waits for the end of an epoch, of which rank 2 is in a barrier
 * finalize    rank 1 waits for a message, all others have come to MPI_Finalize
 * leaves      rank 2 calls exit()
 * order       half of the ranks use two communicators in another order
 * stops       rank 1 is stopped by a signal
 * sleeps      rank 1 waits for a signal
 * roots       rank 3 has another root than the others
 * root_left   rank 2 has another root, once roots have changed, and the others have left that call
 * locks       two threads of rank 1 take two locks in different orders
 * other_locks the same of a read-write lock and a mutex of C11
 * lock_and_receive  ranks 0 and 1 receive with a lock that the threads who send wait for
 * mutexes     long waits for mutexes of all kinds
 * polls       rank 2 computes, and looks for a message at times; the others only look
 * counts      rank 1 sends a row less than the others in one of its steps; a sum in every second
 * one compute     all ranks compute phases      40 iterations in a phase of the program's own, then
 * a deadlock in another uneven      a loop of iterations, in which rank 1 does three times the
 * work; ends, too, once there is a file `enough`
 */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static int rank, size;
static double seconds = 60;
static volatile double sink;

static void work(double s)
{
    double end = MPI_Wtime() + s;
    while (MPI_Wtime() < end)
        for (int i = 0; i < 1000; i++)
            sink += 1.0 / (i + 1);
}

static void crunch(int rounds)
{
    for (int r = 0; r < rounds; r++) /* line: crunch */
        for (int i = 0; i < 1000; i++)
            sink += 1.0 / (i + 1);
}

static void deadlock(void)
{
    int x = 0;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line: zero */
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line: one */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void pairs(void)
{
    int x = 0, other = rank ^ 1;
    MPI_Recv(&x, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line: pair */
}

static void phases(void)
{
    MPI_Pcontrol(3);
    for (int i = 0, sum; i < 40; i++) {
        crunch(rank == 1 ? 30 : 10);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Pcontrol(4);
    deadlock();
}

static void ring(void)
{
    int n = 1 << 20;
    char *out = calloc(1, n), *in = calloc(1, n);
    MPI_Send(out, n, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD); /* line: send */
    MPI_Recv(in, n, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(out);
    free(in);
}

static void absent(void)
{
    int x = 0;
    if (rank == 1)
        crunch(1 << 30); /* line: absent */
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void spins(void)
{
    for (int round = 0, x = 0; round < 100; round++) {
        crunch(1000);
        while (rank == 1 && round == 20) /* line: spins */
            sink *= 1 - 1e-9;
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line: behind */
    }
}

static void mismatch(void)
{
    int x = rank, y = 0;
    if (rank == 0)
        MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD); /* line: bcast */
    else
        MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* line: reduce */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void requests(void)
{
    int x[64] = {0};
    MPI_Request r[64];
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i, 5, MPI_COMM_WORLD, &r[i]);
        MPI_Waitall(size - 1, r + 1, MPI_STATUSES_IGNORE); /* line: waitall */
    } else if (rank != 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    if (rank == 2)
        crunch(1 << 30); /* line: never */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void polls(void)
{
    int x, there = 0;
    MPI_Request r = MPI_REQUEST_NULL;
    if (rank == 3)
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
    else if (rank != 1)
        MPI_Irecv(&x, 1, MPI_INT, rank ? 3 : 1, 6, MPI_COMM_WORLD, &r);
    while (!there)
        if (rank == 1)
            MPI_Iprobe(2, 6, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* line: probe */
        else if (rank == 3)
            MPI_Testall(1, &r, &there, MPI_STATUSES_IGNORE); /* line: testall */
        else if (rank == 0)
            MPI_Test(&r, &there, MPI_STATUS_IGNORE); /* line: test */
        else {
            crunch(1000); /* line: pieces */
            MPI_Testany(1, &r, &x, &there, MPI_STATUS_IGNORE);
        }
}

static void subgroup(void)
{
    MPI_Comm part;
    int x = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &part);
    if (rank == 1)
        crunch(1 << 30); /* line: late */
    if (rank < 2)
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, part);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&part);
}

static void wildcard(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    int x = 0;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, world, MPI_STATUS_IGNORE); /* line: any */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void tag(void)
{
    int x = 0;
    if (rank == 3)
        MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line: seven */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 3, 8, MPI_COMM_WORLD); /* line: eight */
    MPI_Barrier(MPI_COMM_WORLD);
}

/* After twenty rounds rank 2 waits for the wrong side. */
static void neighbour(void)
{
    for (int i = 0; i < 50; i++) {
        int x = i, y, from = i == 20 && rank == 2 ? 3 : (rank + size - 1) % size;
        MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 4, /* line: neighbour */
                     &y, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 1 sends one of its messages to the right with another tag than rank 2 receives it by. */
static void tags(void)
{
    int in[2], out[2] = {0}, left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 5; i++) {
        MPI_Request r[4];
        MPI_Status s[4];
        MPI_Irecv(&in[0], 1, MPI_INT, left, 10, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, right, 20, MPI_COMM_WORLD, &r[1]);
        int to_right = i == 3 && rank == 1 ? 11 : 10;
        MPI_Isend(&out[0], 1, MPI_INT, right, to_right, MPI_COMM_WORLD, &r[2]); /* line: eleven */
        MPI_Isend(&out[1], 1, MPI_INT, left, 20, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, s); /* line: tags */
    }
}

/* What rank 0 sends to rank 1 is there at once: it waits for rank 2 alone. */
static void eager(void)
{
    int x = 0, y = 0, z = 0;
    MPI_Request r;
    if (rank == 1)
        MPI_Irecv(&y, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &r);
    if (rank == 2)
        crunch(1 << 30);
    if (rank == 0)
        MPI_Sendrecv(&x, 1, MPI_INT, 1, 6, &z, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* Rank 2 leaves the program, the others go on. */
static void leaves(void)
{
    MPI_Barrier(MPI_COMM_WORLD); /* line: before */
    if (rank == 2)
        exit(1); /* line: leaves */
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Half of the ranks use two communicators in another order. */
static void order(void)
{
    MPI_Comm first_dup, second_dup;
    int x = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &first_dup);
    MPI_Comm_dup(MPI_COMM_WORLD, &second_dup);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, /* line: order */
                  rank < 2 ? first_dup : second_dup);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, rank < 2 ? second_dup : first_dup);
}

/* Rank 1 is stopped, or sleeps. */
static void stops(void)
{
    if (rank == 1)
        raise(SIGSTOP);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sleeps(void)
{
    if (rank == 1)
        pause();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void roots(void)
{
    int x = rank, y[64];
    MPI_Gather(&x, 1, MPI_INT, y, 1, MPI_INT, rank == 3, MPI_COMM_WORLD); /* line: roots */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void root_left(void)
{
    int x = rank;
    for (int root = 0; root < 3; root++)
        MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, rank == 2, MPI_COMM_WORLD); /* line: root_left */
    MPI_Barrier(MPI_COMM_WORLD);
}

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *other_order(void *unused)
{
    pthread_mutex_lock(&second); /* line: second taken */
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first); /* line: first wanted */
    return unused;
}

/* Two threads of rank 1 take two locks in different orders. */
static void locks(void)
{
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    if (rank == 1) {
        pthread_create(&thread, NULL, other_order, NULL);
        pthread_mutex_lock(&first); /* line: first taken */
        pthread_barrier_wait(&both);
        pthread_mutex_lock(&second); /* line: second wanted */
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t c11;

static void *reader(void *unused)
{
    mtx_lock(&c11); /* line: c11 taken */
    pthread_barrier_wait(&both);
    pthread_rwlock_rdlock(&table); /* line: to read */
    return unused;
}

static void other_locks(void)
{
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    mtx_init(&c11, mtx_plain);
    if (rank == 1) {
        pthread_create(&thread, NULL, reader, NULL);
        pthread_rwlock_wrlock(&table); /* line: written */
        pthread_barrier_wait(&both);
        mtx_lock(&c11); /* line: c11 wanted */
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *sender(void *unused)
{
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first); /* line: to send */
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % 2, 9, MPI_COMM_WORLD);
    pthread_mutex_unlock(&first);
    return unused;
}

/* Ranks 0 and 1 receive with a lock that the thread waits for who sends. */
static void lock_and_receive(void)
{
    int x;
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    if (rank < 2) {
        pthread_create(&thread, NULL, sender, NULL);
        pthread_mutex_lock(&first); /* line: to receive */
        pthread_barrier_wait(&both);
        MPI_Recv(&x, 1, MPI_INT, (rank + 1) % 2, 9, MPI_COMM_WORLD, /* line: locked */
                 MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&first);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A mutex of one kind that a thread has for more than a second, and one whose holder ends. */
struct held {
    int number;
    pthread_mutex_t mutex, robust;
    pthread_barrier_t taken;
    char said[64];
};

static void *hold(void *argument)
{
    struct held *h = argument;
    pthread_mutex_lock(&h->mutex);
    pthread_mutex_lock(&h->robust);
    pthread_barrier_wait(&h->taken);
    usleep(1300000);
    pthread_mutex_unlock(&h->mutex);
    return NULL;
}

static void make(struct held *h, int kind, int protocol)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutex_init(&h->mutex, &attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&h->robust, &attributes);
    pthread_barrier_init(&h->taken, NULL, 2);
}

static void *wait_for_holder(void *argument)
{
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};
    struct held *h = argument;
    int kind = kinds[h->number / 2], again = -1;
    pthread_t holder;
    make(h, kind, h->number % 2 ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE);
    pthread_create(&holder, NULL, hold, h);
    pthread_barrier_wait(&h->taken);
    int died = pthread_mutex_lock(&h->robust), result = pthread_mutex_lock(&h->mutex);
    pthread_join(holder, NULL);
    if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK)
        again = pthread_mutex_lock(&h->mutex);
    sprintf(h->said, "mutex %d: %d %d %d", h->number, result, died == EOWNERDEAD, again == EDEADLK);
    return NULL;
}

/* Long waits for mutexes of all kinds: results are those without any tool. */
static void mutexes(void)
{
    enum { KINDS = 8 };
    static struct held held[KINDS];
    pthread_t waits[KINDS];
    for (int i = 0; i < KINDS; i++) {
        held[i].number = i;
        pthread_create(&waits[i], NULL, wait_for_holder, &held[i]);
    }
    for (int i = 0; i < KINDS; i++) {
        pthread_join(waits[i], NULL);
        puts(held[i].said);
    }
}

static void fence(void)
{
    int x = 0;
    MPI_Win window;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 1)
        crunch(1 << 30);
    MPI_Win_fence(0, window); /* line: fence */
    MPI_Win_free(&window);
}

static void epoch(void)
{
    int x = 0, origins[] = {1, 2}, target = 0;
    MPI_Win window;
    MPI_Group all, part;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, rank ? 1 : 2, rank ? &target : origins, &part);
    if (rank == 0)
        MPI_Win_post(part, 0, window);
    if (rank == 1 || rank == 2)
        MPI_Win_start(part, 0, window);
    if (rank == 1)
        MPI_Win_complete(window);
    if (rank == 0)
        MPI_Win_wait(window); /* line: epoch */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void finalize(void)
{
    int x = 0;
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line: last */
}

static void compute(void)
{
    work(seconds);
}

static void counts(void)
{
    enum { ROWS = 10, STEPS = 12, WRONG = 8 };
    for (int step = 0; step < STEPS; step++) {
        int in, sum, next = (rank + 1) % size, before = (rank + size - 1) % size;
        for (int i = rank == 1 && step == WRONG; i < ROWS; i++)
            MPI_Send(&i, 1, MPI_INT, next, 1, MPI_COMM_WORLD); /* line: row */
        for (int i = 0; i < ROWS; i++)
            MPI_Recv(&in, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (step % 2)
            MPI_Allreduce(&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line: sum */
    }
}

static void uneven(void)
{
    double end = MPI_Wtime() + seconds;
    for (int more = 1; more;) {
        crunch(rank == 1 ? 3000 : 1000); /* line: uneven */
        int mine = MPI_Wtime() < end && access("enough", F_OK);
        MPI_Allreduce(&mine, &more, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"deadlock", deadlock},   {"pairs", pairs},
                 {"ring", ring},           {"absent", absent},
                 {"mismatch", mismatch},   {"spins", spins},
                 {"requests", requests},   {"subgroup", subgroup},
                 {"wildcard", wildcard},   {"finalize", finalize},
                 {"compute", compute},     {"tag", tag},
                 {"fence", fence},         {"epoch", epoch},
                 {"uneven", uneven},       {"phases", phases},
                 {"neighbour", neighbour}, {"tags", tags},
                 {"eager", eager},         {"leaves", leaves},
                 {"roots", roots},         {"order", order},
                 {"stops", stops},         {"sleeps", sleeps},
                 {"locks", locks},         {"lock_and_receive", lock_and_receive},
                 {"mutexes", mutexes},     {"other_locks", other_locks},
                 {"polls", polls},         {"counts", counts},
                 {"root_left", root_left}};
    int threads;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2)
        seconds = atof(argv[2]);
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(argv[1], kinds[i].name))
            kinds[i].run();
    MPI_Finalize();
    return 0;
}
