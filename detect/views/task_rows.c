#include "views/task_rows.h"
#include "views/call_names.h"

#include <math.h>
#include <string.h>

enum {
    CLASS,
    ITEM,
    ACTIVITY,
    ID,
    FROM,
    TO,
    SHOWN,
    FROM_RANK,
    TO_RANK,
    PAIRS,
    COUNT,
    BYTES,
    SECONDS,
    SHARE,
    ITERATIONS,
    MEAN,
    LEAST,
    MOST,
    DEVIATION,
    SEEN,
    KNOWN,
    SEND_AT,
    RECEIVE_AT,
    CLASSES_FROM,
    CLASSES,
    SIZES_FROM,
    SIZES,
    COUNTERS,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [CLASS] = {"class", NULL, SCA_CELL_TEXT},
    [ITEM] = {"item", NULL, SCA_CELL_TEXT},
    [ACTIVITY] = {"activity", NULL, SCA_CELL_TEXT},
    [ID] = {"id", NULL, SCA_CELL_COUNT},
    [FROM] = {"from", NULL, SCA_CELL_COUNT},
    [TO] = {"to", NULL, SCA_CELL_COUNT},
    [SHOWN] = {"", "#", SCA_CELL_TEXT},
    [FROM_RANK] = {"from_rank", NULL, SCA_CELL_COUNT},
    [TO_RANK] = {"to_rank", NULL, SCA_CELL_COUNT},
    [PAIRS] = {"rank_pairs", NULL, SCA_CELL_COUNT},
    [COUNT] = {"count", "times", SCA_CELL_COUNT},
    [BYTES] = {"bytes", "bytes", SCA_CELL_NUMBER},
    [SECONDS] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [ITERATIONS] = {"iterations", NULL, SCA_CELL_COUNT},
    [MEAN] = {"mean_s", NULL, SCA_CELL_SECONDS},
    [LEAST] = {"min_s", NULL, SCA_CELL_SECONDS},
    [MOST] = {"max_s", NULL, SCA_CELL_SECONDS},
    [DEVIATION] = {"sd_s", NULL, SCA_CELL_SECONDS},
    [SEEN] = {"seen", NULL, SCA_CELL_COUNT},
    [KNOWN] = {"known", NULL, SCA_CELL_TEXT},
    [SEND_AT] = {"send_at", NULL, SCA_CELL_TEXT},
    [RECEIVE_AT] = {"receive_at", NULL, SCA_CELL_TEXT},
    [CLASSES_FROM] = {"histogram_from_s", NULL, SCA_CELL_SECONDS},
    [CLASSES] = {"histogram", NULL, SCA_CELL_SERIES},
    [SIZES_FROM] = {"sizes_from_bytes", NULL, SCA_CELL_NUMBER},
    [SIZES] = {"sizes", NULL, SCA_CELL_SERIES},
    [COUNTERS] = {"counters", NULL, SCA_CELL_SERIES},
};

void sca_task_rows_columns(struct sca_table *out)
{
    out->columns = columns;
    out->ncolumns = COLUMNS;
}

/* ---- cells ---- */

static struct sca_row *begin_row(struct sca_task_rows *r, const struct sca_ppg_vertex *place,
                                 const char *item)
{
    struct sca_row *row = sca_table_row(r->out, place);
    for (int c = 0; c < COLUMNS; c++)
        row->cells[c].number = (double)NAN;
    row->cells[ITEM].text = item;
    row->cells[CLASS].text = r->class_name;
    return row;
}

void sca_task_rows_heading(struct sca_task_rows *r, const char *text)
{
    struct sca_row *row = begin_row(r, NULL, "");
    row->label = text;
    row->heading = true;
    row->interval = r->out->nrows > 1;
}

