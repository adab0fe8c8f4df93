#include "hosts/gather.h"
#include "hosts/launch.h"
#include "hosts/mirror.h"
#include "hosts/stop.h"
#include "net/address.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CHANNELS = 1024, TURN_MS = 100, PATIENCE = 3 /* looks without an answer */ };
static const double first_s = 60;  /* for the first collector to come, */
static const double next_s = 10;   /* for each that comes after it */
static const double answer_s = 3;  /* for an answer to a look, */
static const double series_s = 60; /* with series */
static const double greet_s = 10;  /* for a proof that it has the token */
static const double back_s = 2;    /* for who loses the one above it */
static const double again_s = 60;  /* to come back when a collector was lost */

struct caller { /* a connection */
    struct sca_channel channel;
    uint32_t id; /* its host, 0: it has said nothing yet */
    bool leaves; /* it was sent to another one */
};

struct sca_gather {
    struct sca_token token;
    char *token_path, *folder;
    struct sca_launch launch;
    int listener; /* -1: nobody else is expected */
    uint16_t port;
    double listens_until_s;
    uint32_t fanout, ncallers, nhosts;
    struct caller *callers[MOST_CHANNELS];
    struct sca_host *hosts;
    struct sca_speech_look last;
    double came_s; /* when somebody came last; 0: nobody did */
    char refused[256];
};

/* ---- hosts ---- */

static struct sca_host *host_of(struct sca_gather *g, uint32_t id)
{
    return id && id <= g->nhosts ? &g->hosts[id - 1] : NULL;
}

static uint32_t direct(const struct sca_gather *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->ncallers; i++)
        n += g->callers[i]->id && !g->callers[i]->leaves;
    return n;
}

static uint32_t known_ranks(const struct sca_gather *g, uint32_t *size)
{
    uint32_t n = 0;
    *size = 0;
    for (uint32_t i = 0; i < g->nhosts; i++)
        for (uint32_t k = 0; !g->hosts[i].lost && k < g->hosts[i].ranks.n; k++) {
            n++;
            *size = g->hosts[i].ranks.copy[k].header.size;
        }
    return n;
}

static bool is_complete(const struct sca_gather *g)
{
    uint32_t size, n = known_ranks(g, &size);
    return n && n >= size;
}

/* The first that has room below it, so that the tree is as flat as it can be. */
static struct sca_host *place_for(struct sca_gather *g)
{
    for (uint32_t i = 0; i < g->nhosts; i++)
        if (!g->hosts[i].lost && g->hosts[i].port && g->hosts[i].children < g->fanout)
            return &g->hosts[i];
    return NULL;
}

static void lose(struct sca_gather *g, uint32_t id, const char *why)
{
    struct sca_host *h = host_of(g, id);
    if (!h || h->lost)
        return;
    h->lost = true;
    snprintf(h->note, sizeof h->note, "%s", why);
    if (h->parent)
        g->hosts[h->parent - 1].children--;
    g->listens_until_s = sca_channel_clock() + again_s;
    for (uint32_t i = 0; i < g->nhosts; i++)
        if (g->hosts[i].parent == id && !g->hosts[i].lost) {
            h->children--;
            g->hosts[i].parent = 0;
            g->hosts[i].back_s = sca_channel_clock() + back_s;
            lose(g, g->hosts[i].id, "the collector above it has ended");
        }
}

/* Of a collector that comes back under another number, or a second one of the same host, what the
 * first has said is old. */
static void forget_namesake(struct sca_gather *g, const struct sca_host *fresh)
{
    for (uint32_t i = 0; i + 1 < g->nhosts; i++)
        if (!g->hosts[i].replaced && !strcmp(g->hosts[i].name, fresh->name) &&
            !strcmp(g->hosts[i].address, fresh->address)) {
            lose(g, g->hosts[i].id, "");
            g->hosts[i].replaced = true;
            sca_kept_ranks_free(&g->hosts[i].ranks);
        }
}

