#include "finish/gather.h"
#include "base/patience.h"
#include "finish/post.h"
#include "sca_part.h"
#include "base/tree.h"

/* What is sent must stay in place for as long as the transfer may take: the rest of the run. */
static struct child {
    uint32_t rank;
    bool here, ready;
    uint64_t nothing;
    struct sca_arrival arrival;
    sca_word here_request, ready_request, sent;
} children[SCA_TREE_CHILDREN];

/* Whether the ranks' data are wanted, and what of them. */
struct decision {
    uint64_t go;
    struct sca_chosen windows;
};

static struct {
    uint32_t rank, parent;
    unsigned nchildren;
    double arrived;
    struct sca_arrival sent;
    struct decision decision;
    uint64_t nothing, parent_here, verdict;
    sca_word here_request, decision_request, out;
} me;

static bool is_root(void)
{
    return me.rank == 0;
}

static void find_relatives(uint32_t rank, uint32_t size)
{
    uint32_t ranks[SCA_TREE_CHILDREN];
    me.rank = rank;
    me.parent = rank ? sca_tree_parent(rank) : SCA_NONE;
    me.nchildren = sca_tree_children(rank, size, ranks);
    me.arrived = sca_patience_now();
    for (unsigned i = 0; i < me.nchildren; i++)
        children[i] = (struct child){.rank = ranks[i]};
}

/* Who is told that this rank is here need not guess for whom it waits. */
static bool greet(void)
{
    bool fine = is_root() ||
                (sca_post_receive(&me.parent_here, sizeof me.parent_here, me.parent, SCA_TAG_HERE,
                                  &me.here_request) &&
                 sca_post_receive(&me.decision, sizeof me.decision, me.parent, SCA_TAG_GO,
                                  &me.decision_request) &&
                 sca_post_send(&me.nothing, sizeof me.nothing, me.parent, SCA_TAG_HERE, &me.out));
    for (struct child *c = children; fine && c < children + me.nchildren; c++)
        fine = sca_post_receive(&c->nothing, sizeof c->nothing, c->rank, SCA_TAG_HERE,
                                &c->here_request) &&
               sca_post_receive(&c->arrival, sizeof c->arrival, c->rank, SCA_TAG_READY,
                                &c->ready_request) &&
               sca_post_send(&me.nothing, sizeof me.nothing, c->rank, SCA_TAG_HERE, &c->sent);
    return fine;
}

/* Each level below may wait for one that does not come, and then says so. */
static double limit_of(const struct child *c)
{
    return c->here ? SCA_ARRIVE_SECONDS * (2.0 + sca_tree_height(c->rank)) : SCA_ARRIVE_SECONDS;
}

/* One look; false when waiting for it is of no use any more. */
static bool look_at(struct child *c, bool thoroughly)
{
    if (!c->here)
        c->here = sca_post_done(&c->here_request) > 0;
    int state = sca_post_done(&c->ready_request);
    c->ready = state > 0;
    return c->ready || (state == 0 && sca_patience_now() - me.arrived <= limit_of(c) &&
                        !(thoroughly && sca_patience_is_dead(c->rank)));
}

/* One look at all children; returns how many are not ready, SCA_NONE when that was in vain. */
static uint32_t look_at_all(bool thoroughly, uint32_t *missing)
{
    uint32_t left = 0;
    for (struct child *c = children; c < children + me.nchildren; c++) {
        if (!c->ready && !look_at(c, thoroughly)) {
            *missing = c->rank;
            return SCA_NONE;
        }
        if (c->ready && c->arrival.missing != SCA_NONE) {
            *missing = c->arrival.missing;
            return SCA_NONE;
        }
        left += !c->ready;
    }
    return left;
}

static uint32_t await_children(void)
{
    struct sca_patience p = sca_patience_begin(0);
    uint32_t missing = SCA_NONE, before = me.nchildren, left;
    for (unsigned turn = 0;; sca_patience_pause(&turn)) {
        left = look_at_all(sca_patience_looks(&p), &missing);
        if (!left || left == SCA_NONE)
            return missing;
        if (left < before)
            turn = 0;
        before = left;
    }
}

