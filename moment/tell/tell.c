#include "look/look.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MINUTE = 60, HOUR = 3600, LONG_S = 10 };

void sca_tell_duration(double s, char *text, size_t size)
{
    if (s < LONG_S)
        snprintf(text, size, "%.1f s", s);
    else if (s < 10 * MINUTE)
        snprintf(text, size, "%.0f s", s);
    else if (s < 2 * HOUR)
        snprintf(text, size, "%.0f min", s / MINUTE);
    else
        snprintf(text, size, "%.1f h", s / HOUR);
}

char *sca_tell_place(const struct sca_look *look, uint32_t context)
{
    const struct scalana_context *at = &look->contexts[context];
    if (*at->file && at->line)
        return sca_words_format("%s:%u", sca_words_base_name(at->file), at->line);
    return sca_words_format("%s", *at->function ? at->function : "unknown code");
}

bool sca_tell_is_sampled(const struct sca_rank_now *rank)
{
    return rank->sampled != SCALANA_NONE && rank->sampled_s <= rank->since_s;
}

#define AWAKE_S 1.0 /* after so long without a sample no thread of the rank computes */

/* "stopped, ": what the kernel says beyond what the rank does. Other threads, which do not call
 * MPI, may compute while this one sleeps. */
static const char *state_words(const struct sca_rank_now *rank)
{
    bool sampled = rank->sampled != SCALANA_NONE && rank->sampled_s < AWAKE_S;
    bool idle = rank->doing == SCALANA_COMPUTES && !sampled;
    return rank->state == SCALANA_THREAD_STOPPED          ? "stopped, "
           : rank->state == SCALANA_THREAD_SLEEPS && idle ? "asleep, "
                                                          : "";
}

static char *computing(const struct sca_look *look, const struct sca_rank_now *rank)
{
    bool sampled = sca_tell_is_sampled(rank);
    const struct scalana_context *at = &look->contexts[sampled ? rank->sampled : rank->context];
    char *place = sca_tell_place(look, sampled ? rank->sampled : rank->context), *text;
    if (sampled)
        text = sca_words_format(
            "%s%s at %s%s%s%s", state_words(rank), *state_words(rank) ? "last" : "computing", place,
            *at->function ? (at->kind == SCALANA_LOOP ? " (loop in " : " (") : "", at->function,
            *at->function ? ")" : "");
    else if (rank->context)
        text = sca_words_format("%soutside MPI since %s at %s", state_words(rank), at->name, place);
    else
        text = sca_words_format("%soutside MPI since MPI_Init", state_words(rank));
    free(place);
    return text;
}

char *sca_tell_doing(const struct sca_look *look, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    if (!rank->known)
        return sca_words_format(look->run.state == SCALANA_RUN_IS_OVER ? "finished" : "unknown");
    if (rank->doing == SCALANA_IN_FINALIZE)
        return sca_words_format("in MPI_Finalize");
    if (rank->doing == SCALANA_HAS_ENDED)
        return sca_words_format("ended without MPI_Finalize");
    if (rank->doing == SCALANA_COMPUTES)
        return computing(look, rank);
    char *place = sca_tell_place(look, rank->context);
    const char *name = look->contexts[rank->context].name;
    bool lock = rank->doing == SCALANA_WAITS_FOR_LOCK;
    char *text =
        sca_words_format("%s%s %s at %s", state_words(rank), rank->polls ? "polling by" : "in",
                         *name  ? name
                         : lock ? "a lock"
                                : "MPI",
                         place);
    free(place);
    return text;
}

static bool is_awaited(const struct sca_hangs *hangs, uint32_t r)
{
    for (uint32_t i = 0; i < hangs->nfinals; i++)
        if (hangs->finals[i].rank == r)
            return true;
    return false;
}

const char *sca_tell_state(const struct sca_look *look, const struct sca_hangs *hangs, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    if (!rank->known)
        return look->run.state == SCALANA_RUN_IS_OVER ? "finished" : "unknown";
    if (rank->doing == SCALANA_HAS_ENDED || (rank->gone && sca_look_goes_on(look)))
        return "ended";
    if (rank->doing == SCALANA_IN_FINALIZE)
        return "finished";
    if (rank->doing == SCALANA_WAITS_FOR_LOCK)
        return "waiting";
    if (rank->doing == SCALANA_COMPUTES)
        return is_awaited(hangs, r) ? "late" : "computing";
    return hangs->clauses.standing[r] == SCA_WAITS ? "waiting" : "in MPI";
}

/* Which one it is of those that were made alike, from 1; 0: there is no other. */
static uint32_t number_among(const struct sca_look *look, uint32_t group,
                             const struct scalana_group *like)
{
    uint32_t before = 0, all = 0;
    struct scalana_group row;
    for (uint32_t g = 0; g < look->run.ngroups; g++)
        if (!scalana_run_groups(look->runs, 0, g, 1, &row, sizeof row) &&
            !strcmp(row.kind, like->kind) && row.size == like->size) {
            all++;
            before += g <= group;
        }
    return all > 1 ? before : 0;
}

