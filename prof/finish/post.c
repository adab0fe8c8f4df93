#include "finish/post.h"
#include "mpi/abi.h"
#include "base/patience.h"

#include <string.h>
#include <sys/mman.h>

static struct {
    int (*dup)(sca_word comm, sca_word *out);
    int (*set_errhandler)(sca_word comm, sca_word handler);
    int (*free)(sca_word *comm);
    int (*bcast)(void *bytes, int n, sca_word type, int root, sca_word comm);
    int (*iallreduce)(sca_word send, void *receive, int n, sca_word type, sca_word operation,
                      sca_word comm, sca_word *request);
    int (*isend)(const void *bytes, int n, sca_word type, int to, int tag, sca_word comm,
                 sca_word *request);
    int (*issend)(const void *bytes, int n, sca_word type, int to, int tag, sca_word comm,
                  sca_word *request);
    int (*irecv)(void *bytes, int n, sca_word type, int from, int tag, sca_word comm,
                 sca_word *request);
    int (*test)(sca_word *request, int *flag, sca_word status);
    int (*iprobe)(int from, int tag, sca_word comm, int *flag, sca_word status);
    int (*cancel)(sca_word *request);
} mpi;

static sca_word comm;
static uint32_t me;

static const struct {
    const char *name;
    void *slot;
} functions[] = {{"PMPI_Comm_dup", &mpi.dup},
                 {"PMPI_Comm_set_errhandler", &mpi.set_errhandler},
                 {"PMPI_Comm_free", &mpi.free},
                 {"PMPI_Bcast", &mpi.bcast},
                 {"PMPI_Isend", &mpi.isend},
                 {"PMPI_Issend", &mpi.issend},
                 {"PMPI_Iallreduce", &mpi.iallreduce},
                 {"PMPI_Irecv", &mpi.irecv},
                 {"PMPI_Test", &mpi.test},
                 {"PMPI_Iprobe", &mpi.iprobe},
                 {"PMPI_Cancel", &mpi.cancel}};

static bool bind_functions(void)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = sca_symbols_find(functions[i].name);
        if (!found)
            return false;
        memcpy(functions[i].slot, &found, sizeof found);
    }
    return true;
}

void *sca_scratch(size_t bytes)
{
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, kind, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int sca_post_done(sca_word *request)
{
    int flag = 0;
    return mpi.test(request, &flag, sca_abi.status_ignore) ? -1 : flag != 0;
}

bool sca_post_send(const void *bytes, uint64_t n, uint32_t to, enum sca_post_tag tag,
                   sca_word *request)
{
    *request = 0;
    return !mpi.isend(bytes, (int)n, sca_abi.byte, (int)to, tag, comm, request);
}

bool sca_post_send_matched(const void *bytes, uint64_t n, uint32_t to, enum sca_post_tag tag,
                           sca_word *request)
{
    *request = 0;
    return !mpi.issend(bytes, (int)n, sca_abi.byte, (int)to, tag, comm, request);
}

bool sca_post_receive(void *bytes, uint64_t n, uint32_t from, enum sca_post_tag tag,
                      sca_word *request)
{
    *request = 0;
    return !mpi.irecv(bytes, (int)n, sca_abi.byte, (int)from, tag, comm, request);
}

bool sca_post_wait(sca_word *request, uint32_t rank, double limit)
{
    struct sca_patience p = sca_patience_begin(limit);
    int state = 0;
    for (unsigned turn = 0; !(state = sca_post_done(request)); sca_patience_pause(&turn))
        if (sca_patience_is_over(&p) || (sca_patience_looks(&p) && sca_patience_is_dead(rank)))
            return false;
    return state > 0;
}

bool sca_post_is_there(uint32_t from, enum sca_post_tag tag)
{
    int flag = 0;
    return !mpi.iprobe((int)from, tag, comm, &flag, sca_abi.status_ignore) && flag;
}

void sca_post_give_up(sca_word *request)
{
    mpi.cancel(request);
    sca_post_wait(request, me, 0.1);
}

/* False when not all have taken part in good time: someone has no library, or has given up. */
static bool all_take_part(sca_word *request, double limit)
{
    struct sca_patience p = sca_patience_begin(limit);
    int state = 0;
    for (unsigned turn = 0; !(state = sca_post_done(request)); sca_patience_pause(&turn))
        if (sca_patience_is_over(&p))
            return sca_post_done(request) > 0;
    return state > 0;
}

/* Ors together what all ranks have at `bytes`. Along a tree: an MPI library keeps buffers for every
 * rank that another one talks to (40 KB in Open MPI: 7 MB where all talk to one, among 128). */
static enum sca_post_begun or_together(void *bytes, int length, double limit)
{
    sca_word request = 0;
    if (mpi.iallreduce(sca_abi.in_place, bytes, length, sca_abi.byte, sca_abi.bitwise_or,
                       sca_abi.comm_world, &request))
        return SCA_NO_MPI;
    return all_take_part(&request, limit) ? SCA_ALL : SCA_NOT_ALL;
}

/* Whoever completes the second step knows that everyone has completed the first, and waits for
 * nobody who gave up there. What was begun cannot be taken back: buffers stay in place. */
enum sca_post_begun sca_post_begin(uint32_t rank, uint32_t size, unsigned length, void *all)
{
    static uint8_t nothing;
    me = rank;
    comm = 0;
    if (!bind_functions())
        return SCA_NO_MPI;
    enum sca_post_begun begun = or_together(all, (int)(length * size), SCA_TAKE_PART_SECONDS);
    if (begun == SCA_ALL)
        begun = or_together(&nothing, 1, SCA_ARRIVE_SECONDS);
    if (begun != SCA_ALL)
        return begun;
    if (mpi.dup(sca_abi.comm_world, &comm))
        return SCA_NO_MPI;
    mpi.set_errhandler(comm, sca_abi.errors_return);
    return SCA_ALL;
}

int sca_post_broadcast(void *bytes, unsigned length)
{
    return mpi.bcast(bytes, (int)length, sca_abi.byte, 0, comm) ? -1 : 0;
}

sca_word sca_post_comm(void)
{
    return comm;
}

void sca_post_end(void)
{
    if (comm)
        mpi.free(&comm);
    comm = 0;
}
