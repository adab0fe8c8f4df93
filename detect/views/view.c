#include "views/view.h"
#include "views/diff.h"
#include "views/looking.h"
#include "activity/rank_summary.h"
#include "load/run_loading.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <string.h>

enum { USUAL_ROWS = 20 };

enum clock { /* what the time in MPI is */
             BY_CLOCK,
             BY_WAITS, /* replayed waits in its place, where ranks shared cores */
             REPLAYED, /* the view replays itself */
             OF_RANKS, /* by the clock; the view compares ranks as wholes */
             COUNTED   /* the view has no times */
};

static const struct {
    const char *name;
    void (*make)(const struct sca_view_input *in, struct sca_table *out);
    enum clock clock;
} views[] = {
    {"advice", sca_view_advice, REPLAYED},
    {"callgraph", sca_view_callgraph, BY_WAITS},
    {"classes", sca_view_classes, OF_RANKS},
    {"correlation", sca_view_correlation, BY_CLOCK},
    {"path", sca_view_path, REPLAYED},
    {"timeline", sca_view_timeline, REPLAYED},
    {"communication", sca_view_communication, COUNTED},
    {"messages", sca_view_messages, BY_CLOCK},
    {"critical", sca_view_critical, REPLAYED},
    {"efficiency", sca_view_efficiency, BY_WAITS},
    {"findings", sca_view_findings, REPLAYED},
    {"flat", sca_view_flat, BY_WAITS},
    {"hotpath", sca_view_hotpath, BY_WAITS},
    {"imbalance", sca_view_imbalance, BY_WAITS},
    {"locks", sca_view_locks, COUNTED},
    {"metrics", sca_view_metrics, REPLAYED},
    {"paths", sca_view_paths, REPLAYED},
    {"ptag", sca_view_ptag, BY_CLOCK},
    {"regions", sca_view_regions, COUNTED},
    {"scaling", sca_view_scaling, REPLAYED},
    {"series", sca_view_series, REPLAYED},
    {"system", sca_view_system, REPLAYED},
    {"tag", sca_view_tag, BY_CLOCK},
    {"topology", sca_view_topology, REPLAYED},
    {"variability", sca_view_variability, BY_WAITS},
};

/* Without cores of their own, ranks wait for the scheduler: what they wait for each other is told.
 */
static bool make_by_waits(struct sca_view_input *in, struct sca_table *table)
{
    bool may = false;
    for (uint32_t i = 0; i < in->ppg->nruns; i++)
        may = may || sca_view_may_share_cores(&in->ppg->runs[i]);
    if (!may || in->settings->metric)
        return false;
    in->waits = sca_looking_for_waits(in, table);
    if (in->waits)
        sca_table_note(table, SCA_VIEW_REPLAYED);
    return in->waits;
}

static enum sca_format format_of(const struct sca_settings *settings)
{
    if (settings->format != SCA_FORMAT_USUAL)
        return settings->format;
    return settings->output ? SCA_FORMAT_JSON : SCA_FORMAT_TEXT;
}

/* JSON and CSV have every row. */
static uint32_t rows_of(const struct sca_settings *settings)
{
    if (format_of(settings) != SCA_FORMAT_TEXT)
        return 0;
    return settings->top == SCA_TOP_USUAL ? USUAL_ROWS : settings->top;
}

