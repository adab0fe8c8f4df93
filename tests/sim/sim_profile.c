#include "sim_profile.h"
#include "sim_samples.h"
#include "synthetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_OF_WINDOW = 2, KEEP = 16, CLASSES = 64, BYTES = 8, AROUND = 1, POOLED = 2 };

static uint64_t ns(double seconds)
{
    return (uint64_t)llround(seconds * 1e9);
}

/* Wall clock of a run whose ranks share cores. */
static double dilation(const struct sim *s)
{
    uint32_t cores = s->options.cores;
    return cores && cores < s->ranks ? (double)s->ranks / cores : 1;
}

/* ---- exact tables ---- */

struct sums {
    uint64_t count;
    double seconds, longest, off_cpu_s;
};

/* What no loop took. */
static double stalled_in(const struct sim_call *c)
{
    double left = c->interval;
    for (uint32_t p = 0; p < SIM_PLACES; p++)
        left -= c->loops[p];
    return left > 1e-9 ? left : 0;
}

static void add_rank(struct synth *to, const struct sim *s, uint32_t rank)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    struct sums inside[SIM_PLACES] = {{0}}, intervals[SIM_PLACES + 1][SIM_PLACES] = {{{0}}};
    for (uint32_t i = 0; i < sequence->ncalls; i++) {
        const struct sim_call *c = &sequence->calls[i];
        struct sums *interval = &intervals[sim_previous_site(sequence, i)][c->place];
        inside[c->place].count++;
        inside[c->place].seconds += (c->exit - c->enter) * dilation(s);
        interval->count++;
        interval->seconds += c->interval;
        interval->off_cpu_s += stalled_in(c);
        interval->longest = fmax(interval->longest, c->interval);
    }
    for (uint32_t p = 0; p < s->program->nplaces; p++) {
        if (inside[p].count)
            synth_total(to, rank, p + 1, inside[p].count, ns(inside[p].seconds),
                        BYTES * inside[p].count);
        for (uint32_t q = 0; q <= s->program->nplaces; q++)
            if (intervals[q][p].count)
                synth_stalled(to, rank, q, p + 1, intervals[q][p].count,
                              ns(intervals[q][p].seconds), ns(intervals[q][p].off_cpu_s),
                              ns(intervals[q][p].longest));
    }
}

/* One record for each place and peer. */
struct traffic {
    const struct sim_call *like;
    uint64_t count;
};

static void add_traffic(struct synth *to, const struct traffic *t, uint32_t rank)
{
    const struct sim_call *c = t->like;
    if (c->kind == SIM_COLLECTIVE)
        synth_collective(to, rank,
                         &(struct sca_part_collective){.site = c->place + 1,
                                                       .root = c->shape == SIM_ALL ? -1 : c->peer,
                                                       .count = t->count,
                                                       .bytes = BYTES * t->count});
    else
        synth_peer(
            to, rank,
            &(struct sca_part_peer){.site = c->place + 1,
                                    .peer = c->peer,
                                    .direction = c->kind == SIM_SEND ? SCA_SENT : SCA_RECEIVED,
                                    .count = t->count,
                                    .bytes = BYTES * t->count});
}

static void add_all_traffic(struct synth *to, const struct sim *s, uint32_t rank)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    struct traffic *all = sim_memory(sequence->ncalls, sizeof *all);
    uint32_t n = 0;
    for (uint32_t i = 0; i < sequence->ncalls; i++) {
        const struct sim_call *c = &sequence->calls[i];
        uint32_t k = 0;
        while (k < n && (all[k].like->place != c->place || all[k].like->peer != c->peer))
            k++;
        all[k].like = c;
        all[k].count++;
        n += k == n;
    }
    for (uint32_t k = 0; k < n; k++)
        add_traffic(to, &all[k], rank);
    free(all);
}

/* A rank that waits in MPI spins: it is on its core all the time it has one. */
static void add_header(struct synth *to, const struct sim *s, uint32_t rank)
{
    struct sca_part_header *h = synth_header(to, rank);
    h->wall_ns = ns(sim_seconds(s) * dilation(s));
    h->cpu_ns = ns(sim_seconds(s));
    h->sample_period_ns = SIM_SAMPLE_PERIOD_NS;
}

/* ---- windows ---- */

struct choice {
    uint32_t step, class, total;
    double chance;
};

