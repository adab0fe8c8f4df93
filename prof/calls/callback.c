#include "calls/callback.h"
#include "sca_part.h"
#include "calls/activity.h"
#include "calls/book.h"
#include "calls/left.h"
#include "calls/present_call.h"
#include "clock/clock.h"
#include "sampling/idle.h"
#include "sampling/interval.h"
#include "sampling/sampler.h"
#include "unwind/left.h"

enum { APART = 128 }; /* what is known of intervals in the call is not that of those behind it */

static void sample_on(const struct sca_thread *t, uint32_t site)
{
    if (t->waits)
        sca_idle_interrupt();
    else if (sca_interval_may_be_long(site))
        sca_sampler_part();
}

/* The call waits, and the program is where it was before. */
static void set_aside(struct sca_thread *t, struct sca_call *call, struct sca_frame_mark frame)
{
    struct sca_waiting *waiting = &sca_calls.waiting[t->called_back];
    waiting->before = call->interval;
    waiting->mpi = t->mpi;
    t->callback[t->called_back] = (struct sca_called_back){.frame = frame, .site = call->site};
    t->previous = call->site == SCA_NONE ? t->previous : call->previous;
    t->called_back++;
    t->in_mpi = 0;
}

/* How many calls wait now, or 0: this one does not. */
static int begin(struct sca_frame_mark frame)
{
    struct sca_thread *t = &sca_thread;
    if (!sca_recording || !t->in_mpi || t->in_tool || !t->mpi.return_address ||
        t->called_back == SCA_CALLBACKS)
        return 0;
    t->in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct sca_call *call = &sca_calls.call[t->called_back];
    if (t->counting)
        sca_sampler_count_rest();
    set_aside(t, call, frame);
    sample_on(t, call->site + APART);
    uint64_t now_ns = sca_clock_now();
    struct sca_waiting *waiting = &sca_calls.waiting[t->called_back - 1];
    waiting->called_ns = waiting->last_ns = now_ns;
    sca_interval_open(call->site + APART, now_ns);
    sca_present_exit(call->previous, now_ns);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
    return t->called_back;
}

/* The call continues, as if it had been entered later. */
static void take_up(struct sca_thread *t)
{
    uint64_t now_ns = sca_clock_now();
    const struct sca_waiting *waiting = &sca_calls.waiting[--t->called_back];
    struct sca_call *call = &sca_calls.call[t->called_back];
    sca_interval_close_rarely(now_ns, &call->interval);
    sca_interval_add(&call->interval, &waiting->before);
    call->enter_ns += now_ns - waiting->called_ns;
    if (call->site != SCA_NONE) {
        call->previous = t->previous;
        t->previous = call->site;
    }
    t->mpi = waiting->mpi;
    sca_present_enter(call);
    t->in_mpi = 1;
}

/* What the function itself left by a jump is behind it. */
static void end(int waiting, const void *cfa)
{
    struct sca_thread *t = &sca_thread;
    t->in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sca_left_look((uintptr_t)cfa - 1);
    if (!t->in_mpi)
        sca_left_book(sca_activity_leave);
    if (t->counting)
        sca_sampler_count_rest();
    if (!t->in_mpi && t->called_back == waiting)
        take_up(t);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
}

sca_word sca_callback_run(const sca_word in[SCA_CALLBACK_WORDS], sca_code function,
                          const sca_word more[SCA_CALLBACK_MORE])
{
    sca_word (*code)(sca_word, ...) = (sca_word(*)(sca_word, ...))function;
    struct sca_frame_mark frame = {__builtin_dwarf_cfa(), __builtin_return_address(0)};
    int waiting = begin(frame);
    sca_word result =
        code(in[0], in[1], in[2], in[3], in[4], in[5], more[0], more[1], more[2], more[3]);
    if (waiting)
        end(waiting, frame.cfa);
    return result;
}
