#include "gather.h"
#include "abi.h"
#include "patience.h"
#include "say.h"

#include <string.h>
#include <sys/mman.h>

enum { TAG_SIZE = 1, TAG_GO, TAG_IMAGE, TAG_VERDICT, TAG_WITHDRAW };
enum { MPICH_ERRORS_RETURN = 0x54000001 };

static struct {
    int (*dup)(sca_word comm, sca_word *out);
    int (*set_errhandler)(sca_word comm, sca_word handler);
    int (*free)(sca_word *comm);
    int (*bcast)(void *bytes, int n, sca_word type, int root, sca_word comm);
    int (*iallgather)(const void *send, int n, sca_word type, void *receive, int m, sca_word mtype,
                      sca_word comm, sca_word *request);
    int (*ibarrier)(sca_word comm, sca_word *request);
    int (*isend)(const void *bytes, int n, sca_word type, int to, int tag, sca_word comm,
                 sca_word *request);
    int (*irecv)(void *bytes, int n, sca_word type, int from, int tag, sca_word comm,
                 sca_word *request);
    int (*test)(sca_word *request, int *flag, sca_word status);
    int (*iprobe)(int from, int tag, sca_word comm, int *flag, sca_word status);
    int (*cancel)(sca_word *request);
} mpi;

static sca_word comm;
static uint32_t me, ranks;

static const struct {
    const char *name;
    void *slot;
} functions[] = {{"PMPI_Comm_dup", &mpi.dup},
                 {"PMPI_Comm_set_errhandler", &mpi.set_errhandler},
                 {"PMPI_Comm_free", &mpi.free},
                 {"PMPI_Bcast", &mpi.bcast},
                 {"PMPI_Isend", &mpi.isend},
                 {"PMPI_Ibarrier", &mpi.ibarrier},
                 {"PMPI_Iallgather", &mpi.iallgather},
                 {"PMPI_Irecv", &mpi.irecv},
                 {"PMPI_Test", &mpi.test},
                 {"PMPI_Iprobe", &mpi.iprobe},
                 {"PMPI_Cancel", &mpi.cancel}};

static bool bind_functions(void)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = sca_symbol(functions[i].name);
        if (!found)
            return false;
        memcpy(functions[i].slot, &found, sizeof found);
    }
    return true;
}

