/* What hangs, and who is waited for, in sentences (tell.h). */
#include "tell/tell.h"
#include "waits/coming.h"
#include "waits/odd_counts.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOES_ON_S 1.0 /* whoever is in its call for less */

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

/* " with root 1"; "" where it is not the root that differs. */
static void root_words(const struct sca_mismatch *m, uint32_t root, char text[32])
{
    *text = '\0';
    if (m->roots && root != SCALANA_NONE)
        snprintf(text, 32, " with root %u", root);
}

static char *mismatch(const struct sca_look *look, const struct sca_mismatch *m)
{
    char since[32], root[32], other[32], *group = sca_tell_group(look, m->group);
    char *first = sca_tell_doing(look, m->first), *second = other_call(look, m);
    char *who = rank_and_others(m->first, m->nfirst);
    sca_tell_duration(look->ranks[m->first].since_s, since, sizeof since);
    root_words(m, look->ranks[m->first].awaited->location, root);
    root_words(m, m->root, other);
    char *text =
        sca_words_format("%s on %s since %s: %s %s %s%s, but %s%s",
                         m->roots ? "different roots" : "mismatched collectives", group, since, who,
                         m->nfirst > 1 ? "are" : "is", first, root, second, other);
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
    struct sca_other_tag found;
    uint32_t first = h->clauses.first[r];
    bool waits = h->clauses.first[r + 1] > first;
    if (!waits || h->awaits[r] == SCALANA_NONE ||
        !sca_coming_other_tag(look, r, h->awaits[r], &found))
        return sca_words_format("%s", waits && h->clauses.clause[first].other
                                          ? ", which has sent as many messages, but not these"
                                          : "");
    char *place = sca_tell_place(look, found.context), *text;
    text = sca_words_format(", for tag %d; of its messages one with tag %d, sent at %s, is there",
                            found.awaited, found.tag, place);
    free(place);
    return text;
}

/* "MPI_Barrier at a.c:12": the call that a rank is in or left last. */
static char *last_call(const struct sca_look *look, uint32_t r)
{
    uint32_t context = look->ranks[r].context;
    if (!context)
        return sca_words_format("MPI_Init");
    char *place = sca_tell_place(look, context);
    char *text = sca_words_format("%s at %s", look->contexts[context].name, place);
    free(place);
    return text;
}

/* How it came that a rank is not there any more. */
static char *ending(const struct sca_look *look, uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    const struct scalana_context *at = &look->contexts[rank->context];
    bool called = at->kind == SCALANA_CALL || !strcmp(at->name, "MPI_Abort");
    char *call = last_call(look, r), *seen = NULL, *text;
    if (sca_tell_is_sampled(rank))
        seen = sca_tell_place(look, rank->sampled);
    if (rank->doing == SCALANA_WAITS_FOR_LOCK)
        text = sca_words_format("whose threads wait for each other");
    else if (rank->doing != SCALANA_HAS_ENDED)
        text = sca_words_format("whose process is gone, after %s", call);
    else if (called)
        text = sca_words_format("which called %s", call);
    else
        text = sca_words_format("which ended without MPI_Finalize, in or after %s%s%s", call,
                                seen ? ", last seen at " : "", seen ? seen : "");
    free(call);
    free(seen);
    return text;
}

/* "thread 12 in pthread_mutex_lock at a.c:9 waits for thread 13, which took the lock at a.c:4" */
static char *lock_wait(const struct sca_look *look, const struct scalana_activity *a)
{
    char *place = sca_tell_place(look, a->context), *held = NULL, *text;
    const char *name = look->contexts[a->context].name;
    if (a->doing != SCALANA_WAITS_FOR_LOCK) {
        text = sca_words_format("thread %u in %s at %s waits for a message of its own rank",
                                a->thread, name, place);
    } else {
        held = a->held == SCALANA_NONE ? NULL : sca_tell_place(look, a->held);
        text = sca_words_format(
            "thread %u in %s at %s waits for thread %u, which took the lock%s%s", a->thread,
            *name ? name : "a lock", place, a->holder, held ? " at " : "", held ? held : "");
    }
    free(place);
    free(held);
    return text;
}

/* Why nobody else of a rank goes on: a thread that may send waits for what this one has. */
static char *lock_beside(const struct sca_look *look, uint32_t r)
{
    const struct scalana_activity *a = sca_locks_wait_of(look, r);
    if (!a || look->ranks[r].doing != SCALANA_IN_MPI_CALL)
        return sca_words_format("%s", "");
    char *wait = lock_wait(look, a), *text = sca_words_format(", while %s", wait);
    free(wait);
    return text;
}