/* ---- what is said ---- */

static void welcome(struct sca_gather *g, struct caller *from, const struct sca_speech_hello *hello)
{
    struct sca_host *above = direct(g) < g->fanout || g->last.complete ? NULL : place_for(g);
    uint32_t parent = above ? above->id : 0;
    g->hosts = sca_must(realloc(g->hosts, (g->nhosts + 1ul) * sizeof *g->hosts));
    struct sca_host *h = &g->hosts[g->nhosts++];
    *h = (struct sca_host){.id = g->nhosts, .port = hello->port, .parent = parent};
    h->answered = 0;
    snprintf(h->name, sizeof h->name, "%s", hello->host);
    snprintf(h->address, sizeof h->address, "%s", from->channel.peer);
    g->came_s = h->said_s = sca_channel_clock();
    from->id = h->id;
    forget_namesake(g, h);
    if (!parent) {
        sca_speech_put_number(&from->channel, SCA_SAYS_WELCOME, h->id);
        sca_speech_put_look(&from->channel, &g->last);
        return;
    }
    struct sca_host *up = &g->hosts[parent - 1];
    char *address = sca_address_join(up->address, up->port);
    up->children++;
    from->leaves = true;
    sca_speech_put_go(&from->channel, h->id, address);
    free(address);
}

static void hear(struct sca_gather *g, struct caller *from, const struct sca_channel_message *m)
{
    struct sca_speech_hello hello;
    struct sca_host *h;
    uint32_t id;
    if (m->type == SCA_SAYS_HELLO && !from->id && sca_speech_get_hello(m, &hello))
        welcome(g, from, &hello);
    else if (m->type == SCA_SAYS_STATE && sca_speech_state_of(m, &id) && (h = host_of(g, id)) &&
             !h->lost)
        sca_host_hear(h, m);
    else if (m->type == SCA_SAYS_SERIES && sca_speech_state_of(m, &id) && (h = host_of(g, id)) &&
             !h->lost)
        sca_host_hear_series(h, m);
    else if (m->type == SCA_SAYS_LOST && sca_speech_get_number(m, &id))
        lose(g, id, "its collector has ended");
}

static void refuse(struct sca_gather *g, const struct caller *c, const char *why)
{
    snprintf(g->refused, sizeof g->refused, "refused a connection from %s: %s", c->channel.peer,
             why);
}

static void drop(struct sca_gather *g, uint32_t i)
{
    struct caller *c = g->callers[i];
    if (c->id && !c->leaves)
        lose(g, c->id, "its collector has ended");
    sca_channel_end(&c->channel);
    free(c);
    g->callers[i] = g->callers[--g->ncallers];
}

/* ---- connections ---- */

static void close_listener(struct sca_gather *g)
{
    if (g->listener >= 0)
        close(g->listener);
    g->listener = -1;
    if (g->token_path)
        unlink(g->token_path);
}

/* It listens as long as somebody is missing who may come. */
static void mind_listener(struct sca_gather *g)
{
    bool wanted = !is_complete(g) && sca_channel_clock() < g->listens_until_s;
    g->last.complete = is_complete(g);
    if (!wanted)
        close_listener(g);
    else if (g->listener < 0)
        g->listener = sca_address_listen(&g->port);
}

static void take_caller(struct sca_gather *g)
{
    int fd = g->listener < 0 || g->ncallers == MOST_CHANNELS ? -1 : sca_address_accept(g->listener);
    if (fd < 0)
        return;
    struct caller *c = sca_must(calloc(1, sizeof *c));
    sca_channel_begin(&c->channel, fd, true, &g->token);
    g->callers[g->ncallers++] = c;
}

static void work(struct sca_gather *g, struct caller *c)
{
    struct sca_channel_message m;
    bool greets = c->channel.state == SCA_CHANNEL_GREETS;
    sca_channel_work(&c->channel);
    while (sca_channel_next(&c->channel, &m))
        hear(g, c, &m);
    sca_channel_flush(&c->channel);
    if (greets && c->channel.state == SCA_CHANNEL_CLOSED)
        refuse(g, c, c->channel.why);
}

