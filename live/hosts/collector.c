#include "hosts/collector.h"
#include "hosts/collector_state.h"
#include "net/address.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_BELOW = 64,   /* connections, with those that have not proved anything */
    CONNECT_MS = 5000, /* for one address */
    GREET_S = 10,      /* until who connects has proved that it has the token */
    TRIES = 40,        /* to come back to the front, */
    BETWEEN_MS = 250   /* and what lies between them */
};

struct below { /* a collector below this one, or somebody who wants to be */
    struct sca_channel channel;
    bool joined;
    uint32_t id;
};

struct collector {
    const struct sca_collector_plan *plan;
    struct sca_collector_state state;
    struct sca_channel up;
    bool up_is_front, done;
    int listener; /* -1: nobody else will come */
    uint16_t port;
    uint32_t id, nbelow;
    struct below below[MOST_BELOW];
    struct sca_speech_look last;
};

/* ---- upwards ---- */

static int connect_up(struct collector *c, const char *address)
{
    sca_channel_end(&c->up);
    int fd = sca_address_connect(address, CONNECT_MS);
    if (fd < 0)
        return SCA_EIO;
    sca_channel_begin(&c->up, fd, false, c->plan->token);
    return SCA_OK;
}

/* Waits: without the one above there is nothing to do. */
static int greet(struct collector *c)
{
    double until = sca_channel_clock() + (c->up_is_front ? 60.0 : GREET_S);
    while (c->up.state == SCA_CHANNEL_GREETS && sca_channel_clock() < until) {
        struct pollfd p = {c->up.fd, sca_channel_events(&c->up), 0};
        if (poll(&p, 1, BETWEEN_MS) < 0 && errno != EINTR)
            return sca_fail(SCA_EIO, "poll: %s", strerror(errno));
        sca_channel_work(&c->up);
    }
    if (c->up.state == SCA_CHANNEL_OPEN)
        return SCA_OK;
    return sca_fail(SCA_EIO, "no connection to %s: %s", c->up.peer,
                    *c->up.why ? c->up.why : "no answer");
}

/* The front learns of this host; nothing that was sent before counts. */
static int come_to_front(struct collector *c)
{
    struct sca_speech_hello hello = {.port = c->listener < 0 ? 0 : c->port};
    c->up_is_front = true;
    int status = connect_up(c, c->plan->front);
    if (status == SCA_OK)
        status = greet(c);
    if (status != SCA_OK)
        return status;
    if (gethostname(hello.host, sizeof hello.host - 1))
        snprintf(hello.host, sizeof hello.host, "unknown");
    sca_collector_state_forget(&c->state);
    c->last.number = 0;
    sca_speech_put_hello(&c->up, &hello);
    return SCA_OK;
}

/* Who was above has ended: the front knows where to go. */
static int come_back(struct collector *c)
{
    for (int i = 0; i < TRIES; i++) {
        if (come_to_front(c) == SCA_OK)
            return SCA_OK;
        nanosleep(&(struct timespec){0, BETWEEN_MS * 1000000L}, NULL);
    }
    return SCA_EIO;
}

static int go(struct collector *c, const struct sca_channel_message *m)
{
    char address[SCA_SPEECH_HOST];
    if (!sca_speech_get_go(m, &c->id, address))
        return sca_fail(SCA_EFORMAT, "the front says what nobody understands");
    c->up_is_front = false;
    if (connect_up(c, address) != SCA_OK || greet(c) != SCA_OK)
        return come_back(c);
    sca_speech_put_number(&c->up, SCA_SAYS_JOIN, c->id);
    return SCA_OK;
}

/* ---- downwards ---- */

static void close_listener(struct collector *c)
{
    if (c->listener >= 0)
        close(c->listener);
    c->listener = -1;
}

static void tell_below(struct collector *c, uint8_t type)
{
    for (uint32_t i = 0; i < c->nbelow; i++)
        if (c->below[i].joined && type == SCA_SAYS_LOOK)
            sca_speech_put_look(&c->below[i].channel, &c->last);
        else if (c->below[i].joined)
            sca_channel_put(&c->below[i].channel, type, NULL, 0);
}

static int look(struct collector *c, const struct sca_channel_message *m)
{
    struct sca_speech_look asked;
    if (!sca_speech_get_look(m, &asked))
        return sca_fail(SCA_EFORMAT, "a look that nobody understands");
    bool again = asked.number == c->last.number;
    c->last = asked;
    if (asked.complete)
        close_listener(c);
    tell_below(c, SCA_SAYS_LOOK);
    return again ? SCA_OK : sca_collector_state_send(&c->state, c->id, &asked, &c->up);
}