static struct sca_cell histogram(struct sca_task_rows *r, const struct sca_task_sample *sample,
                                 double *from_s)
{
    uint32_t first, n = sca_task_sample_classes(sample, &first);
    double *classes = sca_workspace_alloc(r->out->space, n, sizeof *classes);
    if (n)
        memcpy(classes, &sample->classes[first], n * sizeof *classes);
    *from_s = n ? sca_task_sample_class_begin(sample, first) : (double)NAN;
    return (struct sca_cell){.series = classes, .count = n};
}

static void fill_times(struct sca_task_rows *r, const struct sca_task_times *t, struct sca_row *row)
{
    struct sca_cell *c = row->cells;
    c[CLASSES] = histogram(r, &t->sample, &c[CLASSES_FROM].number);
    c[COUNT].number = t->count;
    c[SECONDS].number = t->seconds;
    c[SHARE].number = r->graph->seconds > 0 ? t->seconds / r->graph->seconds : (double)NAN;
    c[MEAN].number = t->count > 0 ? t->seconds / t->count : (double)NAN;
    c[LEAST].number = t->shortest;
    c[MOST].number = t->longest;
    c[DEVIATION].number = sca_task_times_deviation(t);
    c[SEEN].number = t->sample.count;
    c[KNOWN].text = sca_task_times_are_whole(t) ? "exact" : t->sample.count > 0 ? "seen" : NULL;
    r->not_whole |= t->sample.count > 0 && !sca_task_times_are_whole(t);
    r->no_extremes |= t->count > 0 && isnan(t->longest);
}

/* "each 1.2 us to 30 us, mean 4 us, sd 1 us (of 64)"; nothing of what is short and rare. */
static const char *describe_times(struct sca_task_rows *r, const struct sca_task_times *t)
{
    if (t->count < 2 || t->seconds < 0.001 * r->graph->seconds)
        return NULL;
    const char *mean = sca_table_duration(r->out, t->seconds / t->count);
    const char *range = isnan(t->longest) ? "n/a"
                                          : sca_table_text(r->out, "%s to %s",
                                                           sca_table_duration(r->out, t->shortest),
                                                           sca_table_duration(r->out, t->longest));
    double sd = sca_task_times_deviation(t);
    if (isnan(sd))
        return sca_table_text(r->out, "each %s, mean %s, sd n/a", range, mean);
    const char *of = sca_task_times_are_whole(t)
                         ? ""
                         : sca_table_text(r->out, " (of %.0f recorded)", t->sample.count);
    return sca_table_text(r->out, "each %s, mean %s, sd %s%s", range, mean,
                          sca_table_duration(r->out, sd), of);
}

/* ---- activities ---- */

static const char *activity_of(enum sca_task_kind kind)
{
    static const char *const names[] = {
        [SCA_TASK_START] = "start",         [SCA_TASK_CALL] = "call",
        [SCA_TASK_LOCAL] = "local call",    [SCA_TASK_LOOP_ENTRY] = "loop entry",
        [SCA_TASK_LOOP_EXIT] = "loop exit", [SCA_TASK_END] = "end",
        [SCA_TASK_BEGINS] = "phase begins", [SCA_TASK_ENDS] = "phase ends"};
    return names[kind];
}

static bool is_named(const struct sca_task_node *n)
{
    return n->kind == SCA_TASK_BEGINS || n->kind == SCA_TASK_ENDS;
}

static bool is_control(const struct sca_task_node *n)
{
    return n->kind == SCA_TASK_START || n->kind == SCA_TASK_LOOP_ENTRY ||
           n->kind == SCA_TASK_LOOP_EXIT || is_named(n);
}

static const char *node_label(struct sca_task_rows *r, const struct sca_task_node *n)
{
    if (n->kind == SCA_TASK_START)
        return "start: MPI_Init returns";
    const char *place = sca_call_name(r->out, r->in->ppg, n->vertex);
    if (n->kind == SCA_TASK_LOOP_EXIT)
        return sca_table_text(r->out, "leaves %s", place);
    if (n->kind != SCA_TASK_LOOP_ENTRY)
        return place;
    if (isnan(n->iterations))
        return sca_table_text(r->out, "enters %s, iterations n/a", place);
    return sca_table_text(r->out, "enters %s, %.0f iteration%s", place, n->iterations,
                          n->iterations == 1 ? "" : "s");
}

