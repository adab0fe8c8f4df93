/* Everything at once: rounds of messages drawn by lot, the same lot on every rank, each sent and
 * received in a way drawn by its own rank. And calls that fail, or say nothing. */
#include "traffic.h"
#include <stdlib.h>

enum { COMMS = 3, LIST = 64 };

struct lot {
    int source, destination, tag, comm;
};

struct round {
    MPI_Comm comms[COMMS];
    int rank[COMMS];
    struct lot lots[LIST];
    int wild[COMMS][LIST]; /* how a rank receives on a communicator: 1 any source, 2 any tag */
    int n;
    MPI_Request requests[2 * LIST], persistent[2 * LIST];
    int nrequests, npersistent;
};

static unsigned draw(unsigned n)
{
    static unsigned shared = 99;
    shared = shared * 1103515245u + 12345u;
    return (shared >> 16) % n;
}

static void draw_round(struct round *r)
{
    r->n = size * 2 + (int)draw(8);
    r->nrequests = r->npersistent = 0;
    for (int c = 0; c < COMMS; c++)
        for (int d = 0; d < size; d++)
            r->wild[c][d] = (int)draw(4);
    for (int i = 0; i < r->n; i++)
        r->lots[i] = (struct lot){(int)draw((unsigned)size), (int)draw((unsigned)size),
                                  (int)draw(3), (int)draw(COMMS)};
}

static void keep(struct round *r, MPI_Request request, int persistent)
{
    r->requests[r->nrequests++] = request;
    if (persistent)
        r->persistent[r->npersistent++] = request;
}

static int source_of(const struct round *r, const struct lot *l)
{
    return r->wild[l->comm][l->destination] & 1 ? MPI_ANY_SOURCE : l->source;
}

static int tag_of(const struct round *r, const struct lot *l)
{
    return r->wild[l->comm][l->destination] & 2 ? MPI_ANY_TAG : l->tag;
}

static void post(struct round *r, const struct lot *l)
{
    MPI_Request request;
    MPI_Comm comm = r->comms[l->comm];
    int persistent = dice(3) == 0;
    if (persistent) {
        MPI_Recv_init(buffer(), MOST, MPI_BYTE, source_of(r, l), tag_of(r, l), comm, &request);
        MPI_Startall(1, &request);
    } else {
        MPI_Irecv(buffer(), MOST, MPI_BYTE, source_of(r, l), tag_of(r, l), comm, &request);
    }
    keep(r, request, persistent);
}