/* " on communicator 2 of MPI_Comm_dup (4 ranks)": of a collective not on all ranks. */
static char *where_met(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    uint32_t first = h->clauses.first[r];
    const struct scalana_awaited *why =
        h->clauses.first[r + 1] > first ? h->clauses.clause[first].why : NULL;
    if (!why || sca_coming_is_message(why) || why->group == SCALANA_NONE)
        return sca_words_format("%s", "");
    char *group = sca_tell_group(look, why->group), *text;
    bool all = !group || !strcmp(group, "MPI_COMM_WORLD");
    text = sca_words_format("%s%s", all ? "" : " on ", all ? "" : group);
    free(group);
    return text;
}

static char *one_wait(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    char *doing = sca_tell_doing(look, r), *tag = other_tag(look, h, r), *text;
    uint32_t on = h->awaits[r];
    bool ended = h->stuck[on] && h->clauses.standing[on] != SCA_WAITS;
    char *end = ended ? ending(look, on) : NULL, *beside = lock_beside(look, r);
    char *met = where_met(look, h, r);
    text = sca_words_format("rank %u %s waits for rank %u%s%s%s%s%s", r, doing, on, met, tag,
                            end ? ", " : "", end ? end : "", beside);
    free(end);
    free(beside);
    free(met);
    free(doing);
    free(tag);
    return text;
}

/* "; rank 2 has called MPI_Send at a.c:19 1599 times, 4 ranks like it 1600 times" */
static void put_odd_count(FILE *out, const struct sca_look *look, const struct sca_hangs *h)
{
    struct sca_odd_count odd;
    if (!sca_odd_counts_find(look, h, &odd))
        return;
    char *place = sca_tell_place(look, odd.context);
    fprintf(out, "; rank %u has called %s at %s %.0f time%s, %u ranks like it %.0f time%s",
            odd.rank, look->contexts[odd.context].name, place ? place : "", odd.calls,
            odd.calls > 1 ? "s" : "", odd.nusual, odd.usual, odd.usual > 1 ? "s" : "");
    free(place);
}

/* Whether it waits, in the end, for one of the ranks of the circle that is described. */
static bool waits_for_cycle(const struct sca_look *look, const struct sca_hangs *h, uint32_t r)
{
    for (uint32_t hops = 0; hops < look->nranks && r != SCALANA_NONE; hops++, r = h->awaits[r])
        for (uint32_t i = 0; i < h->ncycle; i++)
            if (h->cycle[i] == r)
                return true;
    return false;
}

