#include "run/life.h"
#include "mpi/abi.h"
#include "calls/activity.h"
#include "arena/arena.h"
#include "clock/clock.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "clock/cost.h"
#include "base/guard.h"
#include "windows/loops.h"
#include "finish/post.h"
#include "finish/presence.h"
#include "run/run.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "series/series.h"
#include "windows/window.h"

enum { NOT_YET, RUNNING, OVER };

static int stage;

bool sca_life_has_not_begun(void)
{
    return stage == NOT_YET;
}

bool sca_life_is_running(void)
{
    return stage == RUNNING;
}

/* Several threads may open sessions. */
static void prepare(void)
{
    static bool prepared;
    if (__atomic_exchange_n(&prepared, true, __ATOMIC_ACQ_REL))
        return;
    sca_settings_read();
    sca_sampler_prepare();
}

void sca_life_enter_init(void)
{
    sca_cost_begin();
    sca_presence_announce();
    sca_clock_prepare();
    sca_thread.mpi = (struct sca_frame_mark){0};
    sca_thread.in_mpi++;
    prepare();
    sca_cost_end();
}

void sca_life_leave_init(void)
{
    sca_thread.in_mpi--;
}

/* In sessions nothing says how many threads will call. */
static int any_thread(int *level)
{
    *level = sca_abi.multiple;
    return 0;
}

static void stand_on(sca_word comm)
{
    sca_abi.comm_world = comm;
    sca_abi.comm_self = sca_abi.comm_null;
    sca_mpi.query_thread = any_thread;
}

/* The program may free its communicator while the run goes on: ours takes its place. */
static void move_to_own(void)
{
    sca_abi.comm_world = sca_post_comm();
    if (!sca_recording)
        sca_post_end();
}

static bool begin_run(sca_word comm)
{
    int rank = 0, size = 1;
    if (sca_abi_select() < 0)
        return false;
    if (comm)
        stand_on(comm);
    if (sca_mpi.comm_rank(sca_abi.comm_world, &rank) != 0 ||
        sca_mpi.comm_size(sca_abi.comm_world, &size) != 0)
        return false;
    sca_run_begin((uint32_t)rank, (uint32_t)size);
    if (comm)
        move_to_own();
    if (!sca_recording || sca_comm_begin() < 0)
        return false;
    sca_arena_meta("mpi", sca_abi.name);
    sca_run_clock_begins();
    sca_guard_lock();
    sca_window_begin();
    sca_series_begin();
    sca_guard_unlock();
    sca_loops_begin();
    return true;
}

void sca_life_begin_on(sca_word comm)
{
    int expected = NOT_YET;
    if (!__atomic_compare_exchange_n(&stage, &expected, RUNNING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return;
    sca_cost_begin();
    if (!begin_run(comm)) {
        sca_recording = false;
        stage = OVER;
        sca_sampler_stop();
    }
    sca_cost_end();
    if (stage == RUNNING)
        sca_activity_begin();
}

void sca_life_begin(void)
{
    sca_life_begin_on(0);
}

/* The end is where the last computation ends and all ranks meet; its own time is not counted. */
static void book_end(const void *return_address, const void *cfa)
{
    struct sca_call *call = sca_activity_enter(SCA_FN_Finalize, return_address, cfa);
    if (!call)
        return;
    sca_activity_exit(call);
    sca_collective_record(call, SCA_ALL_TO_ALL, SCA_NO_ROOT, sca_abi.comm_world, 0, SCA_PER_CALL,
                          SCA_NOW, 0);
    sca_activity_leave(call);
}

void sca_life_end(const void *return_address, const void *cfa)
{
    int expected = RUNNING;
    if (!__atomic_compare_exchange_n(&stage, &expected, OVER, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return;
    book_end(return_address, cfa);
    sca_cost_begin();
    sca_loops_end();
    sca_guard_lock();
    sca_series_end();
    sca_window_end();
    sca_guard_unlock();
    sca_run_end();
    sca_cost_end();
}
