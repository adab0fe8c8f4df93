/* What each iteration of the main loop took, over the run: its levels, drifts and recurring
 * iterations (series/patterns.h), clusters of similar iterations (series/clusters.h), POP's
 * efficiencies along the series. A row is a point; text draws lines of them (series_draw.c). */
#include "views/series.h"
#include "base/degrees.h"
#include "report/verdict.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "views/call_names.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>

enum {
    RUN,
    LOOP,
    FIRST,
    LAST,
    BEGIN,
    SPAN,
    CLUSTER,
    OWN_MIN,
    OWN_MEDIAN,
    OWN_MAX,
    OWN_MEAN,
    OWN_DEVIATION,
    SLOWEST,
    MPI_MIN,
    MPI_MEDIAN,
    MPI_MAX,
    MPI_MEAN,
    OFF_MEAN,
    OFF_MAX,
    MEMORY,
    BALANCE,
    COMMUNICATION,
    PARALLEL,
    PHASE,
    SERIALISATION,
    TRANSFER,
    RECORDED,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [RUN] = {"run", NULL, SCA_CELL_COUNT}, /* from 0, as given */
    [LOOP] = {"loop", NULL, SCA_CELL_COUNT},
    [FIRST] = {"first_iteration", NULL, SCA_CELL_COUNT},
    [LAST] = {"last_iteration", NULL, SCA_CELL_COUNT},
    [BEGIN] = {"begin_s", NULL, SCA_CELL_SECONDS},
    [SPAN] = {"span_s", NULL, SCA_CELL_SECONDS},
    [CLUSTER] = {"cluster", NULL, SCA_CELL_TEXT},
    [OWN_MIN] = {"own_min_s", NULL, SCA_CELL_SECONDS},
    [OWN_MEDIAN] = {"own_median_s", NULL, SCA_CELL_SECONDS},
    [OWN_MAX] = {"own_max_s", NULL, SCA_CELL_SECONDS},
    [OWN_MEAN] = {"own_mean_s", NULL, SCA_CELL_SECONDS},
    [OWN_DEVIATION] = {"own_deviation_s", NULL, SCA_CELL_SECONDS},
    [SLOWEST] = {"slowest_rank", NULL, SCA_CELL_COUNT},
    [MPI_MIN] = {"mpi_min_s", NULL, SCA_CELL_SECONDS},
    [MPI_MEDIAN] = {"mpi_median_s", NULL, SCA_CELL_SECONDS},
    [MPI_MAX] = {"mpi_max_s", NULL, SCA_CELL_SECONDS},
    [MPI_MEAN] = {"mpi_mean_s", NULL, SCA_CELL_SECONDS},
    [OFF_MEAN] = {"off_cpu_mean_s", NULL, SCA_CELL_SECONDS},
    [OFF_MAX] = {"off_cpu_max_s", NULL, SCA_CELL_SECONDS},
    [MEMORY] = {"memory_bytes", NULL, SCA_CELL_NUMBER},
    [BALANCE] = {"load_balance", NULL, SCA_CELL_SHARE},
    [COMMUNICATION] = {"communication_efficiency", NULL, SCA_CELL_SHARE},
    [PARALLEL] = {"parallel_efficiency", NULL, SCA_CELL_SHARE},
    [PHASE] = {"phase", NULL, SCA_CELL_TEXT}, /* as the program names it */
    [SERIALISATION] = {"serialisation", NULL, SCA_CELL_SHARE},
    [TRANSFER] = {"transfer_efficiency", NULL, SCA_CELL_SHARE},
    [RECORDED] = {"recorded_iterations", NULL, SCA_CELL_NUMBER},
};

