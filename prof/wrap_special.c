/*
 * The calls that begin, end or pause a run. Fortran's entries may or may not go through the C
 * functions (that is the MPI library's choice), so each does its part and the first one counts.
 */
#include "abi.h"
#include "activity.h"
#include "arena.h"
#include "clock.h"
#include "collective.h"
#include "comm.h"
#include "cost.h"
#include "guard.h"
#include "loops.h"
#include "presence.h"
#include "run.h"
#include "window.h"

enum { NOT_YET, RUNNING, OVER };

static int stage;

/* Threads that MPI starts while it initialises are its own. No frame is below this one's. */
static void enter_init(void)
{
    sca_cost_begin();
    sca_presence_announce();
    sca_clock_prepare();
    sca_cost_end();
    sca_thread.mpi_cfa = (const void *)UINTPTR_MAX;
    sca_thread.in_mpi++;
}

static void begin_run(void)
{
    int rank = 0, size = 1;
    if (sca_abi_select() < 0 || sca_mpi.comm_rank(sca_abi.comm_world, &rank) != 0 ||
        sca_mpi.comm_size(sca_abi.comm_world, &size) != 0) {
        stage = OVER;
        return;
    }
    sca_run_begin((uint32_t)rank, (uint32_t)size);
    if (!sca_recording || sca_comm_begin() < 0) {
        sca_recording = false;
        stage = OVER;
        return;
    }
    sca_arena_meta("mpi", sca_abi.name);
    sca_state_lock();
    sca_window_begin();
    sca_state_unlock();
    sca_loops_begin();
}