static void add_node(struct sca_task_rows *r, uint32_t i)
{
    const struct sca_task_node *n = &r->graph->nodes[i];
    struct sca_row *row =
        begin_row(r, n->vertex == SCA_NONE ? NULL : &r->in->ppg->vertices[n->vertex], "activity");
    row->label = node_label(r, n);
    row->cells[ACTIVITY].text = activity_of(n->kind);
    row->cells[ID].number = i;
    row->cells[SHOWN].text = sca_table_text(r->out, "%u", i);
    row->cells[ITERATIONS].number = n->iterations;
    if (is_control(n)) {
        row->cells[COUNT].number = n->kind == SCA_TASK_START ? r->graph->nranks : n->times.count;
        return;
    }
    fill_times(r, &n->times, row);
    row->cells[BYTES].number = n->bytes;
    row->detail = describe_times(r, &n->times);
}

/* ---- edges ---- */

static const char *item_of(enum sca_task_edge_kind kind)
{
    static const char *const names[] = {[SCA_TASK_COMPUTES] = "computation",
                                        [SCA_TASK_PASSES] = "control",
                                        [SCA_TASK_COMPLETES] = "completion",
                                        [SCA_TASK_STEPS] = "step"};
    return names[kind];
}

static const char *short_name(struct sca_task_rows *r, uint32_t node)
{
    const struct sca_task_node *n = &r->graph->nodes[node];
    if (n->kind == SCA_TASK_START)
        return "start";
    const struct sca_ppg_vertex *v = &r->in->ppg->vertices[n->vertex];
    const char *slash = strrchr(v->file, '/');
    bool loop = is_control(n) && !is_named(n);
    return sca_table_text(r->out, "%s%s:%u",
                          loop       ? "loop "
                          : *v->name ? ""
                                     : "call ",
                          *v->name && !loop ? v->name
                          : slash           ? slash + 1
                                            : v->file,
                          v->line);
}

static uint32_t vertex_or_root(const struct sca_task_graph *g, uint32_t node)
{
    return g->nodes[node].vertex;
}

/* Computation is where the two calls have it: the innermost loop or function around both. */
static const struct sca_ppg_vertex *place_of(const struct sca_task_rows *r,
                                             const struct sca_task_edge *e)
{
    if (e->kind != SCA_TASK_COMPUTES)
        return NULL;
    uint32_t v = sca_ppg_vertex_between(r->in->ppg, vertex_or_root(r->graph, e->from),
                                        vertex_or_root(r->graph, e->to));
    return &r->in->ppg->vertices[v];
}

/* As many as the run has events. */
static struct sca_cell counters(struct sca_task_rows *r, const struct sca_task_edge *e)
{
    uint32_t n = r->graph->run->profile->nmetrics;
    double *of = sca_workspace_alloc(r->out->space, n, sizeof *of);
    for (uint32_t k = 0; k < n; k++)
        of[k] = e->counters[k];
    return (struct sca_cell){.series = of, .count = n};
}