static void send_of_type(struct round *r, const struct lot *l, int bytes, int absolute)
{
    char *data = buffer();
    MPI_Aint at;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Get_address(data, &at);
    if (absolute)
        MPI_Type_create_hindexed(1, &bytes, &at, MPI_BYTE, &type);
    else
        MPI_Type_vector(bytes / 4, 4, 8, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Isend(absolute ? MPI_BOTTOM : data, 1, type, l->destination, l->tag, r->comms[l->comm],
              &request);
    MPI_Type_free(&type);
    keep(r, request, 0);
}

static void send(struct round *r, const struct lot *l)
{
    MPI_Request request;
    MPI_Comm comm = r->comms[l->comm];
    int bytes = fresh(), to = l->destination, tag = l->tag, way = (int)dice(9);
    if (way < 2) {
        send_of_type(r, l, bytes, way);
    } else if (way < 5) {
        int (*const ways[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                            MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Ibsend};
        ways[way - 2](buffer(), bytes, MPI_BYTE, to, tag, comm, &request);
        keep(r, request, 0);
    } else if (way < 7) {
        (way == 5 ? MPI_Send_init : MPI_Ssend_init)(buffer(), bytes, MPI_BYTE, to, tag, comm,
                                                    &request);
        MPI_Start(&request);
        keep(r, request, 1);
    } else if (way == 7) {
        MPI_Isend(buffer(), bytes, MPI_BYTE, to, tag, comm, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Bsend(buffer(), bytes, MPI_BYTE, to, tag, comm);
    }
}

/* What has not been posted: received when it comes. */
static void receive(struct round *r, const struct lot *l)
{
    MPI_Comm comm = r->comms[l->comm];
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    int way = (int)dice(3);
    if (way == 0) {
        MPI_Recv(buffer(), MOST, MPI_BYTE, source_of(r, l), tag_of(r, l), comm, &status);
    } else if (way == 1) {
        MPI_Probe(source_of(r, l), tag_of(r, l), comm, &status);
        MPI_Recv(buffer(), MOST, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm,
                 MPI_STATUS_IGNORE);
    } else {
        MPI_Mprobe(source_of(r, l), tag_of(r, l), comm, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(buffer(), MOST, MPI_BYTE, &message, &request);
        keep(r, request, 0);
    }
}

/* Null requests stand between the others. */
static void complete(struct round *r)
{
    MPI_Request all[4 * LIST];
    int n = 0, done, indices[4 * LIST], way = (int)dice(4);
    for (int i = 0; i < r->nrequests; i++) {
        if (dice(3) == 0)
            all[n++] = MPI_REQUEST_NULL;
        all[n++] = r->requests[i];
    }
    if (way == 0)
        MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
    else if (way == 1)
        for (int left = r->nrequests; left > 0; left -= done)
            MPI_Waitsome(n, all, &done, indices, MPI_STATUSES_IGNORE);
    else if (way == 2)
        for (int left = r->nrequests; left > 0; left--)
            MPI_Waitany(n, all, &done, MPI_STATUS_IGNORE);
    else
        for (int left = r->nrequests; left > 0; left -= done)
            MPI_Testsome(n, all, &done, indices, MPI_STATUSES_IGNORE);
    for (int i = 0; i < r->npersistent; i++)
        MPI_Request_free(&r->persistent[i]);
}

static void run_round(struct round *r)
{
    int late[LIST] = {0};
    draw_round(r);
    for (int i = 0; i < r->n; i++)
        if (r->lots[i].destination == r->rank[r->lots[i].comm]) {
            late[i] = r->lots[i].source != r->lots[i].destination && dice(3) == 0;
            if (!late[i])
                post(r, &r->lots[i]);
        }
    for (int i = 0; i < r->n; i++)
        if (r->lots[i].source == r->rank[r->lots[i].comm])
            send(r, &r->lots[i]);
    for (int i = 0; i < r->n; i++)
        if (late[i])
            receive(r, &r->lots[i]);
    complete(r);
    MPI_Barrier(MPI_COMM_WORLD); /* no wildcard takes the next round's */
}

void odd(void)
{
    static struct round r;
    int bytes = 1 << 24;
    void *space = malloc((size_t)bytes);
    MPI_Buffer_attach(space, bytes);
    r.comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &r.comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &r.comms[2]);
    for (int c = 0; c < COMMS; c++)
        MPI_Comm_rank(r.comms[c], &r.rank[c]);
    for (int i = 0; i < 40; i++)
        run_round(&r);
    MPI_Buffer_detach(&space, &bytes);
    MPI_Comm_free(&r.comms[1]);
    MPI_Comm_free(&r.comms[2]);
    free(space);
}

/* Some messages are too long for rank 0's receive: gone, and the next ones are others. */
void failed(void)
{
    int left = (me + size - 1) % size, right = (me + 1) % size;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 60; i++)
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, right, i % 3, buffer(),
                     !me && i % 10 == 5 ? 1 : MOST, MPI_BYTE, left, i % 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

/* The one status that MPICH leaves empty; what follows on the channel has its name. */
void isendrecv(void)
{
#if MPI_VERSION >= 4
    int left = (me + size - 1) % size, right = (me + 1) % size;
    for (int i = 0; i < 60; i++) {
        MPI_Request request;
        if (i % 3 == 0) {
            MPI_Isendrecv(buffer(), fresh(), MPI_BYTE, right, 1, buffer(), MOST, MPI_BYTE, left, 1,
                          MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, right, 1, buffer(), MOST, MPI_BYTE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#endif
}

/* One rank alone pauses the recording: what it sends, receives and makes meanwhile still counts. */
void paused(void)
{
    int left = (me + size - 1) % size, right = (me + 1) % size;
    for (int i = 0; i < 100; i++) {
        MPI_Comm comm = MPI_COMM_WORLD;
        if (!me && (i == 30 || i == 40))
            MPI_Pcontrol(i == 40);
        if (i == 35 || i == 70)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, right, 1, buffer(), MOST, MPI_BYTE, left, 1, comm,
                     MPI_STATUS_IGNORE);
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
}