enum {
    WHAT,
    A_CLUSTER,
    A_RUN,
    A_LOOP,
    A_FIRST,
    A_LAST,
    A_ITERATIONS,
    A_SECONDS,
    A_RATIO,
    A_PERIOD,
    A_BALANCE,
    A_COMMUNICATION,
    A_PARALLEL,
    A_RANKS,
    A_PHASE,
    A_OWN,
    A_MPI,
    A_SERIALISATION,
    A_TRANSFER,
    A_RECORDED,
    A_OWN_MAX,
    A_WAIT,
    A_CALLS,
    A_EVENT,
    A_EVENTS,
    A_EVENTS_MAX,
    A_EVENTS_LEAST,
    A_EVENTS_MOST,
    A_COLUMNS
};

static const struct sca_column answer_columns[A_COLUMNS] = {
    [WHAT] = {"what", NULL, SCA_CELL_TEXT},
    [A_CLUSTER] = {"cluster", NULL, SCA_CELL_TEXT},
    [A_RUN] = {"run", NULL, SCA_CELL_COUNT},
    [A_LOOP] = {"loop", NULL, SCA_CELL_COUNT},
    [A_FIRST] = {"first_iteration", NULL, SCA_CELL_COUNT},
    [A_LAST] = {"last_iteration", NULL, SCA_CELL_COUNT},
    [A_ITERATIONS] = {"iterations", NULL, SCA_CELL_COUNT},
    [A_SECONDS] = {"seconds", NULL, SCA_CELL_SECONDS},
    [A_RATIO] = {"ratio", NULL, SCA_CELL_RATIO},
    [A_PERIOD] = {"period", NULL, SCA_CELL_COUNT},
    [A_BALANCE] = {"load_balance", NULL, SCA_CELL_SHARE},
    [A_COMMUNICATION] = {"communication_efficiency", NULL, SCA_CELL_SHARE},
    [A_PARALLEL] = {"parallel_efficiency", NULL, SCA_CELL_SHARE},
    [A_RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [A_PHASE] = {"phase", NULL, SCA_CELL_TEXT},
    [A_OWN] = {"own_mean_s", NULL, SCA_CELL_SECONDS},
    [A_MPI] = {"mpi_mean_s", NULL, SCA_CELL_SECONDS},
    [A_SERIALISATION] = {"serialisation", NULL, SCA_CELL_SHARE},
    [A_TRANSFER] = {"transfer_efficiency", NULL, SCA_CELL_SHARE},
    [A_RECORDED] = {"recorded_iterations", NULL, SCA_CELL_NUMBER},
    [A_OWN_MAX] = {"own_max_s", NULL, SCA_CELL_SECONDS},
    [A_WAIT] = {"wait_s", NULL, SCA_CELL_SECONDS}, /* in virtual time */
    [A_CALLS] = {"calls", NULL, SCA_CELL_NUMBER},
    [A_EVENT] = {"event", NULL, SCA_CELL_TEXT},
    [A_EVENTS] = {"events_mean", NULL, SCA_CELL_NUMBER}, /* of one iteration, over ranks */
    [A_EVENTS_MAX] = {"events_max", NULL, SCA_CELL_NUMBER},
    [A_EVENTS_LEAST] = {"events_least", NULL, SCA_CELL_NUMBER}, /* over iterations, of the mean */
    [A_EVENTS_MOST] = {"events_most", NULL, SCA_CELL_NUMBER},
};

struct making {
    const struct sca_view_input *in;
    struct sca_table *out, *answer;
    struct sca_series_drawing *drawing;
    uint32_t run, loop;
    bool shared; /* the span has other ranks' turns on the cores in it */
    const struct sca_series *series;
    const struct sca_series_section *section;
    struct sca_series_clusters clusters;
    const uint32_t *ends;
    struct sca_recorded *recorded;        /* of the run */
    struct sca_recorded_point *recording; /* of each cluster */
};

/* ---- rows ---- */

static const char *cluster_name(struct sca_table *t, uint32_t n)
{
    return n < 26 ? sca_table_text(t, "%c", 'A' + (int)n)
                  : sca_table_text(t, "%c%c", 'A' + (int)n / 26 - 1, 'A' + (int)n % 26);
}

static void put_spread(struct sca_cell *cells, const struct sca_series_spread *s)
{
    cells[0].number = s->min;
    cells[1].number = s->median;
    cells[2].number = s->max;
    cells[3].number = s->mean;
}

static void add_point(struct making *m, uint32_t i)
{
    const struct sca_series_point *p = &m->series->points[m->section->first + i];
    struct sca_row *row = sca_table_row(m->out, NULL);
    struct sca_cell *c = row->cells;
    row->label = "iterations";
    c[RUN].number = m->run;
    c[LOOP].number = m->loop;
    c[FIRST].number = (double)(p->number - p->iterations + 1);
    c[LAST].number = (double)p->number;
    c[BEGIN].number = i ? p[-1].end : m->section->begin;
    c[SPAN].number = p->span;
    c[CLUSTER].text = cluster_name(m->out, m->clusters.of[i]);
    put_spread(c + OWN_MIN, &p->own);
    put_spread(c + MPI_MIN, &p->mpi);
    c[OWN_DEVIATION].number = p->deviation;
    c[SLOWEST].number = p->slowest;
    c[OFF_MEAN].number = p->off_mean;
    c[OFF_MAX].number = p->off_max;
    c[MEMORY].number = 1024.0 * p->memory_kb;
    c[PHASE].text = p->phase == SCA_NONE ? "" : m->series->phases[p->phase].name;
    const struct sca_part_efficiency e = sca_point_efficiency(
        m->recorded, m->section->first + i, m->shared, &m->recording[m->clusters.of[i]]);
    c[BALANCE].number = e.load_balance;
    c[COMMUNICATION].number = e.communication;
    c[PARALLEL].number = e.parallel;
    c[SERIALISATION].number = e.serialisation;
    c[TRANSFER].number = e.transfer;
    c[RECORDED].number = m->recorded->points[m->section->first + i].iterations;
}

/* ---- what is said ---- */

static struct sca_row *say(struct making *m, const char *what, const char *label)
{
    struct sca_row *row = sca_table_row(m->answer, NULL);
    for (int i = 0; i < A_COLUMNS; i++)
        row->cells[i].number = (double)NAN;
    const struct sca_ppg *ppg = m->in->ppg;
    row->label = ppg->nruns > 1 && *label
                     ? sca_table_text(m->out, "%s: %s", ppg->runs[m->run].profile->directory, label)
                     : label;
    row->cells[WHAT].text = what;
    row->cells[A_RUN].number = m->run;
    row->cells[A_LOOP].number = m->loop;
    return row;
}

static uint64_t first_of(const struct sca_series_point *p)
{
    return p->number - p->iterations + 1;
}

static void say_pattern(struct making *m, const struct sca_pattern *p)
{
    static const char *const names[] = {"step", "drift", "period", "warm_up", "rotation"};
    struct sca_row *row = say(m, names[p->kind], sca_series_pattern_words(m->out, p));
    double *ranks = sca_workspace_alloc(m->in->space, p->nranks, sizeof *ranks);
    for (uint32_t i = 0; i < p->nranks; i++)
        ranks[i] = p->ranks[i];
    row->bold = true;
    row->cells[A_FIRST].number = (double)p->first;
    row->cells[A_LAST].number = p->kind == SCA_PATTERN_STEP ? (double)NAN : (double)p->last;
    row->cells[A_RATIO].number = p->ratio;
    row->cells[A_PERIOD].number = p->period ? p->period : (double)NAN;
    row->cells[A_RANKS] = (struct sca_cell){.series = ranks, .count = p->nranks};
}

/* Of those that are shown: what changes within them, or goes on. */
static bool acts_within(const struct making *m, const struct sca_pattern *p)
{
    const struct sca_settings *s = m->in->settings;
    uint64_t last = p->kind == SCA_PATTERN_STEP ? p->first : p->last;
    return !s->last_iteration || (p->first <= s->last_iteration && last >= s->first_iteration);
}

static void say_patterns(struct making *m)
{
    struct sca_patterns patterns;
    sca_patterns_find(m->in->space, m->series, &m->series->sections[m->loop], &patterns);
    for (uint32_t i = 0; i < patterns.n; i++) {
        if ((m->shared && sca_pattern_may_be_cores(&patterns.list[i])) ||
            !acts_within(m, &patterns.list[i]))
            continue;
        say_pattern(m, &patterns.list[i]);
        m->drawing->npatterns++;
    }
}

static void say_memory(struct making *m)
{
    const struct sca_memory_growth growth = sca_memory_growth_of(
        m->in->space, m->series->points + m->section->first, m->section->npoints);
    if (!growth.is_real)
        return;
    struct sca_row *row = say(m, "memory", sca_series_memory_words(m->out, &growth));
    row->bold = true;
    row->cells[A_FIRST].number = (double)growth.first;
    row->cells[A_LAST].number = (double)growth.last;
    row->cells[A_RATIO].number = growth.end / growth.begin;
}

static void put_efficiency(struct sca_cell *cells, struct sca_part_efficiency e)
{
    cells[A_BALANCE].number = e.load_balance;
    cells[A_COMMUNICATION].number = e.communication;
    cells[A_PARALLEL].number = e.parallel;
    cells[A_SERIALISATION].number = e.serialisation;
    cells[A_TRANSFER].number = e.transfer;
    cells[A_RECORDED].number = e.recorded;
}

/* What one iteration of the cluster takes there. */
static void say_context(struct making *m, uint32_t k, const struct sca_recorded_context *c)
{
    double n = m->recording[k].iterations;
    struct sca_row *row = say(m, "cluster_context", "");
    row->place = &m->in->ppg->vertices[c->vertex];
    row->cells[A_CLUSTER].text = cluster_name(m->out, k);
    row->cells[A_OWN].number = c->own / n;
    row->cells[A_OWN_MAX].number = c->own_max / n;
    row->cells[A_WAIT].number = c->wait / n;
    row->cells[A_CALLS].number = c->calls / n;
}

/* What its iterations counted. */
static void say_events(struct making *m, uint32_t k)
{
    const struct sca_profile *profile = m->in->ppg->runs[m->run].profile;
    for (uint32_t i = 0; i < profile->nmetrics; i++) {
        const struct sca_cluster_events *e = &m->clusters.cluster[k].events[i];
        struct sca_row *row = say(m, "cluster_events", "");
        row->cells[A_CLUSTER].text = cluster_name(m->out, k);
        row->cells[A_EVENT].text = profile->metrics[i];
        row->cells[A_ITERATIONS].number = (double)e->iterations;
        row->cells[A_EVENTS].number = e->mean;
        row->cells[A_EVENTS_MAX].number = e->max;
        row->cells[A_EVENTS_LEAST].number = e->least;
        row->cells[A_EVENTS_MOST].number = e->most;
    }
}

static void say_cluster(struct making *m, uint32_t k)
{
    const struct sca_series_cluster *c = &m->clusters.cluster[k];
    const struct sca_series_point *p = &m->series->points[m->section->first + c->first];
    struct sca_row *row = say(m, "cluster", "");
    row->cells[A_CLUSTER].text = cluster_name(m->out, k);
    row->cells[A_FIRST].number = (double)(p->number - p->iterations + 1);
    row->cells[A_ITERATIONS].number = (double)c->iterations;
    row->cells[A_SECONDS].number = c->span;
    put_efficiency(row->cells, sca_cluster_efficiency(c, m->shared, &m->recording[k]));
    for (uint32_t i = 0; i < m->recording[k].ncontexts; i++)
        say_context(m, k, &m->recording[k].contexts[i]);
    say_events(m, k);
}

static double end_of(const struct sca_series *s, const struct sca_series_section *section)
{
    return section->npoints ? s->points[section->first + section->npoints - 1].end : section->begin;
}

static uint32_t unfinished(const struct sca_profile *profile)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        n += !profile->ranks[r].complete;
    return n;
}