void *sca_scratch(size_t bytes)
{
    void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* 1 done, 0 not yet, -1 it failed. */
static int done(sca_word *request)
{
    int flag = 0;
    return mpi.test(request, &flag, sca_abi.status_ignore) ? -1 : flag != 0;
}

static bool send(const void *bytes, uint64_t n, int to, int tag, sca_word *request)
{
    *request = 0;
    return !mpi.isend(bytes, (int)n, sca_abi.byte, to, tag, comm, request);
}

static bool receive(void *bytes, uint64_t n, int from, int tag, sca_word *request)
{
    *request = 0;
    return !mpi.irecv(bytes, (int)n, sca_abi.byte, from, tag, comm, request);
}

/* False when it is not done within the limit, or never will be. */
static bool wait_for(sca_word *request, uint32_t rank, double limit)
{
    struct sca_patience p = sca_patience(limit);
    int state = 0;
    for (unsigned turn = 0; !(state = done(request)); sca_pause(&turn))
        if (sca_is_over(&p) || (sca_time_to_look(&p) && sca_is_dead(rank)))
            return false;
    return state > 0;
}

static void give_up(sca_word *request)
{
    mpi.cancel(request);
    wait_for(request, me, 0.1);
}

/* False when not all have taken part in good time: someone has no library, or has given up. */
static bool all_take_part(sca_word *request, double limit)
{
    struct sca_patience p = sca_patience(limit);
    int state = 0;
    for (unsigned turn = 0; !(state = done(request)); sca_pause(&turn))
        if (sca_is_over(&p))
            return done(request) > 0;
    return state > 0;
}

static sca_word errors_return(void)
{
    return sca_abi.wide ? (sca_word)sca_symbol("ompi_mpi_errors_return") : MPICH_ERRORS_RETURN;
}

/* Whoever completes the second step knows that everyone has completed the first, and waits for
 * nobody who gave up there. What was begun cannot be taken back: buffers stay in place. */
enum sca_gather_begun sca_gather_begin(uint32_t rank, uint32_t size, const void *mine,
                                       unsigned length, void *all)
{
    sca_word request = 0;
    me = rank;
    ranks = size;
    comm = 0;
    if (!bind_functions() || mpi.iallgather(mine, (int)length, sca_abi.byte, all, (int)length,
                                            sca_abi.byte, sca_abi.comm_world, &request))
        return SCA_NO_MPI;
    if (!all_take_part(&request, SCA_TAKE_PART_SECONDS))
        return SCA_NOT_ALL;
    request = 0;
    if (mpi.ibarrier(sca_abi.comm_world, &request))
        return SCA_NO_MPI;
    if (!all_take_part(&request, SCA_ARRIVE_SECONDS))
        return SCA_NOT_ALL;
    if (mpi.dup(sca_abi.comm_world, &comm))
        return SCA_NO_MPI;
    mpi.set_errhandler(comm, errors_return());
    return SCA_ALL;
}

int sca_gather_broadcast(void *bytes, unsigned length)
{
    return mpi.bcast(bytes, (int)length, sca_abi.byte, 0, comm) ? -1 : 0;
}

void sca_gather_end(void)
{
    mpi.free(&comm);
}

static uint32_t find_dead(const bool *finished)
{
    for (uint32_t i = 1; i < ranks; i++)
        if (!finished[i] && sca_is_dead(i))
            return i;
    return 0;
}

/* One look at each request that is not done; returns how many that leaves. */
static uint32_t look_at_all(sca_word *requests, bool *finished, uint32_t *waiting)
{
    uint32_t left = 0;
    for (uint32_t i = 1; i < ranks; i++) {
        int state = finished[i] ? 1 : done(&requests[i]);
        finished[i] = state > 0;
        if (state < 0) {
            *waiting = i;
            return UINT32_MAX;
        }
        if (!state) {
            *waiting = i;
            left++;
        }
    }
    return left;
}

/* Until the requests of all ranks but 0 are done. Each that gets done starts the limit anew when
 * `renew` says so. Returns a rank whose request is not done, 0 if there is none. */
static uint32_t complete_all(sca_word *requests, bool *finished, double limit, bool renew)
{
    struct sca_patience p = sca_patience(limit);
    uint32_t left = ranks, waiting = 0, dead;
    for (unsigned turn = 0;; sca_pause(&turn)) {
        uint32_t now = look_at_all(requests, finished, &waiting);
        if (!now)
            return 0;
        if (now == UINT32_MAX || sca_is_over(&p))
            return waiting;
        if (now < left) {
            turn = 0;
            p = renew ? sca_patience(limit) : p;
        } else if (sca_time_to_look(&p) && (dead = find_dead(finished))) {
            return dead;
        }
        left = now;
    }
}

struct collection {
    uint64_t *sizes, *go;
    sca_word *requests, *go_requests;
    bool *finished;
};

static bool make_collection(struct collection *c)
{
    size_t n = ranks;
    uint8_t *memory = sca_scratch(n * (2 * sizeof(uint64_t) + 2 * sizeof(sca_word) + sizeof(bool)));
    if (!memory)
        return false;
    c->sizes = (uint64_t *)memory;
    c->go = c->sizes + n;
    c->requests = (sca_word *)(c->go + n);
    c->go_requests = c->requests + n;
    c->finished = (bool *)(c->go_requests + n);
    return true;
}

static uint32_t await_arrivals(struct collection *c)
{
    for (uint32_t i = 1; i < ranks; i++)
        if (!receive(&c->sizes[i], sizeof c->sizes[i], (int)i, TAG_SIZE, &c->requests[i]))
            return i;
    uint32_t missing = complete_all(c->requests, c->finished, SCA_ARRIVE_SECONDS, false);
    for (uint32_t i = 1; i < ranks; i++) {
        int withdrawn = 0;
        if (!c->finished[i])
            give_up(&c->requests[i]);
        else if (!missing &&
                 !mpi.iprobe((int)i, TAG_WITHDRAW, comm, &withdrawn, sca_abi.status_ignore) &&
                 withdrawn)
            missing = i;
    }
    return missing;
}

/* Everyone hears whether images are wanted; one that comes too late hears it when it comes. */
static void answer_all(struct collection *c, uint64_t go)
{
    for (uint32_t i = 1; i < ranks; i++) {
        c->go[i] = go;
        send(&c->go[i], sizeof c->go[i], (int)i, TAG_GO, &c->go_requests[i]);
    }
}

static uint32_t receive_images(struct collection *c, uint8_t *to, struct sca_gathered *images)
{
    for (uint32_t i = 1; i < ranks; i++) {
        images[i] = (struct sca_gathered){to, c->sizes[i]};
        if (!receive(to, c->sizes[i], (int)i, TAG_IMAGE, &c->requests[i]))
            return i;
        to += c->sizes[i];
    }
    memset(c->finished, 0, ranks * sizeof *c->finished);
    return complete_all(c->requests, c->finished, SCA_SILENCE_SECONDS, true);
}

static enum sca_gather_result collect(struct sca_gathered *images, uint32_t *missing)
{
    struct collection c;
    uint64_t total = 0;
    if (!make_collection(&c))
        return SCA_NO_MEMORY;
    *missing = await_arrivals(&c);
    bool all = images != NULL;
    for (uint32_t i = 1; i < ranks; i++) {
        total += c.sizes[i];
        all &= c.sizes[i] != 0; /* 0: it had no memory for its own */
    }
    uint8_t *memory = *missing || !all ? NULL : sca_scratch(total);
    answer_all(&c, memory != NULL);
    if (*missing)
        return SCA_NOT_ARRIVED;
    if (!memory)
        return SCA_NO_MEMORY;
    *missing = receive_images(&c, memory, images);
    return *missing ? SCA_NO_ANSWER : SCA_GATHERED;
}

/* What is sent must stay in place for as long as the transfer may take: the rest of the run. */
static uint64_t size_sent, go_received, verdict_sent, withdrawal;

static enum sca_gather_result deliver(const void *image, uint64_t length)
{
    sca_word size_request, go_request, image_request, request;
    size_sent = length;
    if (!receive(&go_received, sizeof go_received, 0, TAG_GO, &go_request) ||
        !send(&size_sent, sizeof size_sent, 0, TAG_SIZE, &size_request))
        return SCA_NO_ANSWER;
    if (!wait_for(&go_request, 0, SCA_ARRIVE_SECONDS)) {
        give_up(&go_request);
        send(&withdrawal, sizeof withdrawal, 0, TAG_WITHDRAW, &request);
        return SCA_NOT_ARRIVED;
    }
    if (!go_received)
        return SCA_REFUSED;
    if (!send(image, length, 0, TAG_IMAGE, &image_request) ||
        !wait_for(&image_request, 0, SCA_SILENCE_SECONDS))
        return SCA_NO_ANSWER;
    return SCA_GATHERED;
}

enum sca_gather_result sca_gather_images(const void *image, uint64_t length,
                                         struct sca_gathered *images, uint32_t *missing)
{
    *missing = 0;
    if (me)
        return deliver(image, length);
    if (images)
        images[0] = (struct sca_gathered){image, length};
    return collect(length ? images : NULL, missing);
}

bool sca_gather_verdict(bool written)
{
    sca_word request;
    verdict_sent = written;
    if (me == 0) {
        double end = sca_seconds() + 1;
        for (uint32_t i = 1; i < ranks; i++)
            if (send(&verdict_sent, sizeof verdict_sent, (int)i, TAG_VERDICT, &request))
                wait_for(&request, i, end - sca_seconds());
        return written;
    }
    static uint64_t verdict;
    if (!receive(&verdict, sizeof verdict, 0, TAG_VERDICT, &request))
        return false;
    if (wait_for(&request, 0, SCA_ARRIVE_SECONDS))
        return verdict != 0;
    give_up(&request);
    return false;
}