/* "; 2 more wait for them; 4 more wait for each other, or for such" */
static void put_other_stuck(FILE *out, const struct sca_look *look, const struct sca_hangs *h)
{
    uint32_t behind = 0, elsewhere = h->nstuck - h->ncycle;
    for (uint32_t r = 0; r < look->nranks; r++)
        behind += h->stuck[r] && waits_for_cycle(look, h, r);
    behind -= h->ncycle;
    elsewhere -= behind;
    if (behind)
        fprintf(out, "; %u more wait%s for them", behind, behind == 1 ? "s" : "");
    if (elsewhere)
        fprintf(out, "; %u more are stuck without them", elsewhere);
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
    if (h->ncycle > 1)
        fprintf(out, "deadlock of %u ranks since %s: ", h->ncycle, since);
    else
        fprintf(out, "deadlock of a rank with itself since %s: ", since);
    for (uint32_t i = 0; i < h->ncycle && i < TOLD; i++) {
        char *wait = one_wait(look, h, h->cycle[i]);
        fprintf(out, "%s%s", i ? "; " : "", wait ? wait : "");
        free(wait);
    }
    if (h->ncycle > TOLD)
        fprintf(out, "; and so on in a circle");
    put_other_stuck(out, look, h);
    put_odd_count(out, look, h);
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

/* Ranks that have ended by themselves, where nobody is known to wait for them: the first one. */
static char *ended(const struct sca_look *look)
{
    uint32_t n = 0, first = 0;
    for (uint32_t r = 0; r < look->nranks; r++)
        if (look->ranks[r].known && look->ranks[r].doing == SCALANA_HAS_ENDED)
            first = !n++ || look->ranks[r].since_s > look->ranks[first].since_s ? r : first;
    if (!n)
        return NULL;
    char others[48] = "", *how = ending(look, first), *text;
    if (n > 1)
        snprintf(others, sizeof others, "%u ranks ended like it", n - 1);
    bool all = n == look->nranks || look->run.state != SCALANA_RUN_BROKE_OFF;
    text = sca_words_format("a rank is gone: rank %u, %s%s%s%s", first, how, *others ? "; " : "",
                            others, all ? "" : "; then the job broke off");
    free(how);
    return text;
}

/* "all 3 other ranks wait, through 2 hops, for rank 1" */
static char *waiting(const struct sca_look *look, const struct sca_final *f)
{
    char hops[48] = "";
    bool all = f->nwaiting + 1 == look->nranks, one = f->nwaiting == 1;
    bool over = look->run.state == SCALANA_RUN_BROKE_OFF;
    if (f->hops > 1)
        snprintf(hops, sizeof hops, ", through %u hops,", f->hops);
    return sca_words_format("%s%u%s rank%s wait%s%s for rank %u",
                            all && look->nranks > 2 ? "all " : "", f->nwaiting, all ? " other" : "",
                            one ? "" : "s",
                            over  ? "ed"
                            : one ? "s"
                                  : "",
                            hops, f->rank);
}

static char * final(const struct sca_look *look, const struct sca_final *f)
{
    const struct sca_rank_now *rank = &look->ranks[f->rank];
    bool sampled = rank->doing == SCALANA_COMPUTES && sca_tell_is_sampled(rank);
    char since[32], *who = waiting(look, f), *doing = sca_tell_doing(look, f->rank), *text;
    char *called = called_at(look, sampled ? rank->sampled : 0);
    bool unseen = rank->doing == SCALANA_COMPUTES && !sampled; /* since a call */
    sca_tell_duration(rank->since_s, since, sizeof since);
    if (rank->since_s < GOES_ON_S && look->run.state == SCALANA_RUN_GOES_ON)
        text = sca_words_format("%s, which goes on: now %s%s", who, doing, called);
    else
        text = sca_words_format("%s, %s%s%s%s%s", who, doing, called, unseen ? ", " : " since ",
                                since, unseen ? " ago" : "");
    free(who);
    free(doing);
    free(called);
    return text;
}

static char *lock_cycle(const struct sca_look *look, const struct sca_lock_cycle *cycle)
{
    char since[32], *text = NULL;
    size_t size;
    double least = look->activities[cycle->activity[0]].since_s;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (uint32_t i = 1; i < cycle->n; i++)
        if (look->activities[cycle->activity[i]].since_s < least)
            least = look->activities[cycle->activity[i]].since_s;
    sca_tell_duration(least, since, sizeof since);
    fprintf(out, "deadlock of threads in rank %u since %s: ", cycle->rank, since);
    for (uint32_t i = 0; i < cycle->n; i++) {
        char *wait = lock_wait(look, &look->activities[cycle->activity[i]]);
        fprintf(out, "%s%s", i ? "; " : "", wait ? wait : "");
        free(wait);
    }
    fclose(out);
    return text;
}

/* Whether anybody hangs: then that says it all. */
static char *tell_alarm(const struct sca_look *look, const struct sca_hangs *h, uint32_t number)
{
    if (number < h->locks.n)
        return lock_cycle(look, &h->locks.list[number]);
    number -= h->locks.n;
    if (number < h->mismatches.n)
        return mismatch(look, &h->mismatches.list[number]);
    if (h->mismatches.n || number)
        return NULL;
    if (!h->nstuck)
        return ended(look);
    return h->ncycle ? deadlock(look, h) : bereaved(look, h);
}

static uint32_t count_alarms(const struct sca_look *look, const struct sca_hangs *h)
{
    bool told = h->ncycle == 1 && sca_locks_has(&h->locks, h->cycle[0]);
    bool stuck = h->nstuck && !told;
    for (uint32_t r = 0; !stuck && !told && r < look->nranks; r++)
        stuck = look->ranks[r].known && look->ranks[r].doing == SCALANA_HAS_ENDED;
    return h->locks.n + (h->mismatches.n ? h->mismatches.n : stuck);
}

char *sca_tell_hang(const struct sca_look *look, const struct sca_hangs *h, uint32_t number,
                    bool *alarm)
{
    uint32_t alarms = count_alarms(look, h);
    *alarm = number < alarms;
    if (*alarm)
        return tell_alarm(look, h, number);
    number -= alarms;
    return number < h->nfinals && !h->mismatches.n ? final(look, &h->finals[number]) : NULL;
}