static void add_edge(struct sca_task_rows *r, const struct sca_task_edge *e)
{
    struct sca_row *row = begin_row(r, place_of(r, e), item_of(e->kind));
    row->label = sca_table_text(r->out, "%s to %s", short_name(r, e->from), short_name(r, e->to));
    row->cells[FROM].number = e->from;
    row->cells[TO].number = e->to;
    row->cells[SHOWN].text = sca_table_text(r->out, "%u > %u", e->from, e->to);
    row->cells[COUNT].number = e->times.count;
    if (e->kind == SCA_TASK_COMPUTES) {
        fill_times(r, &e->times, row);
        row->cells[COUNTERS] = counters(r, e);
        row->detail = describe_times(r, &e->times);
    } else if (e->kind == SCA_TASK_PASSES || e->kind == SCA_TASK_STEPS) {
        row->cells[SECONDS].number = e->times.seconds;
    } else {
        row->cells[SEEN].number = e->seen;
        row->cells[KNOWN].text = isnan(e->times.count) ? "seen" : "exact";
        r->unknown_counts |= isnan(e->times.count);
    }
}

static void add_edges(struct sca_task_rows *r, enum sca_task_edge_kind kind, const char *heading)
{
    bool any = false;
    for (uint32_t i = 0; i < r->graph->nedges; i++) {
        if (r->graph->edges[i].kind != kind)
            continue;
        if (!any)
            sca_task_rows_heading(r, heading);
        any = true;
        add_edge(r, &r->graph->edges[i]);
    }
}

void sca_task_rows_add(struct sca_task_rows *r)
{
    sca_task_rows_heading(r, "Activities, in the order of the program");
    for (uint32_t i = 0; i < r->graph->nnodes; i++)
        add_node(r, i);
    add_edges(r, SCA_TASK_COMPUTES, "Computation between calls");
    add_edges(r, SCA_TASK_PASSES, "Through loops (time: of the whole computation)");
    add_edges(r, SCA_TASK_STEPS, "Into, through and out of named phases (elapsed time)");
    add_edges(r, SCA_TASK_COMPLETES, "Requests: begun at, completed at");
}

/* ---- messages ---- */

static const char *word_of(enum sca_task_known known)
{
    static const char *const names[] = {
        [SCA_TASK_EXACT] = "exact", [SCA_TASK_BY_TOTALS] = "by totals", [SCA_TASK_SEEN] = "seen"};
    return names[known];
}

static const char *describe_message(struct sca_task_rows *r, const struct sca_task_message *m)
{
    const char *count =
        isnan(m->messages) ? sca_table_text(r->out, "number n/a, %u recorded; ", m->seen) : "";
    if (!m->timed)
        return *count ? count : NULL;
    return sca_table_text(r->out, "%sfrom send to received %s to %s, mean %s (of %u recorded)",
                          count, sca_table_duration(r->out, m->shortest),
                          sca_table_duration(r->out, m->longest),
                          sca_table_duration(r->out, m->mean_s), m->timed);
}

/* The ends that are in the graph shown, of one rank. */
static void name_ends(struct sca_task_rows *r, const struct sca_task_message *m,
                      struct sca_cell *cells)
{
    uint32_t own = r->in->settings->rank;
    const uint32_t *nodes = r->graph->call_node;
    if (m->from == own && m->send != SCA_NONE)
        cells[FROM].number = nodes[m->send];
    if (m->to == own && m->receive != SCA_NONE)
        cells[TO].number = nodes[m->receive];
    if (!isnan(cells[FROM].number))
        cells[SHOWN].text = sca_table_text(r->out, "%.0f > r%u", cells[FROM].number, m->to);
    else if (!isnan(cells[TO].number))
        cells[SHOWN].text = sca_table_text(r->out, "r%u > %.0f", m->from, cells[TO].number);
}