static int hear_up(struct collector *c)
{
    struct sca_channel_message m;
    int status = SCA_OK;
    while (status == SCA_OK && !c->done && sca_channel_next(&c->up, &m)) {
        if (m.type == SCA_SAYS_WELCOME && !sca_speech_get_number(&m, &c->id))
            status = sca_fail(SCA_EFORMAT, "the front says what nobody understands");
        else if (m.type == SCA_SAYS_GO)
            return go(c, &m);
        else if (m.type == SCA_SAYS_LOOK)
            status = look(c, &m);
        else if (m.type == SCA_SAYS_BYE)
            c->done = true;
    }
    return status;
}

static void hear_below(struct collector *c, struct below *b)
{
    struct sca_channel_message m;
    while (sca_channel_next(&b->channel, &m)) {
        if (m.type == SCA_SAYS_JOIN && !b->joined && sca_speech_get_number(&m, &b->id)) {
            b->joined = true;
            if (c->last.number)
                sca_speech_put_look(&b->channel, &c->last);
        } else if (b->joined && (m.type == SCA_SAYS_STATE || m.type == SCA_SAYS_SERIES ||
                                 m.type == SCA_SAYS_LOST)) {
            sca_channel_put(&c->up, m.type, m.payload, m.length);
        }
    }
}

static void drop_closed(struct collector *c)
{
    for (uint32_t i = 0; i < c->nbelow;) {
        struct below *b = &c->below[i];
        bool late = b->channel.state == SCA_CHANNEL_GREETS &&
                    sca_channel_clock() > b->channel.began_s + GREET_S;
        if (b->channel.state != SCA_CHANNEL_CLOSED && !late) {
            i++;
            continue;
        }
        if (b->joined)
            sca_speech_put_number(&c->up, SCA_SAYS_LOST, b->id);
        sca_channel_end(&b->channel);
        *b = c->below[--c->nbelow];
    }
}

static void take_below(struct collector *c)
{
    int fd = c->listener < 0 || c->nbelow == MOST_BELOW ? -1 : sca_address_accept(c->listener);
    if (fd < 0)
        return;
    struct below *b = &c->below[c->nbelow++];
    *b = (struct below){0};
    sca_channel_begin(&b->channel, fd, true, c->plan->token);
}

/* ---- round and round ---- */

static int wait_for_any(struct collector *c)
{
    struct pollfd p[MOST_BELOW + 2];
    nfds_t n = 0;
    p[n++] = (struct pollfd){c->up.fd, sca_channel_events(&c->up), 0};
    if (c->listener >= 0 && c->nbelow < MOST_BELOW)
        p[n++] = (struct pollfd){c->listener, POLLIN, 0};
    for (uint32_t i = 0; i < c->nbelow; i++)
        p[n++] =
            (struct pollfd){c->below[i].channel.fd, sca_channel_events(&c->below[i].channel), 0};
    return poll(p, n, c->nbelow ? 1000 : -1) < 0 && errno != EINTR
               ? sca_fail(SCA_EIO, "poll: %s", strerror(errno))
               : SCA_OK;
}

static int turn(struct collector *c)
{
    int status = wait_for_any(c);
    take_below(c);
    for (uint32_t i = 0; i < c->nbelow; i++) {
        sca_channel_work(&c->below[i].channel);
        hear_below(c, &c->below[i]);
    }
    drop_closed(c);
    bool there = sca_channel_work(&c->up);
    if (status == SCA_OK && there)
        status = hear_up(c);
    if (status == SCA_OK && c->up.state == SCA_CHANNEL_CLOSED && !c->done) {
        c->done = c->up_is_front;
        status = c->done ? SCA_OK : come_back(c);
    }
    sca_channel_flush(&c->up);
    return status;
}

/* What is queued for those below goes out; they end by it. */
static void say_bye(struct collector *c)
{
    tell_below(c, SCA_SAYS_BYE);
    for (uint32_t i = 0; i < c->nbelow; i++) {
        sca_channel_flush(&c->below[i].channel);
        sca_channel_end(&c->below[i].channel);
    }
}

int sca_collector_run(const struct sca_collector_plan *plan)
{
    struct collector *c = sca_must(calloc(1, sizeof *c));
    c->plan = plan;
    c->state.run = plan->run;
    c->up.fd = -1;
    c->listener = sca_address_listen(&c->port);
    int status = come_to_front(c);
    while (status == SCA_OK && !c->done)
        status = turn(c);
    say_bye(c);
    close_listener(c);
    sca_channel_end(&c->up);
    sca_kept_ranks_free(&c->state.known);
    free(c);
    return status;
}