static int by_chance(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return (x->chance > y->chance) - (x->chance < y->chance);
}

/* When the rank left its last call before the step. */
static double begin_of(const struct sim_sequence *sequence, uint32_t step)
{
    double begin = 0;
    for (uint32_t i = 0; i < sequence->ncalls && sequence->calls[i].step < step; i++)
        begin = sequence->calls[i].exit;
    return begin;
}

/* All windows of the run, at random, each with its class and how many there are of that. */
static struct choice *all_windows(const struct sim *s, uint32_t *n)
{
    uint32_t totals[CLASSES] = {0};
    *n = s->program->steps / STEPS_OF_WINDOW;
    struct choice *all = sim_memory(*n, sizeof *all);
    for (uint32_t i = 0; i < *n; i++) {
        uint32_t step = i * STEPS_OF_WINDOW;
        double seconds =
            begin_of(&s->sequences[0], step + STEPS_OF_WINDOW) - begin_of(&s->sequences[0], step);
        all[i] = (struct choice){.step = step,
                                 .class = (uint32_t)fmax(0, log2(fmax(1, seconds * 1e9))),
                                 .chance = sim_chance(s->options.seed + 2, step, 0)};
        totals[all[i].class]++;
    }
    for (uint32_t i = 0; i < *n; i++)
        all[i].total = totals[all[i].class];
    qsort(all, *n, sizeof *all, by_chance);
    return all;
}

static uint32_t operations(const struct sim_call *c, struct sca_op *out)
{
    static const uint8_t shapes[] = {SCA_ALL_TO_ALL, SCA_ONE_TO_ALL, SCA_ALL_TO_ONE};
    struct sca_op op = {.peer = c->peer, .number = c->number, .bytes = BYTES};
    if (c->kind == SIM_RECEIVE) {
        out[0] = out[1] = op;
        out[0].kind = SCA_OP_RECV_POST;
        out[0].bytes = 0;
        out[1].kind = SCA_OP_RECV;
        return 2;
    }
    op.kind = c->kind == SIM_SEND ? SCA_OP_SEND : SCA_OP_COLLECTIVE;
    if (c->kind == SIM_COLLECTIVE) {
        op.shape = shapes[c->shape];
        op.peer = c->shape == SIM_ALL ? -1 : c->peer;
    }
    out[0] = op;
    return 1;
}

static void add_window(struct synth *to, const struct sim *s, uint32_t rank,
                       const struct choice *choice)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    struct sca_window w = {.iteration = choice->step,
                           .iterations = STEPS_OF_WINDOW,
                           .duration_class = choice->class,
                           .class_total = choice->total};
    w.begin_ns = ns(begin_of(sequence, choice->step) * dilation(s));
    w.end_ns = ns(begin_of(sequence, choice->step + STEPS_OF_WINDOW) * dilation(s));
    w.events = sim_memory(sequence->ncalls, sizeof *w.events);
    w.ops = sim_memory(2 * (size_t)sequence->ncalls, sizeof *w.ops);
    for (uint32_t i = 0; i < sequence->ncalls; i++) {
        const struct sim_call *c = &sequence->calls[i];
        if (c->step < choice->step || c->step >= choice->step + STEPS_OF_WINDOW)
            continue;
        struct sca_event *event = &w.events[w.nevents++];
        *event =
            (struct sca_event){.site = c->place + 1, .first_op = w.nops, .gap_ns = ns(c->interval)};
        event->nops = operations(c, &w.ops[w.nops]);
        w.nops += event->nops;
    }
    synth_window(to, rank, &w);
    free(w.events);
    free(w.ops);
}

static void add_windows(struct synth *to, const struct sim *s)
{
    uint32_t n, kept[CLASSES] = {0};
    struct choice *all = all_windows(s, &n);
    for (uint32_t i = 0; i < n; i++)
        if (kept[all[i].class]++ < KEEP)
            for (uint32_t rank = 0; rank < s->ranks; rank++)
                add_window(to, s, rank, &all[i]);
    free(all);
}

