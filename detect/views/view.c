#include "views/view.h"
#include "views/diff.h"
#include "load/run_loading.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <string.h>

enum { USUAL_ROWS = 20 };

static const struct {
    const char *name;
    void (*make)(const struct sca_view_input *in, struct sca_table *out);
    bool replayed; /* what ranks waited is not the wall clock's */
} views[] = {
    {"callgraph", sca_view_callgraph, false}, {"correlation", sca_view_correlation, false},
    {"critical", sca_view_critical, true},    {"efficiency", sca_view_efficiency, false},
    {"findings", sca_view_findings, true},    {"flat", sca_view_flat, false},
    {"hotpath", sca_view_hotpath, false},     {"imbalance", sca_view_imbalance, false},
    {"metrics", sca_view_metrics, true},      {"paths", sca_view_paths, true},
    {"scaling", sca_view_scaling, true},      {"system", sca_view_system, true},
    {"topology", sca_view_topology, true},    {"variability", sca_view_variability, false},
};

/* JSON has every row. */
static uint32_t rows_of(const struct sca_settings *settings)
{
    if (settings->output)
        return 0;
    return settings->top == SCA_TOP_USUAL ? USUAL_ROWS : settings->top;
}

static int publish(const struct sca_table *table, const struct sca_settings *settings, FILE *out,
                   bool colour)
{
    sca_progress_end();
    return settings->output ? sca_table_write(table, settings->output)
                            : sca_table_print(out, table, colour);
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int make_guarded(const struct sca_view_input *in, struct sca_table *table)
{
    jmp_buf out_of_memory;
    in->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    bool replayed = false;
    sca_progress_watch("making the view");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(views[i].name, table->view)) {
            views[i].make(in, table);
            replayed = views[i].replayed;
        }
    for (uint32_t i = 0; i < in->ppg->nruns && !replayed; i++)
        if (sca_view_shares_cores(&in->ppg->runs[i])) {
            sca_table_note(table, SCA_VIEW_SHARED);
            break;
        }
    return table->status;
}

static int show(struct sca_workspace *space, char *const *directories, uint32_t n,
                const struct sca_settings *settings, FILE *out, bool colour)
{
    struct sca_runs runs;
    struct sca_table table = {.space = space, .view = settings->view};
    struct sca_view_input in = {.space = space, .settings = settings, .top = rows_of(settings)};
    int status = sca_runs_load(directories, n, settings, &runs);
    in.ppg = table.ppg = runs.ppg;
    if (status == SCA_OK)
        status = make_guarded(&in, &table);
    if (status == SCA_OK)
        status = publish(&table, settings, out, colour);
    sca_runs_free(&runs);
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