char *sca_tell_group(const struct sca_look *look, uint32_t group)
{
    struct scalana_group row;
    if (group == SCALANA_NONE || scalana_run_groups(look->runs, 0, group, 1, &row, sizeof row))
        return sca_words_format("an unknown communicator");
    if (!strcmp(row.kind, "MPI_COMM_WORLD") || !strcmp(row.kind, "MPI_COMM_SELF"))
        return sca_words_format("%s", row.kind);
    uint32_t number = number_among(look, group, &row);
    return number ? sca_words_format("communicator %u of %s (%u ranks)", number, row.kind, row.size)
                  : sca_words_format("a communicator of %s (%u ranks)", row.kind, row.size);
}

/* On a window: what MPI_Win_wait waits for. */
static bool is_of_window(const struct sca_look *look, uint32_t group)
{
    struct scalana_group row;
    return group != SCALANA_NONE &&
           !scalana_run_groups(look->runs, 0, group, 1, &row, sizeof row) &&
           !strcmp(row.kind, "MPI_Win_create");
}

static char *message_words(const struct sca_look *look, const struct scalana_awaited *a)
{
    if (a->location != SCALANA_NONE && is_of_window(look, a->group))
        return sca_words_format("MPI_Win_complete of rank %u", a->location);
    const char *what = a->kind == SCALANA_AWAITS_SENDER ? "a message of" : "the receive of";
    char tag[32] = "";
    if (a->tag != SCALANA_ANY_TAG)
        snprintf(tag, sizeof tag, ", tag %d", a->tag);
    if (a->any_location)
        return sca_words_format("a message of any rank%s", tag);
    if (a->location == SCALANA_NONE)
        return sca_words_format("%s an unknown rank%s", what, tag);
    return sca_words_format("%s rank %u%s", what, a->location, tag);
}

/* How many ranks the clauses of a rank name. */
static uint32_t count_named(const struct sca_hangs *h, uint32_t r, uint32_t *one)
{
    uint32_t n = 0;
    for (uint32_t c = h->clauses.first[r]; c < h->clauses.first[r + 1]; c++)
        for (uint32_t i = 0; i < h->clauses.clause[c].n; i++, n++)
            *one = n ? *one : h->clauses.ranks[h->clauses.clause[c].first + i];
    return n;
}

static char *lock_words(const struct sca_look *look, const struct sca_rank_now *rank)
{
    if (rank->held == SCALANA_NONE)
        return sca_words_format("a lock of another thread");
    char *place = sca_tell_place(look, rank->held);
    char *text = sca_words_format("the lock taken at %s", place);
    free(place);
    return text;
}

char *sca_tell_awaited(const struct sca_look *look, const struct sca_hangs *hangs, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    uint32_t one = 0, n = count_named(hangs, r, &one);
    if (rank->doing == SCALANA_WAITS_FOR_LOCK)
        return lock_words(look, rank);
    if (rank->doing == SCALANA_IN_FINALIZE && n)
        return n == 1 ? sca_words_format("rank %u", one) : sca_words_format("%u ranks", n);
    if (rank->doing != SCALANA_IN_MPI_CALL || !rank->nknown)
        return sca_words_format("%s", "");
    if (hangs->clauses.first[r + 1] > hangs->clauses.first[r]) {
        const struct sca_clause *c = &hangs->clauses.clause[hangs->clauses.first[r]];
        if (c->why->kind <= SCALANA_AWAITS_RECEIVER)
            return message_words(look, c->why);
        char *group = sca_tell_group(look, c->why->group), *text;
        text = n == 1 ? sca_words_format("rank %u of %s", one, group)
                      : sca_words_format("%u ranks of %s", n, group);
        free(group);
        return text;
    }
    return rank->awaited->kind <= SCALANA_AWAITS_RECEIVER
               ? message_words(look, rank->awaited)
               : sca_tell_group(look, rank->awaited->group);
}

/* As the run noted it, in UTC; else as long ago. */
static time_t start_of(const struct sca_look *look)
{
    const char *start = scalana_run_metadata(look->runs, 0, "start");
    struct tm tm = {0};
    return start && strptime(start, "%Y-%m-%dT%H:%M:%S", &tm)
               ? timegm(&tm)
               : time(NULL) - (time_t)look->run.running_s;
}

static void local_time(time_t when, char *text, size_t size)
{
    struct tm tm;
    *text = '\0';
    if (localtime_r(&when, &tm))
        strftime(text, size, "%Y-%m-%d %H:%M:%S", &tm);
}

char *sca_tell_run(const struct sca_look *look)
{
    char for_so_long[32], since[32];
    const struct scalana_run *run = &look->run;
    sca_tell_duration(look->duration_s, for_so_long, sizeof for_so_long);
    local_time(start_of(look), since, sizeof since);
    if (run->state == SCALANA_RUN_GOES_ON)
        return sca_words_format("running since %s, %s so far", since, for_so_long);
    if (run->state == SCALANA_RUN_IS_OVER)
        return sca_words_format("over: it took %s", for_so_long);
    if (run->state == SCALANA_RUN_SNAPSHOT)
        return sca_words_format("a snapshot, %s after MPI_Init", for_so_long);
    if (run->state == SCALANA_RUN_BROKE_OFF)
        return sca_words_format("broke off after %s", for_so_long);
    return sca_words_format("not over, %s so far; its processes are not of this host", for_so_long);
}