void sca_task_rows_message(struct sca_task_rows *r, const struct sca_task_message *m,
                           const char *label, double pairs)
{
    struct sca_row *row = begin_row(r, NULL, "message");
    row->label = label;
    row->cells[FROM_RANK].number = isnan(pairs) ? m->from : (double)NAN;
    row->cells[TO_RANK].number = isnan(pairs) ? m->to : (double)NAN;
    row->cells[PAIRS].number = pairs;
    if (isnan(pairs))
        name_ends(r, m, row->cells);
    row->cells[COUNT].number = m->messages;
    row->cells[BYTES].number = m->bytes;
    row->cells[SEEN].number = m->seen;
    row->cells[KNOWN].text = word_of(m->known);
    row->cells[MEAN].number = m->mean_s;
    row->cells[LEAST].number = m->shortest;
    row->cells[MOST].number = m->longest;
    row->cells[DEVIATION].number = sca_task_sample_deviation(&m->times);
    row->cells[CLASSES] = histogram(r, &m->times, &row->cells[CLASSES_FROM].number);
    row->cells[SIZES] = histogram(r, &m->sizes, &row->cells[SIZES_FROM].number);
    row->cells[SIZES_FROM].number = round(1e9 * row->cells[SIZES_FROM].number);
    row->cells[SEND_AT].text = sca_call_name(r->out, r->in->ppg, m->send);
    row->cells[RECEIVE_AT].text = sca_call_name(r->out, r->in->ppg, m->receive);
    row->detail = describe_message(r, m);
    r->unknown_counts |= isnan(m->messages);
}

void sca_task_rows_collective(struct sca_task_rows *r, uint32_t vertex, double calls, double bytes,
                              const char *label)
{
    struct sca_row *row = begin_row(r, &r->in->ppg->vertices[vertex], "collective");
    row->label = label;
    row->cells[COUNT].number = calls;
    row->cells[BYTES].number = bytes;
    row->cells[KNOWN].text = "exact";
}

/* ---- what the program names ---- */

void sca_task_rows_phases(struct sca_task_rows *r)
{
    const struct sca_series *series = r->in->ppg->runs[r->in->ppg->nruns - 1].profile->series;
    r->class_name = NULL;
    for (uint32_t i = 0; series && i < series->nphases; i++) {
        const struct sca_series_phase *p = &series->phases[i];
        if (!i)
            sca_task_rows_heading(r, "Phases that the program names (own time, of all ranks)");
        struct sca_row *row = begin_row(r, NULL, "phase");
        row->label = sca_table_text(r->out, "%s%s%s",
                                    p->parent == SCA_NONE ? "" : series->phases[p->parent].name,
                                    p->parent == SCA_NONE ? "" : " > ", p->name);
        row->cells[COUNT].number = (double)p->count;
        row->cells[SECONDS].number = p->own.mean * p->nranks;
        row->cells[MEAN].number = p->own.mean;
        row->cells[LEAST].number = p->own.min;
        row->cells[MOST].number = p->own.max;
    }
}

/* ---- notes ---- */

static void note_durations(struct sca_task_rows *r)
{
    if (r->not_whole)
        sca_table_note(r->out, "The sd is that of all durations. Where it says so, it is that of "
                               "those that were recorded one by one, in windows and with kept "
                               "messages. SCALANA_RECORD=full records all of them.");
    else
        sca_table_note(r->out, "The sd is that of all durations.");
}

void sca_task_rows_note(struct sca_task_rows *r)
{
    sca_table_note(r->out, "Numbers and times are exact, but for minima and maxima, which are "
                           "rounded outwards by up to 1/64.");
    note_durations(r);
    sca_table_note(r->out, "Iterations are those with MPI calls. They are n/a for a loop that "
                           "makes all its calls in one inner loop: its rounds look like those.");
    const struct sca_profile *profile = r->in->ppg->runs[r->in->ppg->nruns - 1].profile;
    for (uint32_t k = 0; k < profile->nmetrics; k++)
        sca_table_note(r->out, "counters[%u] of computation in JSON: %s, by samples.", k,
                       profile->metrics[k]);
    if (r->unknown_counts)
        sca_table_note(r->out,
                       "Numbers shown as - are not known: several calls may have begun a request "
                       "or sent a message, and no totals tell them apart.");
    if (r->no_extremes)
        sca_table_note(r->out, "Minima and maxima are n/a: runs of more than 4096 ranks, several "
                               "worlds and --since do not have them.");
}