static struct sca_profile *profile_of(const struct sim *s, const double *drawn)
{
    uint32_t nodes[SIM_PLACES];
    struct synth *to = synth_new(s->ranks);
    uint32_t module = synth_module(to, "/nowhere/simulated", "00ff");
    for (uint32_t p = 0; p < s->program->nplaces; p++) {
        nodes[p] = synth_node(to, 0, module, 0x1000 + 16 * p, SCA_NODE_RETURN);
        synth_site(to, nodes[p], s->program->places[p].function);
    }
    synth_meta(to, "oversubscribed", dilation(s) > 1 || s->options.as.bound ? "1" : "0");
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        add_header(to, s, rank);
        add_rank(to, s, rank);
        add_all_traffic(to, s, rank);
        sim_samples_add(s, rank, drawn, nodes, to);
    }
    add_windows(to, s);
    struct sca_profile *profile = synth_profile(to);
    synth_free(to);
    return profile;
}

/* ---- the graph ---- */

static void add_share(struct sca_ppg_run *run, uint32_t rank, uint32_t *at, uint32_t v,
                      double seconds, double samples)
{
    if (seconds <= 0)
        return;
    run->shares[(*at)++] = (struct sca_ppg_share){v, (float)samples, seconds};
    run->comp[(size_t)v * run->nranks + rank] += seconds;
    run->samples[v] += samples;
    run->sampled[v] += seconds;
    run->profile->ranks[rank].samples += (uint64_t)samples;
}

/* The exact time after a site goes to its loops by their samples, the rank's and a little of all
 * ranks'; without any, it is somewhere in the loop around them. */
static void share_site(const struct sim *s, struct sca_ppg_run *run, uint32_t first_place,
                       const double *own, const double *pool, double seconds, uint32_t rank,
                       uint32_t *at)
{
    double samples = sim_sum(own), pooled = sim_sum(pool), all = samples + POOLED;
    if (pooled <= 0)
        add_share(run, rank, at, AROUND, seconds, 0);
    for (uint32_t p = 0; p < s->program->nplaces && pooled > 0; p++)
        add_share(run, rank, at, first_place + p,
                  seconds * (own[p] + POOLED * pool[p] / pooled) / all, own[p]);
}

/* Of a rank after a site. */
static double stalled_after(const struct sim *s, uint32_t rank, uint32_t site)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    double seconds = 0;
    for (uint32_t i = 0; i < sequence->ncalls; i++)
        if (sim_previous_site(sequence, i) == site)
            seconds += stalled_in(&sequence->calls[i]);
    return seconds;
}

static void share_rank(const struct sim *s, struct sim_graph *g, struct sca_ppg_run *run,
                       uint32_t rank, const double *drawn)
{
    uint32_t nsites = run->profile->nsites;
    size_t cells = (size_t)nsites * SIM_PLACES;
    double *exact = sim_memory(cells, sizeof *exact);
    sim_sum_loops(s, rank, exact);
    for (uint32_t site = 0; site < nsites; site++) {
        size_t interval = (size_t)rank * nsites + site, here = (size_t)site * SIM_PLACES;
        uint32_t at = run->first_share[interval];
        share_site(s, run, g->first_place, drawn + rank * cells + here,
                   drawn + s->ranks * cells + here, sim_sum(exact + here), rank, &at);
        double off_cpu_s = stalled_after(s, rank, site);
        if (off_cpu_s > 0)
            add_share(run, rank, &at, AROUND, off_cpu_s, 0);
        run->blocked[(size_t)AROUND * s->ranks + rank] += off_cpu_s;
        run->first_share[interval + 1] = at;
    }
    free(exact);
}

static void add_calls(const struct sim *s, struct sim_graph *g, struct sca_ppg_run *run)
{
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        for (uint32_t i = 0; i < run->profile->ranks[rank].nsites; i++) {
            const struct sca_site_total *t = &run->profile->ranks[rank].sites[i];
            if (!t->site)
                continue;
            size_t cell = (size_t)(g->first_place + t->site - 1) * s->ranks + rank;
            run->mpi[cell] += (double)t->time_ns * 1e-9;
            run->calls[cell] += t->count;
        }
}

/* The site that each rank calls next, wherever it left that one; SCA_NONE: now this, now that. */
static uint32_t next_of(const struct sim *s, uint32_t site)
{
    uint32_t next = SCA_NONE;
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        for (uint32_t i = 0; i < s->sequences[rank].ncalls; i++) {
            uint32_t here = s->sequences[rank].calls[i].place + 1;
            if (sim_previous_site(&s->sequences[rank], i) != site || here == next)
                continue;
            if (next != SCA_NONE)
                return SCA_NONE;
            next = here;
        }
    return next;
}

