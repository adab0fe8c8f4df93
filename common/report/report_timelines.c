/* The timelines of a report: writing and reading them. Each list of a play is a list for each
 * field, as of the points of a series. */
#include "report/report_timelines.h"
#include "sca_timelines.h"

#include <math.h>
#include <stddef.h>

enum { NONE = UINT32_MAX, DIGITS = 6 /* of the seconds shown */ };

/* ---- writing ---- */

struct putting_timelines {
    cJSON *object;
    cJSON *(*make_number)(double value);
    double grid; /* seconds are multiples of it */
};

/* NAN is null. */
static cJSON *number_of(const struct putting_timelines *to, double value)
{
    return isnan(value) ? cJSON_CreateNull() : to->make_number(value);
}

static void put(const struct putting_timelines *to, const char *name, double value)
{
    cJSON_AddItemToObject(to->object, name, number_of(to, value));
}

static void put_time(const struct putting_timelines *to, cJSON *list, double seconds)
{
    cJSON_AddItemToArray(list, number_of(to, to->grid * round(seconds / to->grid)));
}

static struct putting_timelines below(const struct putting_timelines *to, const char *name)
{
    struct putting_timelines inner = *to;
    inner.object = cJSON_AddObjectToObject(to->object, name);
    return inner;
}

static void put_spans(const struct putting_timelines *play, const struct sca_report_play *p)
{
    struct putting_timelines to = below(play, "spans");
    cJSON *row = cJSON_AddArrayToObject(to.object, "row");
    cJSON *begin = cJSON_AddArrayToObject(to.object, "begin_s");
    cJSON *end = cJSON_AddArrayToObject(to.object, "end_s");
    cJSON *vertex = cJSON_AddArrayToObject(to.object, "vertex");
    cJSON *kind = cJSON_AddArrayToObject(to.object, "kind");
    cJSON *by = cJSON_AddArrayToObject(to.object, "by");
    cJSON *critical = cJSON_AddArrayToObject(to.object, "critical");
    for (uint32_t i = 0; i < p->nspans; i++) {
        const struct sca_report_span *s = &p->spans[i];
        cJSON_AddItemToArray(row, cJSON_CreateNumber(s->row));
        put_time(&to, begin, s->begin);
        put_time(&to, end, s->end);
        cJSON_AddItemToArray(vertex, cJSON_CreateNumber(s->vertex));
        cJSON_AddItemToArray(kind, cJSON_CreateNumber(s->kind));
        cJSON_AddItemToArray(by, cJSON_CreateNumber(s->by == NONE ? -1.0 : s->by));
        cJSON_AddItemToArray(critical, cJSON_CreateNumber(s->critical));
    }
}

static void put_messages(const struct putting_timelines *play, const struct sca_report_play *p)
{
    struct putting_timelines to = below(play, "messages");
    cJSON *from = cJSON_AddArrayToObject(to.object, "from");
    cJSON *into = cJSON_AddArrayToObject(to.object, "to");
    cJSON *sent = cJSON_AddArrayToObject(to.object, "sent_s");
    cJSON *received = cJSON_AddArrayToObject(to.object, "received_s");
    for (uint32_t i = 0; i < p->nmessages; i++) {
        cJSON_AddItemToArray(from, cJSON_CreateNumber(p->messages[i].from));
        cJSON_AddItemToArray(into, cJSON_CreateNumber(p->messages[i].to));
        put_time(&to, sent, p->messages[i].sent);
        put_time(&to, received, p->messages[i].received);
    }
}

static void put_meetings(const struct putting_timelines *play, const struct sca_report_play *p)
{
    struct putting_timelines to = below(play, "collectives");
    cJSON *low = cJSON_AddArrayToObject(to.object, "low");
    cJSON *high = cJSON_AddArrayToObject(to.object, "high");
    cJSON *first = cJSON_AddArrayToObject(to.object, "first_s");
    cJSON *last = cJSON_AddArrayToObject(to.object, "last_s");
    cJSON *vertex = cJSON_AddArrayToObject(to.object, "vertex");
    for (uint32_t i = 0; i < p->nmeetings; i++) {
        cJSON_AddItemToArray(low, cJSON_CreateNumber(p->meetings[i].low));
        cJSON_AddItemToArray(high, cJSON_CreateNumber(p->meetings[i].high));
        put_time(&to, first, p->meetings[i].first);
        put_time(&to, last, p->meetings[i].last);
        cJSON_AddItemToArray(vertex, cJSON_CreateNumber(p->meetings[i].vertex));
    }
}

