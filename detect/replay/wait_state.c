#include "replay/wait_state.h"
#include "replay/links.h"
#include "replay/word_pairs.h"

#include <string.h>

enum { STEPS_AHEAD = 64 }; /* in search of a message that lies there already */

const char *sca_wait_state_class_name(enum sca_wait_class kind)
{
    static const char *const names[] = {"late-sender",     "wrong-order",   "late-receiver",
                                        "late-broadcast",  "early-reduce",  "wait-at-nxn",
                                        "wait-at-barrier", "wait-at-scan",  "other-world",
                                        "late-post",       "late-complete", "lock-contention"};
    return names[kind];
}

uint32_t sca_wait_state_vertex(const struct sca_ppg_run *run, struct sca_trace_event event)
{
    uint32_t nsites = run->profile->nsites;
    uint32_t site = event.site < nsites ? event.site : event.previous;
    return site < nsites ? run->site_vertex[site] : SCA_NONE;
}

static const struct sca_group *common_group(const struct sca_replay_links *links, uint32_t a,
                                            uint32_t b)
{
    for (uint32_t i = links->first_input[a]; i < links->first_input[a + 1]; i++)
        for (uint32_t k = links->first_input[b]; k < links->first_input[b + 1]; k++)
            if (sca_input_is_collective(links->kind[i]) &&
                sca_input_is_collective(links->kind[k]) && links->input[i] == links->input[k])
                return &links->groups[links->input[i]];
    return NULL;
}

static bool is_barrier(const struct sca_ppg_run *run, struct sca_trace_event event)
{
    const struct sca_profile *profile = run->profile;
    if (event.site >= profile->nsites)
        return true;
    const char *name = profile->sites[event.site].function;
    return strstr(name, "arrier") || !strcmp(name, "MPI_Finalize") ||
           !strcmp(name, "MPI_Win_fence");
}

static enum sca_wait_class of_group(const struct sca_group *group, const struct sca_ppg_run *run,
                                    struct sca_trace_event event)
{
    switch (group->shape) {
    case SCA_ONE_TO_ALL:
        return SCA_WAIT_LATE_BROADCAST;
    case SCA_ALL_TO_ONE:
        return SCA_WAIT_EARLY_REDUCE;
    case SCA_PREFIX:
        return SCA_WAIT_AT_SCAN;
    default:
        return is_barrier(run, event) ? SCA_WAIT_AT_BARRIER : SCA_WAIT_AT_NXN;
    }
}

/* Of no collective. */
static unsigned kind_of(const struct sca_replay_links *links, uint32_t event, uint32_t by)
{
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (!sca_input_is_collective(links->kind[i]) && links->input[i] == by)
            return links->kind[i];
    return SCA_OP_RECV;
}

static bool is_call(const struct sca_ppg_run *run, struct sca_trace_event event, const char *name)
{
    return event.site < run->profile->nsites &&
           !strcmp(run->profile->sites[event.site].function, name);
}

static bool receives_from(const struct sca_replay *replay, uint32_t event, uint32_t rank)
{
    const struct sca_replay_links *links = replay->links;
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_RECV && sca_replay_rank(replay, links->input[i]) == rank)
            return true;
    return false;
}

/* From one that the call which waits takes a message of as well, this is the next one: it is ahead.
 */
static bool takes_earlier(const struct sca_replay *replay, uint32_t event, uint32_t waits,
                          uint32_t by)
{
    const struct sca_replay_links *links = replay->links;
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (links->kind[i] == SCA_OP_RECV && replay->enter[links->input[i]] < replay->enter[by] &&
            !receives_from(replay, waits, sca_replay_rank(replay, links->input[i])))
            return true;
    return false;
}

/* Whether the program has come round to that call or beyond since: what it receives from here on is
 * of its next round, and who waited could do nothing with it. */
static bool has_come_round(const struct sca_replay *replay, const struct sca_ppg_run *run,
                           uint32_t waited, uint32_t by, uint32_t now)
{
    uint32_t at = sca_wait_state_vertex(run, sca_replay_event(replay, waited));
    uint32_t v = sca_wait_state_vertex(run, sca_replay_event(replay, now));
    if (at == SCA_NONE || v == SCA_NONE)
        return false;
    return v < at || (v == at && receives_from(replay, now, sca_replay_rank(replay, by)));
}

/* Whether a message that this rank receives later was sent before the one it waits for. */
static bool another_lies_there(const struct sca_replay *replay, const struct sca_ppg_run *run,
                               uint32_t event, uint32_t by)
{
    const struct sca_trace *trace = replay->trace;
    uint32_t rank = sca_replay_rank(replay, event);
    uint32_t next = replay->numbers.place[event] - trace->first[rank] + 1;
    for (uint32_t i = next; i < trace->sequences[rank].nevents && i < next + STEPS_AHEAD; i++) {
        uint32_t later = sca_replay_at(replay, rank, i);
        if (has_come_round(replay, run, event, by, later))
            return false;
        if (takes_earlier(replay, later, event, by))
            return true;
    }
    return false;
}

enum sca_wait_class sca_wait_state_classify(const struct sca_replay *replay,
                                            const struct sca_ppg_run *run, uint32_t event)
{
    uint32_t by = replay->waited_for[event];
    const struct sca_group *group = common_group(replay->links, event, by);
    if (group)
        return of_group(group, run, sca_replay_event(replay, event));
    unsigned kind = kind_of(replay->links, event, by);
    if (kind == SCA_INPUT_WORD)
        return SCA_WAIT_LATE_SENDER;
    if (kind == SCA_OP_LOCK)
        return SCA_WAIT_LOCK_CONTENTION;
    if (kind == SCA_OP_SEND_DONE)
        return SCA_WAIT_LATE_RECEIVER;
    if (is_call(run, sca_replay_event(replay, by), "MPI_Win_post"))
        return SCA_WAIT_LATE_POST;
    if (is_call(run, sca_replay_event(replay, by), "MPI_Win_complete"))
        return SCA_WAIT_LATE_COMPLETE;
    return another_lies_there(replay, run, event, by) ? SCA_WAIT_WRONG_ORDER : SCA_WAIT_LATE_SENDER;
}