static void add_run(const struct sim *s, struct sim_graph *g, struct sca_ppg_run *run)
{
    double *drawn = sim_samples_draw(s);
    struct sca_profile *profile = profile_of(s, drawn);
    size_t cells = (size_t)g->ppg.nvertices * s->ranks,
           intervals = (size_t)s->ranks * profile->nsites;
    *run = (struct sca_ppg_run){.profile = profile, .nranks = s->ranks};
    run->comp = sim_memory(cells, sizeof *run->comp);
    run->blocked = sim_memory(cells, sizeof *run->blocked);
    run->awaited = sim_memory(g->ppg.nvertices, sizeof *run->awaited);
    run->mpi = sim_memory(cells, sizeof *run->mpi);
    run->samples = sim_memory(cells, sizeof *run->samples);
    run->sampled = sim_memory(cells, sizeof *run->sampled);
    run->calls = sim_memory(cells, sizeof *run->calls);
    run->site_vertex = sim_memory(profile->nsites, sizeof *run->site_vertex);
    run->first_share = sim_memory(intervals + 1, sizeof *run->first_share);
    run->shares = sim_memory(intervals * (s->program->nplaces + 1), sizeof *run->shares);
    run->node_vertex = sim_memory(profile->nnodes, sizeof *run->node_vertex);
    for (uint32_t p = 0; p < s->program->nplaces; p++)
        run->node_vertex[profile->sites[p + 1].node] = g->first_place + p;
    run->site_vertex[0] = SCA_NONE;
    sca_intervals_open_joined(&run->intervals, profile->nsites);
    for (uint32_t site = 0; site < profile->nsites && !s->options.killed; site++)
        run->intervals.next[site] = next_of(s, site);
    for (uint32_t p = 0; p < s->program->nplaces; p++)
        run->site_vertex[p + 1] = g->first_place + p;
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        share_rank(s, g, run, rank, drawn);
    free(drawn);
    add_calls(s, g, run);
}

static void add_vertices(const struct sim_program *program, struct sim_graph *g)
{
    struct sca_ppg_vertex *v = g->ppg.vertices;
    const struct sca_ppg_vertex like = {
        .name = "", .function = "main", .file = "/nowhere/simulated.c", .has_psg = true};
    v[0] = v[1] = like;
    v[0].kind = SCA_ROOT;
    v[1].kind = SCA_LOOP;
    v[1].line = 1;
    v[1].end_line = 1000;
    for (uint32_t p = 0; p < program->nplaces; p++) {
        const struct sim_place *place = &program->places[p];
        v[2 + p] = like;
        v[2 + p].parent = 1;
        v[2 + p].order = p;
        v[2 + p].kind = place->function[0] ? SCA_MPI : SCA_LOOP;
        v[2 + p].name = place->function;
        v[2 + p].line = place->line;
        v[2 + p].end_line = place->line + 1;
    }
}

struct sim_graph *sim_graph(struct sim *const *runs, uint32_t nruns)
{
    struct sim_graph *g = sim_memory(1, sizeof *g);
    const struct sim_program *program = runs[0]->program;
    g->first_place = 2;
    g->ppg = (struct sca_ppg){.nvertices = 2 + program->nplaces,
                              .vertices = sim_memory(2 + program->nplaces, sizeof *g->ppg.vertices),
                              .nruns = nruns,
                              .runs = sim_memory(nruns, sizeof *g->ppg.runs),
                              .program = "simulated",
                              .path = "/nowhere/simulated",
                              .build_id = "00ff"};
    add_vertices(program, g);
    for (uint32_t i = 0; i < nruns; i++)
        add_run(runs[i], g, &g->ppg.runs[i]);
    return g;
}

void sim_graph_free(struct sim_graph *g)
{
    for (uint32_t i = 0; i < g->ppg.nruns; i++) {
        struct sca_ppg_run *run = &g->ppg.runs[i];
        sca_profile_free((struct sca_profile *)run->profile);
        free(run->comp);
        free(run->blocked);
        free(run->awaited);
        free(run->mpi);
        free(run->samples);
        free(run->sampled);
        free(run->calls);
        free(run->site_vertex);
        free(run->node_vertex);
        sca_intervals_free(&run->intervals);
        free(run->first_share);
        free(run->shares);
    }
    free(g->ppg.vertices);
    free(g->ppg.runs);
    free(g);
}
