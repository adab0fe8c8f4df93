#include "gather.h"
#include "patience.h"

#include <string.h>

static uint32_t me, ranks;

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
        int state = finished[i] ? 1 : sca_post_done(&requests[i]);
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
    struct sca_arrival *arrivals;
    uint64_t *go;
    sca_word *requests, *go_requests;
    bool *finished;
};

static bool make_collection(struct collection *c)
{
    size_t n = ranks;
    uint8_t *memory = sca_scratch(
        n * (sizeof(struct sca_arrival) + sizeof(uint64_t) + 2 * sizeof(sca_word) + sizeof(bool)));
    if (!memory)
        return false;
    c->arrivals = (struct sca_arrival *)memory;
    c->go = (uint64_t *)(c->arrivals + n);
    c->requests = (sca_word *)(c->go + n);
    c->go_requests = c->requests + n;
    c->finished = (bool *)(c->go_requests + n);
    return true;
}

static uint32_t await_arrivals(struct collection *c)
{
    for (uint32_t i = 1; i < ranks; i++)
        if (!sca_post_receive(&c->arrivals[i], sizeof c->arrivals[i], i, SCA_TAG_SIZE,
                              &c->requests[i]))
            return i;
    uint32_t missing = complete_all(c->requests, c->finished, SCA_ARRIVE_SECONDS, false);
    for (uint32_t i = 1; i < ranks; i++) {
        if (!c->finished[i])
            sca_post_give_up(&c->requests[i]);
        else if (!missing && sca_post_is_there(i, SCA_TAG_WITHDRAW))
            missing = i;
    }
    return missing;
}

/* Everyone hears whether images are wanted; one that comes too late hears it when it comes. */
static void answer_all(struct collection *c, uint64_t go)
{
    for (uint32_t i = 1; i < ranks; i++) {
        c->go[i] = go;
        sca_post_send(&c->go[i], sizeof c->go[i], i, SCA_TAG_GO, &c->go_requests[i]);
    }
}

static uint32_t receive_images(struct collection *c, uint8_t *to, struct sca_gathered *images)
{
    for (uint32_t i = 1; i < ranks; i++) {
        uint64_t length = c->arrivals[i].length;
        images[i] = (struct sca_gathered){to, c->arrivals[i]};
        if (!sca_post_receive(to, length, i, SCA_TAG_IMAGE, &c->requests[i]))
            return i;
        to += length;
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
        total += c.arrivals[i].length;
        all &= c.arrivals[i].length != 0;
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
static struct sca_arrival arrival_sent;
static uint64_t go_received, verdict_sent, withdrawal;

static enum sca_gather_result deliver(const struct sca_gathered *own)
{
    sca_word size_request, go_request, image_request, request;
    arrival_sent = own->arrival;
    if (!sca_post_receive(&go_received, sizeof go_received, 0, SCA_TAG_GO, &go_request) ||
        !sca_post_send(&arrival_sent, sizeof arrival_sent, 0, SCA_TAG_SIZE, &size_request))
        return SCA_NO_ANSWER;
    if (!sca_post_wait(&go_request, 0, SCA_ARRIVE_SECONDS)) {
        sca_post_give_up(&go_request);
        sca_post_send(&withdrawal, sizeof withdrawal, 0, SCA_TAG_WITHDRAW, &request);
        return SCA_NOT_ARRIVED;
    }
    if (!go_received)
        return SCA_REFUSED;
    if (!sca_post_send(own->bytes, own->arrival.length, 0, SCA_TAG_IMAGE, &image_request) ||
        !sca_post_wait(&image_request, 0, SCA_SILENCE_SECONDS))
        return SCA_NO_ANSWER;
    return SCA_GATHERED;
}

enum sca_gather_result sca_gather_images(uint32_t rank, uint32_t size,
                                         const struct sca_gathered *own,
                                         struct sca_gathered *images, uint32_t *missing)
{
    me = rank;
    ranks = size;
    *missing = 0;
    if (me)
        return deliver(own);
    if (images)
        images[0] = *own;
    return collect(own->arrival.length ? images : NULL, missing);
}

bool sca_gather_verdict(bool written)
{
    sca_word request;
    verdict_sent = written;
    if (me == 0) {
        double end = sca_seconds() + 1;
        for (uint32_t i = 1; i < ranks; i++)
            if (sca_post_send(&verdict_sent, sizeof verdict_sent, i, SCA_TAG_VERDICT, &request))
                sca_post_wait(&request, i, end - sca_seconds());
        return written;
    }
    static uint64_t verdict;
    if (!sca_post_receive(&verdict, sizeof verdict, 0, SCA_TAG_VERDICT, &request))
        return false;
    if (sca_post_wait(&request, 0, SCA_ARRIVE_SECONDS))
        return verdict != 0;
    sca_post_give_up(&request);
    return false;
}