static bool is_late(const struct caller *c)
{
    return c->channel.state == SCA_CHANNEL_GREETS &&
           sca_channel_clock() > c->channel.began_s + greet_s;
}

static void turn(struct sca_gather *g)
{
    struct pollfd p[MOST_CHANNELS + 1];
    nfds_t n = 0;
    if (g->listener >= 0)
        p[n++] = (struct pollfd){g->listener, POLLIN, 0};
    for (uint32_t i = 0; i < g->ncallers; i++)
        p[n++] = (struct pollfd){g->callers[i]->channel.fd,
                                 sca_channel_events(&g->callers[i]->channel), 0};
    poll(p, n, TURN_MS);
    take_caller(g);
    for (uint32_t i = 0; i < g->ncallers;) {
        work(g, g->callers[i]);
        if (is_late(g->callers[i]))
            refuse(g, g->callers[i], "it did not show that it has the token");
        if (g->callers[i]->channel.state == SCA_CHANNEL_CLOSED || is_late(g->callers[i]))
            drop(g, i);
        else
            i++;
    }
    mind_listener(g);
}

/* ---- looks ---- */

/* Who has not answered for some looks is not waited for any more; who has to find its way again is,
 * for a moment. */
static bool is_awaited(const struct sca_gather *g, const struct sca_host *h)
{
    if (h->lost)
        return !h->replaced && sca_channel_clock() < h->back_s;
    return h->answered != g->last.number && h->answered + PATIENCE >= g->last.number;
}

static bool all_have_answered(const struct sca_gather *g)
{
    for (uint32_t i = 0; i < g->nhosts; i++)
        if (is_awaited(g, &g->hosts[i]))
            return false;
    return true;
}

static uint32_t living(const struct sca_gather *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->nhosts; i++)
        n += !g->hosts[i].lost;
    return n;
}

static bool has_ranks(const struct sca_gather *g)
{
    bool any = false;
    for (uint32_t i = 0; i < g->nhosts; i++)
        any |= g->hosts[i].ranks.n || g->hosts[i].ended.n;
    return any;
}

/* What the first that has something to say says. */
static int no_ranks(const struct sca_gather *g)
{
    for (uint32_t i = 0; i < g->nhosts; i++)
        if (*g->hosts[i].note)
            return sca_fail(SCA_ENOTFOUND, "host %.60s: %.400s", g->hosts[i].name,
                            g->hosts[i].note);
    return sca_fail(SCA_ENOTFOUND, "none of %u hosts has ranks of this run", g->nhosts);
}

int sca_gather_look(struct sca_gather *g, bool series, double *took_s)
{
    double began = sca_channel_clock(), until = began + (series ? series_s : answer_s);
    mind_listener(g);
    g->last.number++;
    g->last.series = series;
    for (uint32_t i = 0; i < g->ncallers; i++)
        if (g->callers[i]->id && !g->callers[i]->leaves)
            sca_speech_put_look(&g->callers[i]->channel, &g->last);
    do
        turn(g);
    while (!all_have_answered(g) && !sca_stop_asked() && sca_channel_clock() < until);
    *took_s = sca_channel_clock() - began;
    if (!living(g))
        return sca_fail(SCA_EIO, "all collectors have ended: %s",
                        g->nhosts ? g->hosts[g->nhosts - 1].note : "none came");
    if (!has_ranks(g))
        return no_ranks(g);
    return sca_mirror_write(g->folder, g->hosts, g->nhosts, g->last.number);
}

/* ---- begin and end ---- */

/* Nobody else comes: all are there, or the launcher has ended, or it was long enough. Of launchers
 * by host each runs as long as its collector. */