static int publish(const struct sca_table *table, const struct sca_settings *settings, FILE *out,
                   bool colour)
{
    const char *path = settings->output ? settings->output : "-";
    sca_progress_end();
    if (format_of(settings) == SCA_FORMAT_CSV)
        return sca_table_write_csv(table, path);
    if (format_of(settings) == SCA_FORMAT_JSON)
        return sca_table_write(table, path);
    return settings->output ? sca_table_write_text(table, path)
                            : sca_table_print(out, table, colour);
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int make_guarded(struct sca_view_input *in, struct sca_table *table)
{
    jmp_buf out_of_memory;
    in->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    bool replayed = false;
    sca_progress_watch("making the view");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(views[i].name, table->view)) {
            replayed = views[i].clock == REPLAYED || views[i].clock == COUNTED ||
                       (views[i].clock == BY_WAITS && make_by_waits(in, table));
            if (table->status == SCA_OK)
                views[i].make(in, table);
        }
    for (uint32_t i = 0; i < in->ppg->nruns && !replayed; i++)
        if (sca_view_shares_cores(&in->ppg->runs[i])) {
            sca_table_note(table, SCA_VIEW_SHARED);
            break;
        }
    return table->status;
}

static bool compares_ranks(const char *view)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(views[i].name, view))
            return views[i].clock == OF_RANKS;
    return false;
}

/* Of one run rank by rank, where that is enough. */
static int load(char *const *directories, uint32_t n, const struct sca_settings *settings,
                struct sca_rank_summary *summary, struct sca_runs *runs)
{
    struct sca_rank_taker taker = sca_rank_summary_taker(summary->space, summary);
    if (n > 1 || settings->since || !settings->unmeasured)
        return sca_runs_load(directories, n, settings, runs);
    int status = sca_runs_load_each(directories[0], settings, &taker, runs);
    if (status != SCA_OK || runs->ppg)
        return status;
    sca_runs_free(runs);
    sca_workspace_free(summary->space);
    *summary = (struct sca_rank_summary){.space = summary->space};
    return sca_runs_load(directories, n, settings, runs);
}

static int show(struct sca_workspace *space, char *const *directories, uint32_t n,
                const struct sca_settings *settings, FILE *out, bool colour)
{
    struct sca_runs runs;
    struct sca_table table = {.space = space, .view = settings->view};
    struct sca_view_input in = {.space = space, .settings = settings, .top = rows_of(settings)};
    struct sca_settings own = *settings;
    struct sca_workspace kept = {0};
    struct sca_rank_summary summary = {.space = &kept};
    own.unmeasured = compares_ranks(settings->view);
    int status = load(directories, n, &own, &summary, &runs);
    in.ppg = table.ppg = runs.ppg;
    in.summary = summary.graph ? &summary : NULL;
    if (status == SCA_OK)
        status = make_guarded(&in, &table);
    if (status == SCA_OK)
        status = publish(&table, settings, out, colour);
    sca_runs_free(&runs);
    sca_workspace_free(&kept);
    return status;
}

static int diff_guarded(struct sca_workspace *space, char *const *operands,
                        const struct sca_settings *settings, struct sca_diff_side *sides,
                        struct sca_table *table)
{
    jmp_buf out_of_memory;
    space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (int i = 0; i < 2; i++) {
        int status = sca_diff_open(space, operands[i], settings, &sides[i]);
        if (status != SCA_OK)
            return status;
    }
    int status = sca_diff_check(space, &sides[0], &sides[1]);
    if (status == SCA_OK)
        sca_diff_view(&sides[0], &sides[1], rows_of(settings), table);
    return status;
}

static int show_diff(struct sca_workspace *space, char *const *operands,
                     const struct sca_settings *settings, FILE *out, bool colour)
{
    struct sca_diff_side sides[2] = {{0}};
    struct sca_table table = {.space = space, .view = settings->view};
    int status = diff_guarded(space, operands, settings, sides, &table);
    if (status == SCA_OK)
        status = publish(&table, settings, out, colour);
    sca_diff_close(&sides[0]);
    sca_diff_close(&sides[1]);
    return status;
}

int sca_view_show(char *const *operands, uint32_t n, const struct sca_settings *settings, FILE *out,
                  bool colour)
{
    struct sca_workspace space = {0};
    bool diff = !strcmp(settings->view, "diff");
    int status = diff ? show_diff(&space, operands, settings, out, colour)
                      : show(&space, operands, n, settings, out, colour);
    sca_workspace_free(&space);
    return status;
}