static void put_play(const struct putting_timelines *window, const char *name,
                     const struct sca_report_play *play)
{
    struct putting_timelines to = below(window, name);
    put(&to, "end_s", play->end);
    put(&to, "load_balance", play->load_balance);
    put(&to, "serialisation", play->serialisation);
    put_spans(&to, play);
    put_messages(&to, play);
    put_meetings(&to, play);
}

/* A power of ten, so that the digits are few. */
static double grid_of(double shown)
{
    return shown > 0 ? pow(10, floor(log10(shown)) + 1 - DIGITS) : 1;
}

static void put_window(const struct putting_timelines *list, const struct sca_report_timeline *from)
{
    struct putting_timelines to = *list;
    to.object = cJSON_CreateObject();
    to.grid = grid_of(from->shown);
    cJSON_AddItemToArray(list->object, to.object);
    cJSON_AddStringToObject(to.object, "name", from->name);
    put(&to, "stands_for", from->stands_for);
    put(&to, "shown_s", from->shown);
    put(&to, "iterations", from->iterations);
    put(&to, "begin_s", from->begin_s < 0 ? (double)NAN : from->begin_s);
    cJSON *ranks = cJSON_AddArrayToObject(to.object, "ranks");
    for (uint32_t i = 0; i < from->nrows; i++)
        cJSON_AddItemToArray(ranks, cJSON_CreateNumber(from->ranks[i]));
    put_play(&to, "measured", &from->measured);
    if (from->mended.end > 0)
        put_play(&to, "mended", &from->mended);
}

void sca_report_timelines_put(cJSON *root, const struct sca_report *report,
                              cJSON *(*make_number)(double value))
{
    const struct sca_report_timelines *t = report->timelines;
    if (!t || !t->kept)
        return;
    struct putting_timelines to = {cJSON_AddObjectToObject(root, "timelines"), make_number, 1};
    cJSON *kinds = cJSON_AddArrayToObject(to.object, "kinds");
    for (uint32_t i = 0; i < t->nkinds; i++)
        cJSON_AddItemToArray(kinds, cJSON_CreateString(t->kinds[i]));
    to.object = cJSON_AddArrayToObject(to.object, "windows");
    for (uint32_t i = 0; i < t->count; i++)
        put_window(&to, &t->of[i]);
}

/* ---- reading ---- */

enum { MOST_COLUMNS = 7 };

/* Where a list's field goes, and what it must be below; limit 0: any number of seconds. */
struct field {
    const char *name;
    double limit, least;
};

/* The columns of an object, of equal length. */
static uint32_t get_columns(struct sca_in *in, const cJSON *play, const char *name,
                            const struct field *fields, int n, double **columns)
{
    const cJSON *o = sca_report_fields_get(in, play, name, cJSON_Object);
    uint32_t count = 0;
    for (int c = 0; c < n && !in->status; c++) {
        uint32_t length = 0;
        columns[c] = sca_report_fields_doubles(in, o, fields[c].name, &length);
        if (!in->status && c && length != count)
            sca_report_fields_fault(in, fields[c].name, "is not as long as the other columns");
        count = length;
        for (uint32_t i = 0; i < length && fields[c].limit > 0 && !in->status; i++)
            if (columns[c][i] < fields[c].least || columns[c][i] >= fields[c].limit ||
                columns[c][i] != floor(columns[c][i]))
                sca_report_fields_fault(in, fields[c].name, "has what does not exist");
    }
    return in->status ? 0 : count;
}

/* What a play may name. */
struct limits {
    double rows, vertices, kinds, ranks;
};

