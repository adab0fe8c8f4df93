#include "calls/left.h"
#include "base/float_flags.h"
#include "calls/book.h"
#include "calls/traffic.h"
#include "sampling/interval.h"

typedef void leave_function(struct sca_call *);

/* Whether what it sent or received came to pass, nobody knows. */
static void give_up(const struct sca_call *call)
{
    if (call->ways & SCA_CALL_SENDS)
        sca_traffic_failed_send(call->send_peer, call->send_tag, call->comm);
    if (call->ways & SCA_CALL_RECEIVES)
        sca_traffic_failed_recv(call->receive_peer, call->receive_tag, call->comm);
}

static void book(struct sca_call *call, uint64_t seen_ns, leave_function *leave)
{
    call->exit_ns = seen_ns > call->enter_ns ? seen_ns : call->enter_ns;
    call->timed = false;
    call->float_flags = sca_float_flags_keep();
    give_up(call);
    call->ways |= SCA_CALL_LEFT;
    sca_thread.in_tool++;
    leave(call);
}

/* The interval before it was closed; that behind it was never opened. */
static void book_running(struct sca_thread *t, leave_function *leave)
{
    struct sca_call *call = &sca_calls.call[t->called_back];
    struct sca_interval before = call->interval;
    t->left = false;
    t->looks = 0;
    if (t->present)
        t->present->polls_ns = 0;
    book(call, t->mpi_seen_ns, leave);
    sca_interval_leave_out(&before, call->exit_ns - call->enter_ns, t->mpi_seen_cpu_ns);
}

/* The interval behind it has been open since the function was called. */
static void book_waiting(struct sca_thread *t, leave_function *leave)
{
    struct sca_called_back *back = &t->callback[--t->called_back];
    const struct sca_waiting *waiting = &sca_calls.waiting[t->called_back];
    struct sca_call *call = &sca_calls.call[t->called_back];
    call->previous = back->previous;
    call->interval = waiting->before;
    back->left = false;
    book(call, waiting->last_ns, leave);
}

void sca_left_book(leave_function *leave)
{
    struct sca_thread *t = &sca_thread;
    if (t->left)
        book_running(t, leave);
    while (t->called_back && t->callback[t->called_back - 1].left)
        book_waiting(t, leave);
}
