#include "windows/main_loop.h"
#include "base/hash.h"
#include "series/series.h"

#include <string.h>

enum {
    KNOWN = 64,    /* loops that are remembered */
    PATIENCE = 64, /* iterations of others, where these lay within it before */
    READINGS = 256 /* of counters, of loops that may never be the main one */
};

static struct {
    uint64_t name;
    uintptr_t frame;
    uint64_t turn;    /* rises as it comes round */
    bool holds_loops; /* others were counted between two of its rounds */
    bool others;      /* since its last one */
} chosen;

/* Loops that have begun since it was chosen, by a hash of their names; and in which turn. */
static struct {
    uint64_t name, turn;
} known[KNOWN];

uint64_t sca_main_loop(void)
{
    return chosen.name;
}

/* The first marks of a loop have their counters, unless there have been too many such loops. */
static void mark_first(struct sca_followed *loop, const struct sca_part_mark *now)
{
    static uint32_t readings;
    const struct sca_mark_events *events = readings < READINGS ? sca_series_events() : NULL;
    readings += events != NULL;
    loop->first[loop->rounds] = *now;
    loop->events[loop->rounds].read = 0;
    if (events)
        loop->events[loop->rounds] = *events;
    sca_series_open(&loop->first[loop->rounds]);
}

/* It began in an earlier turn, too. */
bool sca_main_loop_begins_within(struct sca_followed *loop, uint64_t name, uintptr_t frame)
{
    uint64_t at = sca_hash_mix(0, name) % KNOWN;
    bool before = known[at].name == name && known[at].turn != chosen.turn;
    if (known[at].name != name) {
        known[at].name = name;
        known[at].turn = chosen.turn;
    }
    loop->turn = chosen.turn;
    loop->frame = frame;
    loop->rounds = 0;
    loop->was_main = loop->waited = false;
    loop->within = before && chosen.name;
    return loop->within;
}

bool sca_main_loop_stays_within(struct sca_followed *loop, uint64_t name, bool around)
{
    if (!loop->within || name == chosen.name)
        return false;
    if (loop->turn != chosen.turn)
        loop->rounds = 0;
    loop->turn = chosen.turn;
    chosen.others = true;
    loop->waited = ++loop->rounds >= PATIENCE;
    loop->within = !around && !loop->waited;
    if (!loop->within)
        loop->rounds = UINT32_MAX; /* this round is its beginning */
    return loop->within;
}

void sca_main_loop_begins(struct sca_followed *loop, uintptr_t frame, uint64_t ns)
{
    loop->turn = chosen.turn;
    loop->frame = frame;
    loop->rounds = 0;
    loop->was_main = loop->within = loop->waited = false;
    if (!sca_series_is_on())
        return;
    const struct sca_part_mark now = sca_series_mark(0, ns);
    mark_first(loop, &now);
}

/* Counts a loop that is not the main one; true: it is now. */
static bool follow(struct sca_followed *loop, bool around, const struct sca_part_mark *now)
{
    if (!around && loop->turn != chosen.turn)
        *loop = (struct sca_followed){
            .turn = chosen.turn, .frame = loop->frame, .waited = loop->waited};
    else
        loop->rounds++;
    if (loop->rounds <= SCA_MAIN_LOOP_FIRST)
        mark_first(loop, now);
    chosen.others |= loop->rounds > 0;
    bool patient = chosen.holds_loops && !around && !loop->waited;
    uint32_t wanted = patient ? PATIENCE : SCA_MAIN_LOOP_FIRST;
    return loop->rounds >= wanted;
}

static void choose(struct sca_followed *loop, uint64_t name)
{
    loop->was_main = true;
    chosen.name = name;
    chosen.frame = loop->frame;
    chosen.turn++;
    chosen.others = false;
    memset(known, 0, sizeof known);
    sca_series_start(name, loop->first, loop->events, SCA_MAIN_LOOP_FIRST);
}

static void come_round(void)
{
    chosen.turn++;
    chosen.holds_loops |= chosen.others;
    chosen.others = false;
}

/* It still runs: what was the main loop since its last round, in a function called since, lies
 * within it. */
static void come_back(const struct sca_followed *loop, uint64_t name)
{
    if (chosen.frame < loop->frame)
        sca_series_holds(name);
    chosen.name = name;
    chosen.frame = loop->frame;
    chosen.others = true;
    come_round();
}

bool sca_main_loop_round(struct sca_followed *loop, uint64_t name, uint32_t number, bool around,
                         uint64_t ns)
{
    if (!sca_series_is_on())
        return name == chosen.name;
    const struct sca_part_mark now = sca_series_mark(number, ns);
    if (name == chosen.name)
        come_round();
    else if (loop->was_main)
        come_back(loop, name);
    else if (follow(loop, around, &now)) {
        chosen.holds_loops |= around; /* the one before lies within it */
        choose(loop, name);
    }
    if (name != chosen.name)
        return false;
    sca_series_marker(name, &now);
    return true;
}