static void get_spans(struct sca_in *in, const cJSON *o, const struct limits *of,
                      struct sca_report_play *play)
{
    const struct field fields[] = {{"row", of->rows, 0},   {"begin_s", 0, 0},
                                   {"end_s", 0, 0},        {"vertex", of->vertices, 0},
                                   {"kind", of->kinds, 0}, {"by", of->ranks, -1},
                                   {"critical", 2, 0}};
    double *at[MOST_COLUMNS] = {0};
    play->nspans = get_columns(in, o, "spans", fields, MOST_COLUMNS, at);
    play->spans = sca_report_alloc(in->report, (play->nspans + 1ul) * sizeof *play->spans);
    for (uint32_t i = 0; play->spans && i < play->nspans; i++) {
        play->spans[i] = (struct sca_report_span){.row = (uint32_t)at[0][i],
                                                  .begin = at[1][i],
                                                  .end = at[2][i],
                                                  .vertex = (uint32_t)at[3][i],
                                                  .kind = (uint8_t)at[4][i],
                                                  .by = at[5][i] < 0 ? NONE : (uint32_t)at[5][i],
                                                  .critical = at[6][i] > 0};
        if (i && play->spans[i].row < play->spans[i - 1].row)
            sca_report_fields_fault(in, "row", "does not rise");
    }
}

static void get_messages(struct sca_in *in, const cJSON *o, const struct limits *of,
                         struct sca_report_play *play)
{
    const struct field fields[] = {
        {"from", of->rows, 0}, {"to", of->rows, 0}, {"sent_s", 0, 0}, {"received_s", 0, 0}};
    double *at[MOST_COLUMNS] = {0};
    play->nmessages = get_columns(in, o, "messages", fields, 4, at);
    play->messages = sca_report_alloc(in->report, (play->nmessages + 1ul) * sizeof *play->messages);
    for (uint32_t i = 0; play->messages && i < play->nmessages; i++)
        play->messages[i] =
            (struct sca_report_message){(uint32_t)at[0][i], (uint32_t)at[1][i], at[2][i], at[3][i]};
}

static void get_meetings(struct sca_in *in, const cJSON *o, const struct limits *of,
                         struct sca_report_play *play)
{
    const struct field fields[] = {{"low", of->rows, 0},
                                   {"high", of->rows, 0},
                                   {"first_s", 0, 0},
                                   {"last_s", 0, 0},
                                   {"vertex", of->vertices, 0}};
    double *at[MOST_COLUMNS] = {0};
    play->nmeetings = get_columns(in, o, "collectives", fields, 5, at);
    play->meetings = sca_report_alloc(in->report, (play->nmeetings + 1ul) * sizeof *play->meetings);
    for (uint32_t i = 0; play->meetings && i < play->nmeetings; i++)
        play->meetings[i] = (struct sca_report_meeting){(uint32_t)at[0][i], (uint32_t)at[1][i],
                                                        at[2][i], at[3][i], (uint32_t)at[4][i]};
}

static void get_play(struct sca_in *in, const cJSON *window, const char *name,
                     const struct limits *of, struct sca_report_play *play)
{
    const cJSON *o = sca_report_fields_get(in, window, name, cJSON_Object);
    if (!o)
        return;
    play->end = sca_report_fields_double(in, o, "end_s");
    play->load_balance = sca_report_fields_measured(in, o, "load_balance");
    play->serialisation = sca_report_fields_measured(in, o, "serialisation");
    get_spans(in, o, of, play);
    get_messages(in, o, of, play);
    get_meetings(in, o, of, play);
}

static void get_window(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_timeline *to = out;
    const struct sca_report *r = in->report;
    uint32_t ranks = r->nruns ? r->runs[r->nruns - 1].ranks : 0;
    (void)index;
    to->name = sca_report_fields_string(in, o, "name", "");
    to->stands_for = sca_report_fields_double(in, o, "stands_for");
    to->shown = sca_report_fields_double(in, o, "shown_s");
    to->iterations = sca_report_fields_u32(in, o, "iterations", 0);
    double begin = sca_report_fields_measured(in, o, "begin_s");
    to->begin_s = isnan(begin) ? -1 : begin;
    to->ranks = sca_report_fields_ranks(in, o, ranks, &to->nrows);
    const struct limits of = {to->nrows, r->nvertices, r->timelines->nkinds, ranks};
    get_play(in, o, "measured", &of, &to->measured);
    get_play(in, o, "mended", &of, &to->mended);
}

void sca_report_timelines_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    const cJSON *o = sca_report_fields_get(in, root, "timelines", cJSON_Object);
    struct sca_report_timelines *t = o ? sca_report_alloc(report, sizeof *t) : NULL;
    if (!t || in->status)
        return;
    report->timelines = t;
    t->kept = true;
    t->kinds = sca_report_fields_strings(in, o, "kinds", &t->nkinds);
    t->of = sca_report_fields_list(in, o, "windows", sizeof *t->of, get_window, &t->count);
}