static void say_phase(struct making *m, const char *what, double seconds)
{
    char text[SCA_FIGURE];
    if (seconds < SCA_NO_TIME)
        return;
    sca_series_seconds(text, seconds);
    struct sca_row *row = say(m, "phase", sca_table_text(m->out, "%s: %s.", what, text));
    row->cells[A_SECONDS].number = seconds;
}

/* The first iterations may have passed before their loop was seen. */
static const char *before_words(struct making *m)
{
    const char *what = m->loop ? "Between loops" : "Before the main loop";
    unsigned long long n = m->section->before;
    return n ? sca_table_text(m->out, "%s, with iterations up to %llu", what, n) : what;
}

/* "whole/refine": the phases around it, too. */
static const char *path_of(struct making *m, uint32_t i)
{
    const struct sca_series_phase *p = &m->series->phases[i];
    return p->parent == SCA_NONE ? p->name
                                 : sca_table_text(m->out, "%s/%s", path_of(m, p->parent), p->name);
}

static void say_named_phase(struct making *m, uint32_t i)
{
    const struct sca_series_phase *p = &m->series->phases[i];
    struct sca_row *row = say(m, "named_phase", "");
    row->cells[A_LOOP].number = (double)NAN;
    row->cells[A_PHASE].text = path_of(m, i);
    row->cells[A_ITERATIONS].number = (double)p->count;
    row->cells[A_SECONDS].number = p->span;
    row->cells[A_OWN].number = p->own.mean;
    row->cells[A_MPI].number = p->mpi.mean;
    put_efficiency(row->cells, sca_phase_efficiency(m->recorded, i, m->shared));
}

