#include "base/degrees.h"
#include "imbalance/work_queue.h"
#include "report/notes.h"
#include "sca_phrase.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

/* Waits that no cause is charged with. */
static double waits_left(const struct sca_analysis *c)
{
    double waits = c->accounts[c->last].waits;
    for (uint32_t i = 0; i < c->causes.count; i++)
        waits -= c->prices[c->causes.items[i]->number].cost;
    return waits;
}

/* Where messages alone are exchanged windows of the ranks do not begin together, and are not what
 * is replayed. If ranks wait for each other in each step, all may wait for what they show. */
static bool shows_moving(const struct sca_analysis *c)
{
    const struct sca_traces *traces = &c->traces[c->last];
    return !traces->recorded && traces->moving * c->measures[c->last].nranks >= SCA_RELEVANT;
}

/* Calls are put in an order by totals, which other orders may fit as well. */
static void note_by_totals(struct sca_analysis *c)
{
    if (shows_moving(c))
        sca_notes_add(c,
                      "No collective of all ranks aligns their iterations, so totals determine the "
                      "order of calls. This order omits rotating imbalance; where all ranks wait "
                      "for it, efficiencies are too high. Recorded iterations show some%s.",
                      c->measures[c->last].shared ? " (shared cores may cause it)" : "");
    else if (!c->order_known && waits_left(c) >= SCA_RELEVANT * c->accounts[c->last].base)
        sca_notes_add(c, "Neither recorded iterations nor totals determine the order of calls. The "
                         "replay uses one order that fits; in another order ranks may wait less, "
                         "or more. SCALANA_RECORD=full records the order.");
}

static void note_missing(struct sca_analysis *c)
{
    const struct sca_stage *stage = &c->stages[c->last];
    if (stage->lost > SCA_NEGLIGIBLE * c->measures[c->last].total)
        sca_notes_add(c,
                      "The replay lacks %.0f %% of the computation, whose order is unknown. Costs "
                      "and gains are too low by about as much.",
                      100 * stage->lost / c->measures[c->last].total);
    if ((double)stage->forced > SCA_NEGLIGIBLE * (double)stage->events)
        sca_notes_add(
            c, "%.0f %% of the MPI calls found no partner in the replay, so waits are uncertain.",
            100.0 * (double)stage->forced / (double)stage->events);
}

static bool begins(const char *function, const char *with)
{
    return !strncmp(function, with, strlen(with));
}

/* Waits for transfers to end. */
static bool is_flush(const char *function)
{
    return begins(function, "MPI_Win_flush");
}

/* May wait until a target, which takes no part in it, helps. */
static bool is_passive(const char *function)
{
    static const char *const names[] = {"MPI_Put",
                                        "MPI_Get",
                                        "MPI_Accumulate",
                                        "MPI_Rput",
                                        "MPI_Rget",
                                        "MPI_Raccumulate",
                                        "MPI_Get_accumulate",
                                        "MPI_Fetch_and_op",
                                        "MPI_Compare_and_swap"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(function, names[i]))
            return true;
    return begins(function, "MPI_Win_lock") || begins(function, "MPI_Win_unlock");
}

/* What the replay waits there, for words that other ranks set. */
static double time_played(const struct sca_analysis *c, uint32_t vertex)
{
    const struct sca_site_wait *of = c->costs[c->last].sites + (size_t)vertex * SCA_WAIT_CLASSES;
    double seconds = 0;
    for (int k = 0; k < SCA_WAIT_CLASSES; k++)
        seconds += of[k].seconds;
    return seconds;
}

/* Seconds in such calls, of all ranks; *most: the vertex with most of it. */
static double time_unplayed(const struct sca_analysis *c, uint32_t *most)
{
    const struct sca_measure *m = &c->measures[c->last];
    double all = 0, greatest = 0;
    for (uint32_t v = 0; v < c->ppg->nvertices; v++) {
        const char *function = c->ppg->vertices[v].name;
        if (c->ppg->vertices[v].kind != SCA_MPI || !(is_flush(function) || is_passive(function)))
            continue;
        double seconds = sca_over_ranks_sum(m->run->mpi + (size_t)v * m->nranks, m->nranks);
        double played = time_played(c, v);
        if (!is_flush(function) && played > SCA_NEGLIGIBLE * seconds)
            continue; /* for who has the lock */
        seconds = fmax(0, seconds - played);
        all += seconds;
        *most = seconds > greatest ? v : *most;
        greatest = fmax(greatest, seconds);
    }
    return all;
}

/* They are no edges of the replay: a rank that is late there is waited for where it next meets the
 * others, and a reader would look for the wait in the wrong place. */
static void note_one_sided(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    uint32_t most = 0;
    double seconds = time_unplayed(c, &most);
    char place[SCA_PHRASE];
    /* on shared cores any call takes long */
    double least = m->shared ? SCA_HALF : SCA_SUBSTANTIAL;
    if (m->mpi > 0 && seconds > least * m->mpi)
        sca_notes_add(
            c,
            "Calls on windows took %.0f %% of the time in MPI, mostly at %s. No rank had what they "
            "waited for: perhaps the target makes no progress. An MPI library that needs the "
            "target's CPU does nothing until the target calls MPI. The replay omits such waits, "
            "and no efficiency includes them. A thread for progress (MPICH_ASYNC_PROGRESS=1) or "
            "the network can end that.",
            100 * seconds / m->mpi, sca_phrase_vertex(place, &c->report->vertices[most]));
}

/* Costs are charged by exact computation; a cause also has to be abnormal. What the two leave
 * between them is said, not hidden. */
static void note_unexplained(struct sca_analysis *c)
{
    double waits = c->costs[c->last].waits, open = c->costs[c->last].unexplained;
    if (waits > c->settings->min_share * c->accounts[c->last].base && open > SCA_RELEVANT * waits)
        sca_notes_add(c,
                      "%.0f %% of the replayed waits could not be attributed to any computation.",
                      100 * open / waits);
}

void sca_notes_of_replay(struct sca_analysis *c)
{
    note_by_totals(c);
    note_missing(c);
    note_one_sided(c);
    note_unexplained(c);
}

/* Of ranks that share cores, who is first is chance, and with it who waits in the replay. */
static void note_served_by_chance(struct sca_analysis *c)
{
    sca_notes_add(c,
                  "Rank %u serves the other ranks one by one, in a varying order. The replay keeps "
                  "the recorded order, which is random on shared cores. With one core per rank "
                  "they may wait less. Efficiencies, costs and gains are estimates.",
                  c->server);
}

void sca_notes_of_served(struct sca_analysis *c)
{
    if (c->server != SCA_NONE)
        note_served_by_chance(c);
    for (uint32_t i = 0; i < c->causes.count && c->server == SCA_NONE; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        if (cause->category <= SCA_CAUSE_SERIAL &&
            sca_work_queue_find(c->space, &c->measures[c->last], c->ends, cause).server != SCA_NONE)
            sca_notes_add(c,
                          "Cause %u is in work that appears to use dynamic scheduling. The replay "
                          "keeps the recorded assignment and order of the pieces. After a fix, the "
                          "assignment would differ. The gain is an estimate.",
                          i + 1);
    }
}
