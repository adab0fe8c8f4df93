/*
 * Loops whose messages explain their time in MPI: a line through what transfers of different sizes
 * take gives latency and bandwidth; of a loop's transfers the one part is the number of messages
 * times the latency, the other their bytes by the bandwidth (R. W. Hockney, Parallel Computing 20,
 * 1994). They explain it where they are more than what ranks wait for each other there.
 */
#include "advice/advice.h"

#include <math.h>

enum { EXPLAINS = 50, APART = 4 }; /* percent of transfers and waits; APART: sizes, at least */

struct line { /* seconds = latency + bytes * per_byte */
    double latency, per_byte;
};

struct line_sums {
    double weight, x, y, xx, xy, least, most;
};

static void add_point(struct line_sums *s, double bytes, double seconds, double weight)
{
    s->least = s->weight > 0 ? fmin(s->least, bytes) : bytes;
    s->most = fmax(s->most, bytes);
    s->weight += weight;
    s->x += weight * bytes;
    s->y += weight * seconds;
    s->xx += weight * bytes * bytes;
    s->xy += weight * bytes * seconds;
}

/* By least squares, each site of each rank as one point; false: sizes are too much alike. */
static bool fit_line(const struct line_sums *s, struct line *line)
{
    double spread = s->weight * s->xx - s->x * s->x;
    if (!(s->most > APART * s->least) || !(spread > 0))
        return false;
    line->per_byte = fmax(0, (s->weight * s->xy - s->x * s->y) / spread);
    line->latency = (s->y - line->per_byte * s->x) / s->weight;
    if (line->latency < 0) {
        line->latency = 0;
        line->per_byte = s->x > 0 ? s->xy / s->xx : 0;
    }
    return line->latency > 0 || line->per_byte > 0;
}

struct loop_volume { /* of a loop, all ranks */
    double messages, bytes, transfer, waits;
};

static uint32_t loop_of(const struct sca_advice_input *in, uint32_t v)
{
    const struct sca_ppg *ppg = in->c->ppg;
    while (v && ppg->vertices[v].kind != SCA_LOOP)
        v = ppg->vertices[v].parent;
    return in->place[v];
}

/* Sites of the rank: what each moves on average, and what that takes. */
static void add_rank(const struct sca_advice_input *in, uint32_t r, struct line_sums *sums,
                     struct loop_volume *loops, double *by_rank)
{
    uint32_t nsites = in->run->profile->nsites;
    struct sca_workspace scratch = {.out_of_memory = in->c->space->out_of_memory};
    double *count = sca_workspace_alloc(&scratch, nsites, sizeof *count);
    double *bytes = sca_workspace_alloc(&scratch, nsites, sizeof *bytes);
    const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_PEERS | SCA_OPEN_SITES);
    for (uint32_t i = 0; i < rank->npeers; i++) {
        count[rank->peers[i].site] += (double)rank->peers[i].count;
        bytes[rank->peers[i].site] += (double)rank->peers[i].bytes;
    }
    for (uint32_t i = 0; i < rank->nsites; i++) {
        uint32_t s = rank->sites[i].site, v = in->run->site_vertex[s];
        double calls = (double)rank->sites[i].count;
        double each = in->per_call[(size_t)r * nsites + s];
        if (v == SCA_NONE || !(count[s] > 0) || !(calls > 0) || !(each > 0))
            continue;
        struct loop_volume *loop = &loops[loop_of(in, v)];
        add_point(sums, bytes[s] / count[s], each * calls / count[s], count[s]);
        loop->messages += count[s];
        loop->bytes += bytes[s];
        loop->transfer += each * calls;
        by_rank[(size_t)loop_of(in, v) * in->run->nranks + r] += count[s];
    }
    sca_workspace_free(&scratch);
}

static void add_loop(const struct sca_advice_input *in, struct sca_advices *out, uint32_t loop,
                     const struct loop_volume *v, const struct line *line, const double *by_rank)
{
    double latency = v->messages * line->latency, moved = v->bytes * line->per_byte;
    bool many = latency > moved;
    if (!(100 * v->transfer > EXPLAINS * (v->transfer + v->waits)) || latency + moved <= 0)
        return;
    struct sca_advice advice = {.kind = many ? SCA_ADVICE_LATENCY : SCA_ADVICE_BANDWIDTH,
                                .vertex = loop,
                                .gain = v->transfer * fmax(latency, moved) / (latency + moved)};
    if (advice.gain < in->least)
        return;
    advice.text = sca_advice_text(
        in,
        many ? "The time in MPI of the %s is that of its messages, not of waits: %.3g messages of "
               "%.3g bytes, at %.2g us latency. Send fewer, larger ones."
             : "The time in MPI of the %s is that of its messages, not of waits: %.3g messages of "
               "%.3g bytes, at %.3g MB/s. Send fewer bytes, or while computing.",
        sca_advice_place(in, loop), v->messages, v->bytes / v->messages,
        many ? 1e6 * line->latency : 1e-6 / line->per_byte);
    sca_advice_add(in, out, &advice, by_rank);
}

void sca_advice_volume(const struct sca_advice_input *in, struct sca_advices *out)
{
    uint32_t n = in->c->ppg->nvertices, nranks = in->run->nranks;
    struct loop_volume *loops = sca_workspace_alloc(in->c->space, n, sizeof *loops);
    double *by_rank = sca_workspace_alloc(in->c->space, (size_t)n * nranks, sizeof *by_rank);
    struct line_sums sums = {0};
    struct line line;
    for (uint32_t r = 0; r < nranks; r++)
        add_rank(in, r, &sums, loops, by_rank);
    for (uint32_t v = 0; v < n; v++)
        if (in->c->ppg->vertices[v].kind == SCA_MPI)
            loops[loop_of(in, v)].waits += sca_advice_waits(in, v, SCA_WAIT_CLASSES);
    if (!fit_line(&sums, &line))
        return;
    for (uint32_t v = 1; v < n; v++) /* vertex 0: in no loop */
        if (loops[v].messages > 0)
            add_loop(in, out, v, &loops[v], &line, &by_rank[(size_t)v * nranks]);
}