/* ---- all ---- */

static int longest_first(const void *a, const void *b)
{
    const struct sca_recorded_context *x = a, *y = b;
    if (x->own + x->wait != y->own + y->wait)
        return x->own + x->wait < y->own + y->wait ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* What windows show of a cluster, and the names of its contexts. */
static const char *const *recording_of(struct making *m, uint32_t k, struct sca_recorded_point *out)
{
    *out = sca_recorded_sum(m->in->space, m->recorded, m->section->first, m->section->npoints,
                            m->clusters.of, (uint8_t)k);
    const char **places = sca_workspace_alloc(m->in->space, out->ncontexts, sizeof *places);
    if (out->ncontexts)
        qsort(out->contexts, out->ncontexts, sizeof *out->contexts, longest_first);
    for (uint32_t i = 0; i < out->ncontexts; i++)
        places[i] = sca_call_name(m->out, m->in->ppg, out->contexts[i].vertex);
    return places;
}

/* The section's points that are to be shown. */
static const struct sca_series_section *chosen(struct making *m)
{
    const struct sca_settings *s = m->in->settings;
    const struct sca_series_section *all = &m->series->sections[m->loop];
    struct sca_series_section *part = sca_workspace_alloc(m->in->space, 1, sizeof *part);
    *part = *all;
    part->npoints = 0;
    for (uint32_t i = 0; i < all->npoints; i++) {
        const struct sca_series_point *p = &m->series->points[all->first + i];
        bool in = !s->last_iteration ||
                  (p->number >= s->first_iteration && first_of(p) <= s->last_iteration);
        if (in && !part->npoints++) {
            part->first = all->first + i;
            part->begin = i ? m->series->points[part->first - 1].end : all->begin;
        }
    }
    return part;
}

static void add_section(struct making *m, struct sca_series_lines *lines)
{
    const struct sca_series_point *points = m->series->points + m->section->first;
    sca_series_clusters_find(m->in->space, points, m->section->npoints, &m->clusters);
    m->recording = sca_workspace_alloc(m->in->space, m->clusters.n, sizeof *m->recording);
    lines->places = sca_workspace_alloc(m->in->space, m->clusters.n, sizeof *lines->places);
    for (uint32_t k = 0; k < m->clusters.n; k++)
        lines->places[k] = recording_of(m, k, &m->recording[k]);
    lines->recorded = m->recording;
    for (uint32_t i = 0; i < m->section->npoints; i++)
        add_point(m, i);
    say_patterns(m);
    say_memory(m);
    for (uint32_t k = 0; k < m->clusters.n; k++)
        say_cluster(m, k);
    lines->clusters = m->clusters;
    lines->points = points;
    lines->section = m->section;
    lines->shared = m->shared;
    lines->profile = m->in->ppg->runs[m->run].profile;
}

static const char *loop_words(struct making *m)
{
    const struct sca_ppg_run *run = &m->in->ppg->runs[m->run];
    uint32_t site = m->section->site;
    uint32_t v = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    const char *at = v == SCA_NONE ? "MPI" : sca_table_place(m->out, &m->in->ppg->vertices[v]);
    if (m->section->source == SCA_SERIES_MARKER)
        return sca_table_text(m->out, "the outermost loop, by its marker; its last call: %s", at);
    return sca_table_text(m->out, "ends with each %s", at);
}

static void add_run(struct making *m)
{
    const struct sca_ppg_run *run = &m->in->ppg->runs[m->run];
    const struct sca_series *s = m->series = run->profile->series;
    double wall = 0, before = 0;
    for (uint32_t r = 0; r < run->nranks; r++)
        wall = fmax(wall, 1e-9 * (double)run->profile->ranks[r].wall_ns);
    m->shared = sca_view_may_share_cores(run);
    m->recorded = sca_workspace_alloc(m->in->space, 1, sizeof *m->recorded);
    sca_recorded_find(m->in->space, m->in->ppg, run, m->ends, m->recorded);
    for (m->loop = 0; m->loop < s->nsections; m->loop++) {
        m->section = chosen(m);
        if (!m->section->npoints)
            continue;
        struct sca_series_lines *lines = &m->drawing->lines[m->drawing->n++];
        lines->run = m->run;
        lines->loop = loop_words(m);
        if (!m->in->settings->last_iteration)
            say_phase(m, before_words(m), fmax(0, m->section->begin - before));
        add_section(m, lines);
        before = end_of(s, m->section);
    }
    if (s->nsections && !m->in->settings->last_iteration)
        say_phase(
            m, unfinished(run->profile) ? "After the last whole iteration" : "After the main loop",
            fmax(0, wall - before));
    if (s->nphases)
        m->drawing->phases[m->drawing->nphased++] =
            (struct sca_series_phase_lines){m->run, m->shared, s, m->recorded};
    for (uint32_t i = 0; i < s->nphases; i++)
        say_named_phase(m, i);
}

/* And of phases that have names. */
static uint32_t sections_of(const struct sca_ppg *ppg, uint32_t *phases)
{
    uint32_t n = 0;
    *phases = 0;
    for (uint32_t i = 0; i < ppg->nruns; i++) {
        const struct sca_series *s = ppg->runs[i].profile->series;
        n += s ? s->nsections : 0;
        *phases += s ? s->nphases : 0;
    }
    return n;
}

/* Ranks that have another series, or none. */
static void note_left_out(struct making *m, const struct sca_profile *profile)
{
    const struct sca_series *s = profile->series;
    uint32_t *ranks = sca_workspace_alloc(m->in->space, profile->nranks, sizeof *ranks), n = 0;
    char *text = sca_workspace_alloc(m->in->space, SCA_PHRASE, 1);
    if (!s || !s->nsections || !s->nleft_out)
        return;
    for (uint32_t r = 0, k = 0; r < profile->nranks; r++)
        if (k < s->nranks && s->ranks[k] == r)
            k++;
        else
            ranks[n++] = r;
    sca_table_note(m->out,
                   "%s: left out: rank%s %s of %u, which iterate differently often or have no "
                   "series.",
                   profile->directory, n == 1 ? "" : "s", sca_phrase_numbers(text, ranks, n),
                   profile->nranks);
}

/* Of a run whose series ends early, or is not there, where others have one. */
static void note_missing(struct making *m, const struct sca_profile *profile)
{
    if (!profile->series || !profile->series->nsections)
        sca_table_note(m->out, "%s: no main loop was seen, so it has no series.",
                       profile->directory);
    else if (unfinished(profile))
        sca_table_note(m->out,
                       "%s: %u of %u ranks had not reached MPI_Finalize. The series has what was "
                       "recorded until then.",
                       profile->directory, unfinished(profile), profile->nranks);
}

static void note_all(struct making *m, uint32_t sections)
{
    const struct sca_series *s = NULL;
    bool shared = false;
    for (uint32_t i = 0; i < m->in->ppg->nruns; i++) {
        const struct sca_series *its = m->in->ppg->runs[i].profile->series;
        s = its ? its : s;
        shared |= sca_view_may_share_cores(&m->in->ppg->runs[i]);
        note_left_out(m, m->in->ppg->runs[i].profile);
        if (sections)
            note_missing(m, m->in->ppg->runs[i].profile);
    }
    sca_table_note(m->out, "own: time outside MPI. What may be noise is left out.");
    sca_table_note(m->out, "Steps: Pettitt's test, by binary segmentation. Drifts: the test of "
                           "Mann and Kendall, with Theil and Sen's slope. Recurring iterations: "
                           "the test of Mann and Whitney.");
    sca_table_note(m->out, "Serialisation, waits and contexts are those of recorded iterations, "
                           "replayed with a core for each rank. n/a: none was recorded.");
    if (shared)
        sca_table_note(m->out, "Ranks shared cores, or the machine was busy: time in MPI is mostly "
                               "scheduling. Parallel efficiency is load balance x serialisation, "
                               "and transfer is not known.");
}

static void make(const struct sca_view_input *in, struct sca_table *out, uint32_t sections)
{
    struct sca_table *answer = sca_workspace_alloc(in->space, 1, sizeof *answer);
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    struct making m = {.in = in, .out = out, .answer = answer, .ends = ends};
    sca_ppg_ends(in->ppg, ends);
    *answer =
        (struct sca_table){.space = in->space, .columns = answer_columns, .ncolumns = A_COLUMNS};
    m.drawing = sca_workspace_alloc(in->space, 1, sizeof *m.drawing);
    m.drawing->lines = sca_workspace_alloc(in->space, sections, sizeof *m.drawing->lines);
    m.drawing->phases = sca_workspace_alloc(in->space, in->ppg->nruns, sizeof *m.drawing->phases);
    m.drawing->answer = answer;
    m.drawing->nruns = in->ppg->nruns;
    for (m.run = 0; m.run < in->ppg->nruns; m.run++)
        if (in->ppg->runs[m.run].profile->series)
            add_run(&m);
    if (sections && !m.drawing->n && in->settings->last_iteration)
        out->status = sca_fail(SCA_ENOTFOUND, "--iterations: no loop has iteration %u",
                               in->settings->first_iteration);
    out->answer = answer;
    out->draw = sca_series_draw;
    out->drawing = m.drawing;
    note_all(&m, sections);
}

void sca_view_series(const struct sca_view_input *in, struct sca_table *out)
{
    uint32_t phases, sections = sections_of(in->ppg, &phases),
                     ranks = in->ppg->runs[in->ppg->nruns - 1].nranks;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s, %u rank%s: its iterations over time", in->ppg->program,
                                ranks, ranks == 1 ? "" : "s");
    if (sections || phases)
        make(in, out, sections);
    if (!sections)
        sca_table_note(out, "No main loop was seen: no series. It needs a loop with MPI calls and "
                            "at least four iterations, and a run recorded since release 0.2, "
                            "without SCALANA_SERIES=off, in one MPI_COMM_WORLD.");
}
