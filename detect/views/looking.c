#include "views/looking.h"
#include "report/verdict.h"
#include "sca_error.h"

struct looking {
    const struct sca_view_input *in;
    sca_looking_fill *fill;
    struct sca_table *out;
};

/* In the analysis: without memory, that ends. */
static void look(void *context, const struct sca_analysis *c)
{
    const struct looking *l = context;
    jmp_buf *before = l->in->space->out_of_memory;
    l->in->space->out_of_memory = c->space->out_of_memory;
    l->fill(l->in, c, l->out);
    l->in->space->out_of_memory = before;
}

static void analyse(const struct sca_view_input *in, const struct sca_settings *settings,
                    sca_looking_fill *fill, struct sca_table *out)
{
    struct looking l = {in, fill, out};
    jmp_buf *before = in->space->out_of_memory;
    const struct sca_verdict_look all = {look, &l};
    struct sca_verdict verdict;
    int status = sca_verdict_look(in->ppg, settings, &all, &verdict);
    in->space->out_of_memory = before;
    sca_verdict_free(&verdict);
    if (status != SCA_OK)
        out->status = status;
}

void sca_looking_at(const struct sca_view_input *in, sca_looking_fill *fill, struct sca_table *out)
{
    struct sca_settings settings = *in->settings;
    settings.text_only = true;
    analyse(in, &settings, fill, out);
}

void sca_looking_at_report(const struct sca_view_input *in, sca_looking_fill *fill,
                           struct sca_table *out)
{
    analyse(in, in->settings, fill, out);
}

struct waits_wanted {
    struct sca_workspace *space; /* they outlive the analysis */
    const double **waits;        /* per run of the graph */
    bool any;
};

static const double *sum_waits(struct sca_workspace *space, const struct sca_ppg *ppg,
                               const struct sca_site_wait *sites)
{
    double *waits = sca_workspace_alloc(space, ppg->nvertices, sizeof *waits);
    for (uint32_t i = 0; i < ppg->nvertices * SCA_WAIT_CLASSES; i++)
        waits[i / SCA_WAIT_CLASSES] += sites[i].seconds;
    return waits;
}

static void copy_waits(void *context, const struct sca_analysis *c)
{
    struct waits_wanted *wanted = context;
    for (uint32_t i = 0; i <= c->last; i++)
        if (c->accounts[i].is_virtual) {
            wanted->waits[c->measures[i].run - c->ppg->runs] =
                sum_waits(wanted->space, c->ppg, c->costs[i].sites);
            wanted->any = true;
        }
}

const double *const *sca_looking_for_waits(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_settings settings = *in->settings;
    struct waits_wanted wanted = {.space = in->space};
    wanted.waits = sca_workspace_alloc(in->space, in->ppg->nruns, sizeof *wanted.waits);
    jmp_buf *before = in->space->out_of_memory;
    const struct sca_verdict_look look = {copy_waits, &wanted};
    struct sca_verdict verdict;
    settings.text_only = true;
    int status = sca_verdict_look(in->ppg, &settings, &look, &verdict);
    in->space->out_of_memory = before;
    sca_verdict_free(&verdict);
    out->status = status != SCA_OK ? status : out->status;
    return wanted.any ? wanted.waits : NULL;
}
