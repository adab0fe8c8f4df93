#include "finish/offsets.h"
#include "clock/clock.h"
#include "base/patience.h"
#include "finish/post.h"

#include <sched.h>

enum { ROUNDS = 20, LEAST_ROUNDS = 3 };
#define MOST_SECONDS   0.25 /* for all clocks together; each gets its LEAST_ROUNDS */
#define SPIN_SECONDS   0.002
#define ANSWER_SECONDS 10

struct ping {
    uint64_t last; /* no answer to this one */
};

/* Places of messages under way outlive whoever gave up on them. */
static struct ping ping_out, ping_in;
static uint64_t pong_out, pong_in;

/* A sleep would be longer than the trip: spins first. */
static bool wait_briefly(sca_word *request, uint32_t rank, double limit)
{
    double end = sca_patience_now() + SPIN_SECONDS;
    int state;
    while (!(state = sca_post_done(request)) && sca_patience_now() < end)
        sched_yield();
    return state ? state > 0 : sca_post_wait(request, rank, limit);
}

struct sca_offset sca_offsets_of_round_trip(uint64_t sent, uint64_t answered, uint64_t returned)
{
    uint64_t half = (returned - sent) / 2;
    return (struct sca_offset){(int64_t)(sent + half - answered), half + 1};
}

static bool round_trip(uint32_t leader, struct sca_offset *offset)
{
    sca_word ping, pong;
    if (!sca_post_receive(&pong_in, sizeof pong_in, leader, SCA_TAG_PONG, &pong))
        return false;
    ping_out.last = 0;
    uint64_t sent = sca_clock_now();
    bool answered = sca_post_send(&ping_out, sizeof ping_out, leader, SCA_TAG_PING, &ping) &&
                    wait_briefly(&pong, leader, ANSWER_SECONDS);
    uint64_t returned = sca_clock_now();
    if (!answered) {
        sca_post_give_up(&pong);
        return false;
    }
    *offset = sca_offsets_of_round_trip(sent, pong_in, returned);
    return sca_post_wait(&ping, leader, ANSWER_SECONDS);
}

static void dismiss(uint32_t leader)
{
    sca_word request;
    ping_out.last = 1;
    if (sca_post_send(&ping_out, sizeof ping_out, leader, SCA_TAG_PING, &request))
        sca_post_wait(&request, leader, 1);
}

static struct sca_offset measure(uint32_t leader, double end)
{
    struct sca_offset best = {0, SCA_OFFSET_UNKNOWN}, one;
    for (int i = 0; i < ROUNDS && (i < LEAST_ROUNDS || sca_patience_now() < end); i++) {
        if (!round_trip(leader, &one))
            return (struct sca_offset){0, SCA_OFFSET_UNKNOWN};
        if (one.error < best.error)
            best = one;
    }
    dismiss(leader);
    return best;
}

/* A leader that does not answer has died, and the run with it: the others are let go at once. */
void sca_offsets_measure(const uint32_t *leaders, uint32_t count, struct sca_offset *offsets,
                         bool again)
{
    double end = sca_patience_now() + MOST_SECONDS;
    bool all_answer = true;
    offsets[0] = (struct sca_offset){0, 0};
    for (uint32_t i = 1; i < count; i++) {
        if (again && offsets[i].error == SCA_OFFSET_UNKNOWN)
            continue;
        offsets[i] = (struct sca_offset){0, SCA_OFFSET_UNKNOWN};
        if (all_answer)
            offsets[i] = measure(leaders[i], end);
        all_answer &= offsets[i].error != SCA_OFFSET_UNKNOWN;
        if (!all_answer)
            dismiss(leaders[i]);
    }
}

static bool next_ping(sca_word *request)
{
    struct sca_patience p = sca_patience_begin(SCA_ARRIVE_SECONDS);
    while (!wait_briefly(request, 0, 0.1))
        if (sca_patience_is_over(&p) || sca_patience_is_dead(0))
            return false;
    return true;
}

void sca_offsets_answer(void)
{
    sca_word ping, pong;
    for (;;) {
        if (!sca_post_receive(&ping_in, sizeof ping_in, 0, SCA_TAG_PING, &ping))
            return;
        if (!next_ping(&ping)) {
            sca_post_give_up(&ping);
            return;
        }
        if (ping_in.last)
            return;
        pong_out = sca_clock_now();
        if (!sca_post_send(&pong_out, sizeof pong_out, 0, SCA_TAG_PONG, &pong) ||
            !sca_post_wait(&pong, 0, ANSWER_SECONDS))
            return;
    }
}
