#include "look/look.h"
#include "show/tell.h"
#include "waits/unmatched.h"
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

/* Only a sample of this very interval says where the rank is. */
static bool is_sampled(const struct sca_rank_now *rank)
{
    return rank->sampled != SCALANA_NONE && rank->sampled_s <= rank->since_s;
}

/* " called at hangs.c:64": where the function is called from, unless that is where it is. */
static char *called_at(const struct sca_look *look, uint32_t context)
{
    uint32_t c = context;
    while (c && look->contexts[c].kind != SCALANA_CALL)
        c = look->contexts[c].parent;
    if (!c || !*look->contexts[c].file || !look->contexts[c].line)
        return sca_words_format("%s", "");
    char *place = sca_tell_place(look, c), *text = sca_words_format(", called at %s", place);
    free(place);
    return text;
}

static char *computing(const struct sca_look *look, const struct sca_rank_now *rank)
{
    bool sampled = is_sampled(rank);
    const struct scalana_context *at = &look->contexts[sampled ? rank->sampled : rank->context];
    char *place = sca_tell_place(look, sampled ? rank->sampled : rank->context), *text;
    if (sampled)
        text =
            sca_words_format("computing at %s%s%s%s", place,
                             *at->function ? (at->kind == SCALANA_LOOP ? " (loop in " : " (") : "",
                             at->function, *at->function ? ")" : "");
    else if (rank->context)
        text = sca_words_format("outside MPI since %s at %s", at->name, place);
    else
        text = sca_words_format("outside MPI since MPI_Init");
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
    char *text = sca_words_format("in %s at %s", *name ? name : "MPI", place);
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
    if (rank->doing == SCALANA_COMPUTES)
        return is_awaited(hangs, r) ? "late" : "computing";
    return hangs->clauses.standing[r] == SCA_WAITS ? "waiting" : "in MPI";
}