static bool is_enough(struct sca_gather *g, double began)
{
    double now = sca_channel_clock();
    if (is_complete(g) && all_have_answered(g))
        return true;
    size_t running = sca_launch_running(&g->launch);
    if (!g->nhosts && !running)
        return true;
    if (g->nhosts && g->launch.by_host && living(g) >= running && all_have_answered(g))
        return true;
    return g->came_s > 0 ? now > g->came_s + next_s && all_have_answered(g) : now > began + first_s;
}

static int nobody(const struct sca_gather *g, const char *launcher)
{
    char *said = sca_launch_said(&g->launch);
    int status = sca_fail(SCA_EIO, "no collector came by '%.100s'%s%.300s", launcher,
                          *said         ? ": "
                          : *g->refused ? "; "
                                        : "",
                          *said ? said : g->refused);
    free(said);
    return status;
}

static int start(struct sca_gather *g, const struct sca_gather_plan *plan)
{
    int status = sca_token_make(&g->token);
    if (status != SCA_OK || !(g->token_path = sca_token_keep(&g->token)) ||
        !(g->folder = sca_mirror_make()) || (g->listener = sca_address_listen(&g->port)) < 0)
        return SCA_EIO;
    double began = sca_channel_clock();
    g->listens_until_s = began + 2 * first_s;
    char *front = sca_address_list(g->port);
    struct sca_launch_plan launch = {plan->launcher, plan->hosts,   plan->run,
                                     front,          g->token_path, &g->token};
    status = sca_launch_start(&launch, &g->launch);
    free(front);
    while (status == SCA_OK && !is_enough(g, began) && !sca_stop_asked())
        turn(g);
    return status == SCA_OK && !g->nhosts ? nobody(g, plan->launcher) : status;
}

struct sca_gather *sca_gather_begin(const struct sca_gather_plan *plan)
{
    struct sca_gather *g = sca_must(calloc(1, sizeof *g));
    g->listener = g->launch.log = -1;
    g->fanout = plan->fanout ? plan->fanout : SCA_GATHER_FANOUT;
    g->last.number = 1;
    if (start(g, plan) == SCA_OK)
        return g;
    sca_gather_end(g);
    return NULL;
}

const char *sca_gather_directory(const struct sca_gather *g)
{
    return g->folder;
}

const struct sca_host *sca_gather_hosts(const struct sca_gather *g, uint32_t *n)
{
    *n = g->nhosts;
    return g->hosts;
}

uint64_t sca_gather_asked(const struct sca_gather *g)
{
    return g->last.number;
}

char *sca_gather_missing(const struct sca_gather *g)
{
    uint32_t size = 0, n = 0;
    for (uint32_t i = 0; i < g->nhosts; i++) {
        const struct sca_host *h = &g->hosts[i];
        n += h->ranks.n + h->ended.n;
        size = h->ranks.n ? h->ranks.copy[0].header.size : size;
    }
    if (n >= size)
        return NULL;
    char *said = sca_launch_said(&g->launch);
    char *text = sca_words_format("no collector tells of %u of %u ranks%s%.300s", size - n, size,
                                  *said ? "; the launcher said last: " : "", said);
    free(said);
    return text;
}

const char *sca_gather_refused(const struct sca_gather *g)
{
    return g->refused;
}

void sca_gather_end(struct sca_gather *g)
{
    if (!g)
        return;
    close_listener(g);
    for (uint32_t i = 0; i < g->ncallers; i++)
        sca_channel_put(&g->callers[i]->channel, SCA_SAYS_BYE, NULL, 0);
    while (g->ncallers) {
        sca_channel_flush(&g->callers[0]->channel);
        drop(g, 0);
    }
    sca_launch_end(&g->launch);
    if (g->folder)
        sca_mirror_remove(g->folder);
    for (uint32_t i = 0; i < g->nhosts; i++)
        sca_host_free(&g->hosts[i]);
    free(g->hosts);
    free(g->folder);
    free(g->token_path);
    explicit_bzero(&g->token, sizeof g->token);
    free(g);
}