static void begin(void)
{
    int expected = NOT_YET;
    if (!__atomic_compare_exchange_n(&stage, &expected, RUNNING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return;
    sca_cost_begin();
    begin_run();
    sca_cost_end();
    if (stage == RUNNING)
        sca_activity_begin();
}

/* Finalize is where the last computation ends and all ranks meet; its own time is not counted. */
static void book_finalize(const void *return_address, const void *cfa)
{
    struct sca_call call;
    if (!sca_call_enter(&call, SCA_FN_Finalize, return_address, cfa))
        return;
    sca_call_exit(&call);
    sca_on_collective(&call, SCA_ALL_TO_ALL, SCA_NO_ROOT, sca_abi.comm_world, 0, SCA_PER_CALL,
                      SCA_NOW, 0);
    sca_call_leave(&call);
}

static void end(const void *return_address, const void *cfa)
{
    int expected = RUNNING;
    if (__atomic_compare_exchange_n(&stage, &expected, OVER, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
        book_finalize(return_address, cfa);
        sca_cost_begin();
        sca_loops_end();
        sca_state_lock();
        sca_window_end();
        sca_state_unlock();
        sca_run_end();
        sca_cost_end();
    }
}

/* Level 0 pauses, any other resumes. */
static void control(int level)
{
    if (stage != RUNNING || sca_recording == (level != 0))
        return;
    if (level)
        sca_activity_resume();
    sca_recording = level != 0;
}

typedef sca_word (*call0)(void);
typedef sca_word (*call1)(sca_word);
typedef sca_word (*call2)(sca_word, sca_word);
typedef sca_word (*call3)(sca_word, sca_word, sca_word);
typedef sca_word (*call4)(sca_word, sca_word, sca_word, sca_word);

SCA_ENTRY sca_word MPI_Init(sca_word argc, sca_word argv)
{
    enter_init();
    sca_word result = ((call2)SCA_REAL(SCA_FN_Init))(argc, argv);
    sca_thread.in_mpi--;
    if ((int32_t)result == 0)
        begin();
    return result;
}

SCA_ENTRY sca_word MPI_Init_thread(sca_word argc, sca_word argv, sca_word required,
                                   sca_word provided)
{
    enter_init();
    sca_word result = ((call4)SCA_REAL(SCA_FN_Init_thread))(argc, argv, required, provided);
    sca_thread.in_mpi--;
    if ((int32_t)result == 0)
        begin();
    return result;
}

SCA_ENTRY sca_word MPI_Finalize(void)
{
    end(SCA_CALLER);
    return ((call0)SCA_REAL(SCA_FN_Finalize))();
}

SCA_ENTRY sca_word MPI_Abort(sca_word comm, sca_word code)
{
    if (stage == RUNNING)
        sca_run_abort((int)code);
    return ((call2)SCA_REAL(SCA_FN_Abort))(comm, code);
}

/* Whatever follows the level is for other tools; registers are passed as they come. */
SCA_ENTRY sca_word MPI_Pcontrol(sca_word level, sca_word a, sca_word b, sca_word c)
{
    control((int)level);
    return ((call4)SCA_REAL(SCA_FN_Pcontrol))(level, a, b, c);
}

/* PMPI_X, as the generated ones. */
#define BELOW(name, type, parameters, ...)                                                         \
    SCA_ENTRY sca_word PMPI_##name parameters                                                      \
    {                                                                                              \
        if (sca_call_passes_below(SCA_FN_##name))                                                  \
            return ((type)SCA_BELOW(SCA_FN_##name))(__VA_ARGS__);                                  \
        return MPI_##name(__VA_ARGS__);                                                            \
    }

BELOW(Init, call2, (sca_word argc, sca_word argv), argc, argv)
BELOW(Init_thread, call4, (sca_word argc, sca_word argv, sca_word required, sca_word provided),
      argc, argv, required, provided)
BELOW(Finalize, call0, (void), )
BELOW(Abort, call2, (sca_word comm, sca_word code), comm, code)
BELOW(Pcontrol, call4, (sca_word level, sca_word a, sca_word b, sca_word c), level, a, b, c)

static void fortran_init(unsigned entry, sca_word ierror)
{
    enter_init();
    ((call1)SCA_REAL_FORTRAN(entry))(ierror);
    sca_thread.in_mpi--;
    if (sca_fortran_ok(ierror))
        begin();
}

static void fortran_init_thread(unsigned entry, sca_word required, sca_word provided,
                                sca_word ierror)
{
    enter_init();
    ((call3)SCA_REAL_FORTRAN(entry))(required, provided, ierror);
    sca_thread.in_mpi--;
    if (sca_fortran_ok(ierror))
        begin();
}

static void fortran_finalize(unsigned entry, sca_word ierror)
{
    end(SCA_CALLER);
    ((call1)SCA_REAL_FORTRAN(entry))(ierror);
}

static void fortran_abort(unsigned entry, sca_word comm, sca_word code, sca_word ierror)
{
    if (stage == RUNNING)
        sca_run_abort(*(const int32_t *)code);
    ((call3)SCA_REAL_FORTRAN(entry))(comm, code, ierror);
}

/* The standard has no ierror here, but MPICH's use mpi_f08 has: whatever there is is passed on. */
static void fortran_pcontrol(unsigned entry, sca_word level, sca_word ierror)
{
    control(*(const int32_t *)level);
    ((call2)SCA_REAL_FORTRAN(entry))(level, ierror);
}

/* Every spelling of an entry; parameters and their names differ, so they are given. */
#define SPELLINGS(upper, lower, body, number, parameters, ...)                                     \
    SCA_ENTRY void mpi_##lower##_ parameters                                                       \
    {                                                                                              \
        body(SCA_FORTRAN_##number, __VA_ARGS__);                                                   \
    }                                                                                              \
    SCA_ENTRY void mpi_##lower parameters __attribute__((alias("mpi_" #lower "_")));               \
    SCA_ENTRY void mpi_##lower##__ parameters __attribute__((alias("mpi_" #lower "_")));           \
    SCA_ENTRY void MPI_##upper parameters __attribute__((alias("mpi_" #lower "_")));               \
    SCA_ENTRY void mpi_##lower##_f08_ parameters                                                   \
    {                                                                                              \
        body(SCA_FORTRAN_##number##_f08, __VA_ARGS__);                                             \
    }                                                                                              \
    SCA_ENTRY void mpi_##lower##_f08ts_ parameters                                                 \
    {                                                                                              \
        body(SCA_FORTRAN_##number##_f08ts, __VA_ARGS__);                                           \
    }

SPELLINGS(INIT, init, fortran_init, Init, (sca_word e), e)
SPELLINGS(INIT_THREAD, init_thread, fortran_init_thread, Init_thread,
          (sca_word r, sca_word p, sca_word e), r, p, e)
SPELLINGS(FINALIZE, finalize, fortran_finalize, Finalize, (sca_word e), e)
SPELLINGS(ABORT, abort, fortran_abort, Abort, (sca_word c, sca_word n, sca_word e), c, n, e)
SPELLINGS(PCONTROL, pcontrol, fortran_pcontrol, Pcontrol, (sca_word level, sca_word e), level, e)