static char *group_name(const struct sca_look *look, uint32_t group)
{
    struct scalana_group row;
    if (group == SCALANA_NONE || scalana_run_groups(look->runs, 0, group, 1, &row, sizeof row))
        return sca_words_format("an unknown communicator");
    if (!strcmp(row.kind, "MPI_COMM_WORLD") || !strcmp(row.kind, "MPI_COMM_SELF"))
        return sca_words_format("%s", row.kind);
    return sca_words_format("a communicator of %s (%u ranks)", row.kind, row.size);
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

char *sca_tell_awaited(const struct sca_look *look, const struct sca_hangs *hangs, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    uint32_t one = 0, n = count_named(hangs, r, &one);
    if (rank->doing == SCALANA_IN_FINALIZE && n)
        return n == 1 ? sca_words_format("rank %u", one) : sca_words_format("%u ranks", n);
    if (rank->doing != SCALANA_IN_MPI_CALL || !rank->nknown)
        return sca_words_format("%s", "");
    if (hangs->clauses.first[r + 1] > hangs->clauses.first[r]) {
        const struct sca_clause *c = &hangs->clauses.clause[hangs->clauses.first[r]];
        if (c->why->kind <= SCALANA_AWAITS_RECEIVER)
            return message_words(look, c->why);
        char *group = group_name(look, c->why->group), *text;
        text = n == 1 ? sca_words_format("rank %u of %s", one, group)
                      : sca_words_format("%u ranks of %s", n, group);
        free(group);
        return text;
    }
    return rank->awaited->kind <= SCALANA_AWAITS_RECEIVER ? message_words(look, rank->awaited)
                                                          : group_name(look, rank->awaited->group);
}

/* ---- sentences ---- */

/* "rank 3", "rank 3 and 1 other", "rank 3 and 5 others". */
static char *rank_and_others(uint32_t rank, uint32_t n)
{
    return n > 1 ? sca_words_format("rank %u and %u other%s", rank, n - 1, n > 2 ? "s" : "")
                 : sca_words_format("rank %u", rank);
}

/* What the second rank called: it is in it, or was. */
static char *other_call(const struct sca_look *look, const struct sca_mismatch *m)
{
    char *place = sca_tell_place(look, m->context), *who = rank_and_others(m->second, m->nsecond);
    bool several = m->nsecond > 1;
    char *text = sca_words_format("%s %s %s at %s", who,
                                  m->passed ? several ? "have called" : "has called"
                                  : several ? "are in"
                                            : "is in",
                                  look->contexts[m->context].name, place);
    free(place);
    free(who);
    return text;
}

static char *mismatch(const struct sca_look *look, const struct sca_mismatch *m)
{
    char since[32], *group = group_name(look, m->group);
    char *first = sca_tell_doing(look, m->first), *second = other_call(look, m);
    char *who = rank_and_others(m->first, m->nfirst);
    sca_tell_duration(look->ranks[m->first].since_s, since, sizeof since);
    char *text = sca_words_format("%s on %s since %s: %s %s %s, but %s",
                                  m->roots ? "different roots" : "mismatched collectives", group,
                                  since, who, m->nfirst > 1 ? "are" : "is", first, second);
    free(who);
    free(group);
    free(first);
    free(second);
    return text;
}

/* ", for tag 7; of its messages one with tag 8, sent at b.c:30, is there": "" where that is not
 * what holds the rank up. */
static char *other_tag(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    struct scalana_under_way way;
    uint32_t first = h->clauses.first[r];
    const struct scalana_awaited *why =
        h->clauses.first[r + 1] > first ? h->clauses.clause[first].why : NULL;
    if (!why || !sca_unmatched_one(look, r, why, &way))
        return sca_words_format("%s", "");
    char *place = sca_tell_place(look, way.context), *text;
    text = sca_words_format(", for tag %d; of its messages one with tag %d, sent at %s, is there",
                            why->tag, way.tag, place);
    free(place);
    return text;
}

static char *one_wait(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    char *doing = sca_tell_doing(look, r), *tag = other_tag(look, h, r), *text;
    uint32_t on = h->awaits[r];
    const struct sca_rank_now *other = &look->ranks[on];
    bool ended = h->stuck[on] && h->clauses.standing[on] != SCA_WAITS;
    text = sca_words_format("rank %u %s waits for rank %u%s%s", r, doing, on, tag,
                            ended ? other->doing == SCALANA_HAS_ENDED
                                        ? ", which ended without MPI_Finalize"
                                        : ", whose process is gone"
                                  : "");
    free(doing);
    free(tag);
    return text;
}

static char *deadlock(const struct sca_look *look, const struct sca_hangs *h)
{
    enum { TOLD = 3 };
    char since[32], *text = NULL;
    size_t size;
    double least = look->ranks[h->cycle[0]].since_s;
    for (uint32_t i = 1; i < h->ncycle; i++)
        if (look->ranks[h->cycle[i]].doing == SCALANA_IN_MPI_CALL &&
            look->ranks[h->cycle[i]].since_s < least)
            least = look->ranks[h->cycle[i]].since_s;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    sca_tell_duration(least, since, sizeof since);
    fprintf(out, "deadlock of %u ranks since %s: ", h->ncycle, since);
    for (uint32_t i = 0; i < h->ncycle && i < TOLD; i++) {
        char *wait = one_wait(look, h, h->cycle[i]);
        fprintf(out, "%s%s", i ? "; " : "", wait ? wait : "");
        free(wait);
    }
    if (h->ncycle > TOLD)
        fprintf(out, "; and so on in a circle");
    if (h->nstuck > h->ncycle)
        fprintf(out, "; %u more wait for them", h->nstuck - h->ncycle);
    fclose(out);
    return text;
}

/* Stuck, and not in a circle: behind a rank that is gone. */
static char *bereaved(const struct sca_look *look, const struct sca_hangs *h)
{
    uint32_t n = 0, first = SCALANA_NONE;
    for (uint32_t r = 0; r < look->nranks; r++)
        if (h->stuck[r] && h->awaits[r] != SCALANA_NONE &&
            h->clauses.standing[h->awaits[r]] != SCA_WAITS) {
            first = n++ ? first : r;
        }
    if (!n)
        return NULL;
    char *wait = one_wait(look, h, first), *text;
    text = h->nstuck > 1 ? sca_words_format("%s; %u more will never go on", wait, h->nstuck - 1)
                         : sca_words_format("%s and will never go on", wait);
    free(wait);
    return text;
}

static char * final(const struct sca_look *look, const struct sca_final *f)
{
    const struct sca_rank_now *rank = &look->ranks[f->rank];
    bool sampled = rank->doing == SCALANA_COMPUTES && is_sampled(rank);
    char since[32], hops[48] = "", *doing = sca_tell_doing(look, f->rank), *text;
    char *called = called_at(look, sampled ? rank->sampled : 0);
    bool all = f->nwaiting + 1 == look->nranks;
    sca_tell_duration(look->ranks[f->rank].since_s, since, sizeof since);
    if (f->hops > 1)
        snprintf(hops, sizeof hops, ", through %u hops,", f->hops);
    bool unseen = rank->doing == SCALANA_COMPUTES && !sampled; /* since a call */
    text = sca_words_format("%s%u%s rank%s wait%s%s for rank %u, %s%s%s%s%s",
                            all && look->nranks > 2 ? "all " : "", f->nwaiting, all ? " other" : "",
                            f->nwaiting == 1 ? "" : "s", f->nwaiting == 1 ? "s" : "", hops, f->rank,
                            doing, called, unseen ? ", " : " since ", since, unseen ? " ago" : "");
    free(doing);
    free(called);
    return text;
}

char *sca_tell_hang(const struct sca_look *look, const struct sca_hangs *h, uint32_t number,
                    bool *alarm)
{
    *alarm = true;
    if (number < h->mismatches.n)
        return mismatch(look, &h->mismatches.list[number]);
    number -= h->mismatches.n;
    if (h->nstuck && !h->mismatches.n && !number--)
        return h->ncycle ? deadlock(look, h) : bereaved(look, h);
    *alarm = false;
    return number < h->nfinals && !h->mismatches.n ? final(look, &h->finals[number]) : NULL;
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
