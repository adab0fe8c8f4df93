#include "export/pictures.h"
#include "pictures/picture_activity.h"
#include "pictures/picture_contract.h"
#include "pictures/picture_performance.h"
#include "pictures/picture_write.h"
#include "sca_error.h"
#include "sca_replace.h"

#include <string.h>

#define USUAL_LEAST 0.01 /* of what people look at; other tools get all */

enum form { FORM_NONE, FORM_DOT, FORM_GRAPHML, FORM_SVG };
enum graph { GRAPH_NONE, GRAPH_TAG, GRAPH_PTAG, GRAPH_PPG, GRAPH_GRAPHML };

struct picture_job {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_settings *settings;
    enum graph graph;
    enum form form;
    struct sca_picture picture;
};

/* ---- wishes ---- */

static enum graph graph_of(const char *wish)
{
    static const char *const names[] = {"", "tag:", "ptag:", "ppg:", "graphml:"};
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (!strncmp(wish, names[i], strlen(names[i])))
            return (enum graph)i;
    return GRAPH_NONE;
}

/* To standard output goes what is text first of all. */
static enum form form_of(const char *wish)
{
    const char *file = strchr(wish, ':') + 1, *dot = strrchr(file, '.');
    if (graph_of(wish) == GRAPH_GRAPHML)
        return FORM_GRAPHML;
    if (!strcmp(file, "-") || (dot && (!strcmp(dot, ".dot") || !strcmp(dot, ".gv"))))
        return FORM_DOT;
    if (dot && !strcmp(dot, ".graphml"))
        return FORM_GRAPHML;
    return dot && !strcmp(dot, ".svg") ? FORM_SVG : FORM_NONE;
}

bool sca_pictures_has(const char *wish)
{
    return graph_of(wish) != GRAPH_NONE;
}

int sca_pictures_check(const char *wish)
{
    if (!strchr(wish, ':')[1])
        return sca_fail(SCA_EINVAL, "--export=%s: expected FORMAT:FILE", wish);
    if (form_of(wish) == FORM_NONE)
        return sca_fail(SCA_EINVAL,
                        "--export=%s: the file's name must end in .dot, .gv, .graphml or .svg",
                        wish);
    return SCA_OK;
}

/* ---- all ---- */

static int check_rank(const struct sca_ppg_run *run, uint32_t rank)
{
    if (rank >= run->nranks)
        return sca_fail(SCA_EINVAL, "--rank=%u: the run has ranks 0 to %u", rank, run->nranks - 1);
    if (!run->profile->ranks[rank].present)
        return sca_fail(SCA_ENOTFOUND, "--rank=%u: this rank left nothing", rank);
    return SCA_OK;
}

static int make(struct picture_job *job, const struct sca_task_source *source)
{
    uint32_t rank = job->settings->rank;
    int status = SCA_OK;
    if (job->graph == GRAPH_PPG)
        status = sca_picture_of_performance(job->space, source, &job->picture);
    else if (job->graph == GRAPH_TAG && (status = check_rank(source->run, rank)) == SCA_OK)
        sca_picture_of_rank(job->space, source, rank, &job->picture);
    else if (job->graph != GRAPH_TAG)
        sca_picture_of_classes(job->space, source, &job->picture);
    return status;
}

static double least_of(const struct picture_job *job)
{
    if (job->settings->contract >= 0)
        return job->settings->contract;
    return job->form == FORM_GRAPHML ? 0 : USUAL_LEAST;
}

static int put(FILE *out, const void *context)
{
    const struct picture_job *job = context;
    if (job->form == FORM_GRAPHML)
        sca_picture_put_graphml(out, &job->picture);
    else if (job->form == FORM_DOT)
        sca_picture_put_dot_file(out, &job->picture);
    else
        sca_picture_put_svg(out, &job->picture, true);
    return SCA_OK;
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int write_guarded(struct picture_job *job, const char *path)
{
    jmp_buf out_of_memory;
    job->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    const struct sca_ppg_run *run = &job->ppg->runs[job->ppg->nruns - 1];
    uint32_t *ends = sca_workspace_alloc(job->space, job->ppg->nvertices, sizeof *ends);
    sca_ppg_ends(job->ppg, ends);
    const struct sca_task_source source = {
        job->ppg, run, NULL, sca_workspace_opened(job->space, run->profile), ends, NULL};
    int status = make(job, &source);
    if (status != SCA_OK)
        return status;
    if (job->graph == GRAPH_TAG)
        sca_picture_mark_rank(&job->picture, &source, job->settings->rank,
                              job->settings->abnorm_thd);
    else
        sca_picture_mark_abnormal(&job->picture, job->settings->abnorm_thd);
    sca_picture_contract(&job->picture, least_of(job));
    if (job->form != FORM_GRAPHML && job->picture.nnodes > SCA_MOST_DRAWN)
        return sca_fail(SCA_EINVAL,
                        "%s: %u places, more than the %d that can be drawn; --contract leaves "
                        "fewer, and GraphML has no limit",
                        path, job->picture.nnodes, SCA_MOST_DRAWN);
    return sca_replace_file(path, put, job);
}

int sca_pictures_write(const struct sca_ppg *ppg, const struct sca_settings *settings,
                       const char *wish)
{
    struct sca_workspace space = {0};
    struct picture_job job = {.space = &space,
                              .ppg = ppg,
                              .settings = settings,
                              .graph = graph_of(wish),
                              .form = form_of(wish)};
    int status = write_guarded(&job, strchr(wish, ':') + 1);
    sca_workspace_free(&space);
    return status;
}
