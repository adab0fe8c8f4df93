/*
 * MPI-4's sessions: programs that never call MPI_Init. Opening a session is local, so the run
 * begins where ranks meet: in the MPI_Comm_create_from_group that makes the first communicator of
 * all processes. It ends before the last open session does.
 */
#include "mpi/abi.h"
#include "calls/activity.h"
#include "calls/comm_new.h"
#include "run/annotations.h"
#include "run/life.h"
#include "run/special.h"

#include <string.h>

/* One call: recorded, or one of those that come before the run. Nested ones are neither. */
struct bracket {
    struct sca_call *call; /* NULL: not recorded */
    bool outer, early;
};

static int open_sessions; /* of the program's */
static sca_word session;  /* any of them */
static bool begun_here;

static void enter(struct bracket *b, unsigned function, const void *return_address, const void *cfa)
{
    b->outer = !sca_thread.in_mpi;
    b->early = b->outer && sca_life_has_not_begun();
    b->call = b->early ? NULL : sca_activity_enter(function, return_address, cfa);
    if (b->early)
        sca_life_enter_init();
}

static void came_back(struct bracket *b)
{
    if (b->early)
        sca_life_leave_init();
    if (b->call)
        sca_activity_exit(b->call);
}

static void leave(struct bracket *b)
{
    if (b->call)
        sca_activity_leave(b->call);
}

static void opened(const struct bracket *b, bool ok, sca_word address, int fortran)
{
    if (!ok || !b->outer)
        return;
    __atomic_fetch_add(&open_sessions, 1, __ATOMIC_SEQ_CST);
    if (b->early && !sca_abi_select())
        session = sca_abi_session_at(address, fortran);
}

static void closing(const void *return_address, const void *cfa)
{
    bool last = __atomic_sub_fetch(&open_sessions, 1, __ATOMIC_SEQ_CST) == 0;
    if (last && begun_here)
        sca_life_end(return_address, cfa);
}

/* Of all processes, or -1. */
static int processes(void)
{
    int (*group_of)(sca_word, const char *, sca_word *) = NULL;
    void *found = sca_symbols_find("PMPI_Group_from_session_pset");
    sca_word group = 0;
    int size = -1;
    memcpy(&group_of, &found, sizeof found);
    if (!group_of || group_of(session, "mpi://WORLD", &group))
        return -1;
    sca_mpi.group_size(group, &size);
    sca_mpi.group_free(&group);
    return size;
}

static bool has_everyone(sca_word comm)
{
    int size = 0;
    return comm != sca_abi.comm_null && !sca_mpi.comm_size(comm, &size) && size == processes();
}

static void made(struct bracket *b, const char *text, size_t length, sca_word address, int fortran)
{
    if (b->early && open_sessions > 0 && !sca_abi_select() &&
        has_everyone(sca_abi_comm_at(address, fortran))) {
        begun_here = true;
        sca_life_begin_on(sca_abi_comm_at(address, fortran));
        sca_annotations_bind();
    }
    if (b->call || (b->early && begun_here && sca_life_is_running()))
        sca_comm_new_set(b->call, text, length, address, fortran);
}

SCA_ENTRY sca_word MPI_Session_init(sca_word info, sca_word handler, sca_word address)
{
    struct bracket b;
    enter(&b, SCA_FN_Session_init, SCA_CALLER);
    sca_word result = ((sca_call3)SCA_REAL(SCA_FN_Session_init))(info, handler, address);
    came_back(&b);
    opened(&b, !(int32_t)result, address, 0);
    leave(&b);
    return result;
}

SCA_ENTRY sca_word MPI_Comm_create_from_group(sca_word group, sca_word tag, sca_word info,
                                              sca_word handler, sca_word address)
{
    struct bracket b;
    enter(&b, SCA_FN_Comm_create_from_group, SCA_CALLER);
    sca_word result =
        ((sca_call5)SCA_REAL(SCA_FN_Comm_create_from_group))(group, tag, info, handler, address);
    came_back(&b);
    if (!(int32_t)result)
        made(&b, (const char *)tag, strlen((const char *)tag), address, 0);
    leave(&b);
    return result;
}

SCA_ENTRY sca_word MPI_Session_finalize(sca_word address)
{
    struct bracket b;
    if (!sca_thread.in_mpi)
        closing(SCA_CALLER);
    enter(&b, SCA_FN_Session_finalize, SCA_CALLER);
    sca_word result = ((sca_call1)SCA_REAL(SCA_FN_Session_finalize))(address);
    came_back(&b);
    leave(&b);
    return result;
}

SCA_PMPI(Session_init, sca_call3, (sca_word info, sca_word handler, sca_word address), info,
         handler, address)
SCA_PMPI(Comm_create_from_group, sca_call5,
         (sca_word group, sca_word tag, sca_word info, sca_word handler, sca_word address), group,
         tag, info, handler, address)
SCA_PMPI(Session_finalize, sca_call1, (sca_word address), address)

static void fortran_init(unsigned entry, sca_word info, sca_word handler, sca_word address,
                         sca_word ierror)
{
    struct bracket b;
    enter(&b, SCA_FN_Session_init, SCA_CALLER);
    ((sca_call4)SCA_REAL_FORTRAN(entry))(info, handler, address, ierror);
    came_back(&b);
    opened(&b, sca_abi_fortran_ok(ierror), address, 1);
    leave(&b);
}

/* Its tag's length comes last. */
static void fortran_create(unsigned entry, sca_word group, sca_word tag, sca_word info,
                           sca_word handler, sca_word address, sca_word ierror, sca_word length)
{
    struct bracket b;
    enter(&b, SCA_FN_Comm_create_from_group, SCA_CALLER);
    ((sca_call7)SCA_REAL_FORTRAN(entry))(group, tag, info, handler, address, ierror, length);
    came_back(&b);
    if (sca_abi_fortran_ok(ierror))
        made(&b, (const char *)tag, (size_t)length, address, 1);
    leave(&b);
}

static void fortran_finalize(unsigned entry, sca_word address, sca_word ierror)
{
    struct bracket b;
    if (!sca_thread.in_mpi)
        closing(SCA_CALLER);
    enter(&b, SCA_FN_Session_finalize, SCA_CALLER);
    ((sca_call2)SCA_REAL_FORTRAN(entry))(address, ierror);
    came_back(&b);
    leave(&b);
}

SCA_SPELLINGS(SESSION_INIT, session_init, fortran_init, Session_init,
              (sca_word i, sca_word h, sca_word s, sca_word e), i, h, s, e)
SCA_SPELLINGS(COMM_CREATE_FROM_GROUP, comm_create_from_group, fortran_create,
              Comm_create_from_group,
              (sca_word g, sca_word t, sca_word i, sca_word h, sca_word c, sca_word e, sca_word n),
              g, t, i, h, c, e, n)
SCA_SPELLINGS(SESSION_FINALIZE, session_finalize, fortran_finalize, Session_finalize,
              (sca_word s, sca_word e), s, e)