static void add_children(struct sca_arrival *sum)
{
    sum->missing = await_children();
    for (struct child *c = children; c < children + me.nchildren; c++) {
        if (!c->here)
            sca_post_give_up(&c->here_request);
        if (!c->ready)
            sca_post_give_up(&c->ready_request);
        else if (sum->missing == SCA_NONE && sca_post_is_there(c->rank, SCA_TAG_WITHDRAW))
            sum->missing = c->rank;
        if (c->ready && c->arrival.unable != SCA_NONE)
            sum->unable = c->arrival.unable;
        sum->cost_ns += c->arrival.cost_ns;
        sum->once_ns += c->arrival.once_ns;
        sum->calls_ns += c->arrival.calls_ns;
        sum->calls += c->arrival.calls;
        sum->cpu_ns += c->arrival.cpu_ns;
        if (c->ready)
            sca_window_choice_join(&sum->windows, &c->arrival.windows);
    }
}

/* A parent that is there has its reasons to let wait: it waits for others. */
static bool await_decision(struct sca_arrival *sum)
{
    double left = me.arrived + SCA_ARRIVE_SECONDS - sca_patience_now();
    me.sent = *sum;
    if (sca_post_send(&me.sent, sizeof me.sent, me.parent, SCA_TAG_READY, &me.out) &&
        sca_post_wait(&me.here_request, me.parent, left) &&
        sca_post_wait(&me.decision_request, me.parent, SCA_DECIDE_SECONDS))
        return true;
    sca_post_give_up(&me.decision_request);
    sca_post_send(&me.nothing, sizeof me.nothing, me.parent, SCA_TAG_WITHDRAW, &me.out);
    sum->missing = me.parent;
    return false;
}

static void tell_children(const void *what, size_t length, enum sca_post_tag tag)
{
    for (struct child *c = children; c < children + me.nchildren; c++)
        sca_post_send(what, length, c->rank, tag, &c->sent);
}

static enum sca_gather_result decide(struct sca_arrival *sum)
{
    if (sum->missing != SCA_NONE)
        return SCA_NOT_ARRIVED;
    if (sum->unable == SCA_NONE)
        return SCA_GATHERED;
    sum->missing = sum->unable;
    return SCA_NO_MEMORY;
}

/* Everyone hears whether data are wanted; one that comes too late hears it when it comes. */
enum sca_gather_result sca_gather_arrive(uint32_t rank, uint32_t size, struct sca_arrival *arrival,
                                         struct sca_chosen *chosen)
{
    enum sca_gather_result result = SCA_NO_ANSWER;
    find_relatives(rank, size);
    if (!greet())
        return SCA_NO_ANSWER;
    add_children(arrival);
    if (is_root())
        result = decide(arrival);
    else if (!await_decision(arrival))
        result = SCA_NOT_ARRIVED;
    else
        result = me.decision.go ? SCA_GATHERED : SCA_REFUSED;
    if (is_root())
        sca_window_choice_make(&arrival->windows, size, &me.decision.windows);
    me.decision.go = result == SCA_GATHERED;
    *chosen = me.decision.windows;
    tell_children(&me.decision, sizeof me.decision, SCA_TAG_GO);
    return result;
}

static uint64_t await_verdict(void)
{
    static uint64_t verdict;
    sca_word request;
    if (!sca_post_receive(&verdict, sizeof verdict, me.parent, SCA_TAG_VERDICT, &request))
        return 0;
    if (sca_post_wait(&request, me.parent, SCA_DECIDE_SECONDS))
        return verdict;
    sca_post_give_up(&request);
    return 0;
}

bool sca_gather_verdict(bool written, bool in_touch)
{
    double end = sca_patience_now() + 1;
    me.verdict = is_root() ? written : in_touch ? await_verdict() : 0;
    tell_children(&me.verdict, sizeof me.verdict, SCA_TAG_VERDICT);
    for (struct child *c = children; c < children + me.nchildren; c++)
        sca_post_wait(&c->sent, c->rank, end - sca_patience_now());
    return me.verdict != 0;
}
