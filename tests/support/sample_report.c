#include "sample_report.h"
#include "sca_timelines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CG_RANKS = 8, CG_RUNS = 3 };

static void *take(struct sca_report *r, size_t count, size_t size)
{
    return sca_report_alloc(r, count * size);
}

static void set_account(struct sca_report_run *run)
{
    struct sca_report_account *a = &run->account;
    a->duration_s = run->wall_s;
    a->base_core_s = run->ranks * run->wall_s;
    a->tool_core_s = run->tool_s;
    a->extra_core_s = 0.05 * run->useful_s;
    a->useful_core_s = run->useful_s - a->extra_core_s - run->tool_s;
    a->explained_core_s = 0.9 * run->wait_s;
    a->unexplained_core_s = 0.1 * run->wait_s;
    a->rest_core_s = a->base_core_s - run->useful_s - run->wait_s;
}

static void set_runs(struct sca_report *r, uint32_t count, uint32_t first_ranks)
{
    r->nruns = r->nefficiency = count;
    r->runs = take(r, count, sizeof *r->runs);
    r->efficiency = take(r, count, sizeof *r->efficiency);
    for (uint32_t i = 0; i < count; i++) {
        char dir[64];
        uint32_t ranks = first_ranks << i;
        double wall = 20.0 / (1u << i) + 2.0;
        snprintf(dir, sizeof dir, "scalana-%s-%up", r->program, ranks);
        r->runs[i] = (struct sca_report_run){.dir = sca_report_string(r, dir),
                                             .ranks = ranks,
                                             .wall_s = wall,
                                             .useful_s = ranks * wall * (0.9 - 0.1 * i),
                                             .mpi_s = ranks * wall * (0.1 + 0.1 * i),
                                             .wait_s = ranks * wall * (0.05 + 0.1 * i),
                                             .tool_s = ranks * wall * 0.004,
                                             .complete = true,
                                             .noise = 0.02};
        set_account(&r->runs[i]);
        r->efficiency[i] = (struct sca_report_efficiency){.ranks = ranks,
                                                          .parallel = 0.9 - 0.1 * i,
                                                          .load_balance = 0.95 - 0.1 * i,
                                                          .communication = 0.97 - 0.02 * i,
                                                          .computation = 1.0 - 0.04 * i,
                                                          .serialisation = 0.98 - 0.01 * i,
                                                          .transfer = 0.99 - 0.01 * i,
                                                          .instructions = NAN,
                                                          .ipc = NAN,
                                                          .frequency = NAN,
                                                          .hybrid = NAN,
                                                          .openmp = NAN};
        r->efficiency[i].global = r->efficiency[i].parallel * r->efficiency[i].computation;
    }
}

/* Rank `slow` needs `factor` times the `base` seconds of the others. */
static void set_ranks(struct sca_report *r, uint32_t vertex, double base, uint32_t slow,
                      double factor)
{
    struct sca_report_vertex *v = &r->vertices[vertex];
    double total = 0;
    v->nranks = r->runs[r->nruns - 1].ranks;
    v->rank_s = take(r, v->nranks, sizeof *v->rank_s);
    for (uint32_t i = 0; i < v->nranks; i++)
        total += v->rank_s[i] = base * (i == slow ? factor : 1 + 0.01 * (i % 3));
    v->nruns = r->nruns;
    v->run_s = take(r, v->nruns, sizeof *v->run_s);
    for (uint32_t i = 0; i < v->nruns; i++)
        v->run_s[i] = total * pow(0.7, v->nruns - 1 - i);
}

struct place {
    const char *kind, *name, *function;
    uint32_t line, end_line, parent;
    double base, factor;
};

static const struct place cg_places[] = {
    {"root", "main", "main", 60, 90, 0, 4.0, 1},
    {"loop", "loop at cg.c:70", "main", 70, 88, 0, 3.8, 1},
    {"call", "conj_grad", "main", 72, 72, 1, 3.7, 1},
    {"loop", "loop at cg.c:20", "conj_grad", 20, 48, 2, 3.6, 1},
    {"loop", "loop at cg.c:24", "conj_grad", 24, 30, 3, 1.0, 3.1},
    {"mpi", "MPI_Irecv", "conj_grad", 33, 33, 3, 0.01, 1},
    {"mpi", "MPI_Wait", "conj_grad", 36, 36, 3, 0.6, 0.2},
    {"mpi", "MPI_Allreduce", "conj_grad", 44, 44, 3, 1.5, 0.1},
    {"comp", "comp at cg.c:62", "main", 62, 66, 0, 0.02, 40},
    {"loop", "loop at cg.c:80", "main", 80, 84, 1, 0.4, 1},
};
enum { CG_PLACES = sizeof cg_places / sizeof *cg_places };

static void set_places(struct sca_report *r, const char *file)
{
    r->nvertices = CG_PLACES;
    r->vertices = take(r, CG_PLACES, sizeof *r->vertices);
    for (uint32_t i = 0; i < CG_PLACES; i++) {
        const struct place *p = &cg_places[i];
        r->vertices[i] = (struct sca_report_vertex){.id = i,
                                                    .kind = p->kind,
                                                    .name = p->name,
                                                    .function = p->function,
                                                    .file = sca_report_string(r, file),
                                                    .line = p->line,
                                                    .end_line = p->end_line,
                                                    .parent = p->parent};
        set_ranks(r, i, p->base, !strcmp(p->kind, "comp") ? 0 : 4, p->factor);
    }
}

static uint32_t *one_rank(struct sca_report *r, uint32_t rank)
{
    uint32_t *ranks = take(r, 1, sizeof *ranks);
    *ranks = rank;
    return ranks;
}

static void set_delay(struct sca_report *r, struct sca_report_cause *c)
{
    static const struct sca_report_step path[] = {
        {7, 0, ""}, {7, 4, "collective"}, {6, 4, "data"}, {6, 5, "p2p"}, {4, 4, "p2p"}};
    static const struct sca_report_symptom symptoms[] = {{7, 11.3}, {6, 2.4}};
    *c = (struct sca_report_cause){.vertex = 4,
                                   .category = "imbalance",
                                   .nranks = 1,
                                   .ranks = one_rank(r, 4),
                                   .cost_core_s = 13.7,
                                   .cost_share = 0.381,
                                   .gain_core_s = 11.9,
                                   .gain_share = 0.331,
                                   .direct_core_s = 9.2,
                                   .indirect_core_s = 4.5,
                                   .ratio = 3.094,
                                   .nsymptoms = 2,
                                   .npath = 5};
    c->symptoms = take(r, 2, sizeof *c->symptoms);
    c->path = take(r, 5, sizeof *c->path);
    memcpy(c->symptoms, symptoms, sizeof symptoms);
    memcpy(c->path, path, sizeof path);
}

static void set_undivided(struct sca_report *r, struct sca_report_cause *c)
{
    *c = (struct sca_report_cause){.vertex = 9,
                                   .category = "nonscalable",
                                   .nranks = CG_RANKS,
                                   .cost_core_s = 2.8,
                                   .cost_share = 0.078,
                                   .gain_core_s = 2.4,
                                   .gain_share = 0.067};
    c->ranks = take(r, CG_RANKS, sizeof *c->ranks);
    for (uint32_t i = 0; i < CG_RANKS; i++)
        c->ranks[i] = i;
}

static void set_serial(struct sca_report *r, struct sca_report_cause *c)
{
    *c = (struct sca_report_cause){.vertex = 8,
                                   .category = "serial",
                                   .nranks = 1,
                                   .ranks = one_rank(r, 0),
                                   .cost_core_s = 5.5,
                                   .cost_share = 0.153,
                                   .gain_core_s = 0.6,
                                   .gain_share = 0.017,
                                   .ratio = 40,
                                   .others = "none",
                                   .saved_if = "alike"};
    c->nsymptoms = 1;
    c->symptoms = take(r, 1, sizeof *c->symptoms);
    c->symptoms[0] = (struct sca_report_symptom){7, 5.5};
    c->npath = 2;
    c->path = take(r, 2, sizeof *c->path);
    c->path[0] = (struct sca_report_step){7, 3, ""};
    c->path[1] = (struct sca_report_step){8, 0, "collective"};
}

static void set_projections(struct sca_report *r, struct sca_report_nonscalable *n)
{
    static const struct sca_report_projection projections[] = {
        {16, 0.16, {0.14, 0.18}}, {64, 0.41, {0.35, 0.47}}, {512, 0.84, {0.76, 0.9}}};
    n->nprojections = 3;
    n->projections = take(r, 3, sizeof *n->projections);
    memcpy(n->projections, projections, sizeof projections);
}

static void set_waits(struct sca_report *r)
{
    static const struct sca_report_wait waits[] = {{7, "wait-at-nxn", 5600, 12.1, 11.0, 0.9},
                                                   {6, "late-sender", 5250, 4.6, 2.2, 2.3}};
    r->nwaits = 2;
    r->waits = take(r, 2, sizeof *r->waits);
    memcpy(r->waits, waits, sizeof waits);
}

/* Half of the largest run's ranks here, half there. */
static void set_hosts(struct sca_report *r)
{
    static const char *const names[][2] = {{"node<A>", "10.0.0.1"}, {"nodeB", "10.0.0.2"}};
    struct sca_report_run *run = &r->runs[r->nruns - 1];
    run->nhosts = 2;
    run->hosts = take(r, 2, sizeof *run->hosts);
    for (uint32_t i = 0; i < 2; i++) {
        run->hosts[i] = (struct sca_report_host){names[i][0], names[i][1], CG_RANKS / 2, NULL};
        run->hosts[i].ranks = take(r, CG_RANKS / 2, sizeof *run->hosts[i].ranks);
        for (uint32_t k = 0; k < CG_RANKS / 2; k++)
            run->hosts[i].ranks[k] = i * CG_RANKS / 2 + k;
    }
}

static void set_models(struct sca_report *r)
{
    r->nnonscalable = 1;
    r->nonscalable = take(r, 1, sizeof *r->nonscalable);
    r->nonscalable[0] = (struct sca_report_nonscalable){.vertex = 9,
                                                        .slope = 0.02,
                                                        .slope_ci = {-0.05, 0.09},
                                                        .r2 = 0.993,
                                                        .share = 0.09,
                                                        .loss_core_s = 2.8,
                                                        .expected_slope = -0.95};
    set_projections(r, &r->nonscalable[0]);
    set_waits(r);
    r->nabnormal = 1;
    r->abnormal = take(r, 1, sizeof *r->abnormal);
    r->abnormal[0] = (struct sca_report_abnormal){4, CG_RANKS, 1, one_rank(r, 4), 3.094, 2.1};
}

static struct sca_report *start(const char *program)
{
    struct sca_report *r = sca_report_new();
    r->program = sca_report_string(r, program);
    r->path = "/home/user/cg/cg";
    r->build_id = "0123456789abcdef";
    return r;
}

static void set_row(struct sca_report *r, uint32_t vertex, const double *values,
                    struct sca_report_metric_row *row)
{
    row->vertex = vertex;
    sca_report_metric_row_fill(r, values, CG_RANKS, row);
}

/* Seconds of each rank, the same on all of them, on one of them, and a ratio; one is not known. */
static void set_metrics(struct sca_report *r)
{
    static const struct sca_report_metric metrics[] = {
        {"computation", "Computation", "s", "own time", "", UINT32_MAX, UINT32_MAX, UINT32_MAX, 1,
         2, NULL, NULL, 0, NULL},
        {"waiting", "Waiting", "s", "for others", "", UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1,
         NULL, NULL, 0, NULL},
        {"late_sender", "Late sender", "s", "for a message", "", 1, UINT32_MAX, UINT32_MAX, 1, 0,
         NULL, NULL, 0, NULL},
        {"PAPI_FP_OPS", "PAPI_FP_OPS", "events", "counted", "no counter", UINT32_MAX, UINT32_MAX,
         UINT32_MAX, 1, 0, NULL, NULL, 0, NULL},
        {"PAPI_FP_OPS_per_s", "flops/s", "flops/s", "a ratio", "no counter", UINT32_MAX, 3, 0, 1, 0,
         NULL, NULL, 0, NULL}};
    double each[CG_RANKS], same[CG_RANKS], one[CG_RANKS] = {0};
    for (uint32_t i = 0; i < CG_RANKS; i++) {
        each[i] = 1 + 0.125 * i;
        same[i] = 0.5;
    }
    one[4] = 2.5;
    r->nmetrics = sizeof metrics / sizeof *metrics;
    r->metrics = take(r, r->nmetrics, sizeof *metrics);
    memcpy(r->metrics, metrics, sizeof metrics);
    r->metrics[0].rows = take(r, 2, sizeof *r->metrics[0].rows);
    r->metrics[1].rows = take(r, 1, sizeof *r->metrics[1].rows);
    r->metrics[0].by_rank = take(r, CG_RANKS, sizeof(double));
    for (uint32_t i = 0; i < CG_RANKS; i++)
        r->metrics[0].by_rank[i] = each[i] + same[i];
    r->metrics[0].nothers = 1;
    r->metrics[0].others = take(r, 1, sizeof *r->metrics[0].others);
    r->metrics[0].others[0] = (struct sca_report_metric_run){0, 1, take(r, 1, sizeof(double) * 2)};
    r->metrics[0].others[0].rows[0] = (struct sca_report_metric_sum){4, 6.25};
    set_row(r, 4, each, &r->metrics[0].rows[0]);
    set_row(r, 5, same, &r->metrics[0].rows[1]);
    set_row(r, 7, one, &r->metrics[1].rows[0]);
}

/* A ring. */
static void set_communication(struct sca_report *r)
{
    struct sca_report_communication *c = &r->communication;
    *c = (struct sca_report_communication){.nblocks = CG_RANKS,
                                           .block_ranks = 1,
                                           .npairs = CG_RANKS,
                                           .nsizes = 1,
                                           .collective_calls = 800,
                                           .collective_bytes = 6400};
    c->pairs = take(r, CG_RANKS, sizeof *c->pairs);
    c->sizes = take(r, 1, sizeof *c->sizes);
    c->sizes[0] = (struct sca_report_size){1024, CG_RANKS * 100, 0};
    for (uint32_t i = 0; i < CG_RANKS; i++)
        c->pairs[i] = (struct sca_report_pair){i, (i + 1) % CG_RANKS, 100, 200000};
}

void sca_sample_add_contention(struct sca_report *r, uint32_t nthreads)
{
    struct sca_report_contention *c = &r->contention;
    *c = (struct sca_report_contention){.wait_s = 2.0 * nthreads, .unknown_s = nthreads};
    c->hand_overs = take(r, nthreads, sizeof *c->hand_overs);
    c->locks = take(r, 2, sizeof *c->locks);
    c->locks[c->nlocks++] = (struct sca_report_lock){"table_lock", "", 0, 3};
    c->locks[c->nlocks++] = (struct sca_report_lock){"made at cg.c:12", "cg.c", 12, 2};
    for (; c->nhand_overs < nthreads; c->nhand_overs++) {
        uint32_t i = c->nhand_overs;
        c->hand_overs[i] = (struct sca_report_hand_over){
            1, i, (i + 1) % nthreads, 2, 4, 10, i ? 1 - 0.5 / nthreads * i : 1.25, 1 + i % 2};
    }
}

void sca_sample_add_threads(struct sca_report *r)
{
    enum { LISTED = 3 };
    static const uint32_t numbers[LISTED] = {0, 3, 70};
    struct sca_report_thread_times *t = &r->thread_times;
    *t = (struct sca_report_thread_times){.nthreads = 80, .nlisted = LISTED, .nrows = 1};
    t->listed = take(r, LISTED, sizeof *t->listed);
    memcpy(t->listed, numbers, sizeof numbers);
    t->rows = take(r, 1, sizeof *t->rows);
    t->rows[0] = (struct sca_report_thread_row){4, take(r, CG_RANKS * LISTED, sizeof(double))};
    for (uint32_t i = 0; i < CG_RANKS * LISTED; i++)
        t->rows[0].seconds[i] = r->vertices[4].rank_s[i / LISTED] / (2 << i % LISTED);
}

/* Rank 4 is a class of its own, for it left that of the others. */
static void set_behaviour(struct sca_report *r)
{
    struct sca_report_behaviour *b = &r->behaviour;
    *b = (struct sca_report_behaviour){.nclasses = 2, .nleavers = 1};
    b->classes = take(r, 2, sizeof *b->classes);
    b->leavers = take(r, 1, sizeof *b->leavers);
    uint32_t *others = take(r, CG_RANKS - 1, sizeof *others), n = 0;
    for (uint32_t i = 0; i < CG_RANKS; i++)
        if (i != 4)
            others[n++] = i;
    b->classes[0] = (struct sca_report_class){.role = "",
                                              .graph = 1,
                                              .nranks = n,
                                              .ranks = others,
                                              .own_mean_s = 1.1,
                                              .own_least_s = 1,
                                              .own_most_s = 1.2,
                                              .own_sd_s = 0.1,
                                              .mpi_mean_s = 2,
                                              .calls = 800,
                                              .least_peers = 2,
                                              .most_peers = 2};
    b->classes[1] = b->classes[0];
    b->classes[1].nranks = 1;
    b->classes[1].ranks = one_rank(r, 4);
    b->classes[1].own_sd_s = (double)NAN;
    b->leavers[0] = (struct sca_report_leaver){4, 401, 2.5, 1, 3.1};
    r->nadvice = 1;
    r->advice = take(r, 1, sizeof *r->advice);
    r->advice[0] = (struct sca_report_advice){.kind = "small-messages",
                                              .text = "Send what belongs together as one.",
                                              .estimate = "model",
                                              .vertex = 5,
                                              .nranks = 1,
                                              .ranks = one_rank(r, 4),
                                              .gain_core_s = 1.2,
                                              .gain_share = 0.04};
    r->drawing = "<svg class=\"drawing\" role=\"img\"><title>Graph</title></svg>";
}

enum { POINTS = 12 };

/* Every fourth iteration takes longer, and from the ninth on rank 3 twice as long. */
static void set_points(struct sca_report *r, struct sca_report_series_loop *loop)
{
    loop->npoints = POINTS;
    for (int c = 0; c < SCA_REPORT_SERIES_COLUMNS; c++)
        loop->points[c] = take(r, POINTS, sizeof(double));
    for (uint32_t i = 0; i < POINTS; i++) {
        double own = i % 4 == 3 ? 0.3 : 0.2, most = i < 8 ? own : 2 * own;
        const double point[SCA_REPORT_SERIES_COLUMNS] = {
            i + 1,         1,          0.1 + 0.5 * i,
            0.5,           own,        own,
            most,          own,        0.5 - most,
            0.2,           0.3,        0.2,
            0.01 * own,    0.02,       1e8,
            i < 8 ? 0 : 3, i % 4 == 3, i < 8 ? 1 : -1,
            i % 4 == 0,    own / most, i % 4 == 3 ? (double)NAN : 0.9,
            NAN,           NAN};
        for (int c = 0; c < SCA_REPORT_SERIES_COLUMNS; c++)
            loop->points[c][i] = point[c];
    }
}

static void set_series(struct sca_report *r)
{
    struct sca_report_series *s = &r->series;
    *s = (struct sca_report_series){.nranks = CG_RANKS, .nloops = 1, .nphases = 2};
    s->loops = take(r, 1, sizeof *s->loops);
    s->phases = take(r, 2, sizeof *s->phases);
    s->phases[0] = (struct sca_report_series_phase){"solve", UINT32_MAX, CG_RANKS, 3,   1,    0,
                                                    6.1,     6.1,        2.7,      3.6, 3.4,  0.1,
                                                    0.75,    0.59,       0.44,     0.8, 0.74, 4};
    s->phases[1] = (struct sca_report_series_phase){
        "first part", 0, CG_RANKS, 0, 1, 0, 4.1, 4.1, 1.8, 1.8, 2.3, 0.1, 1, NAN, NAN, NAN, NAN, 0};
    struct sca_report_series_loop *loop = &s->loops[0];
    *loop = (struct sca_report_series_loop){.source = "marker",
                                            .vertex = 5,
                                            .begin_s = 0.1,
                                            .end_s = 6.1,
                                            .nclusters = 2,
                                            .nchanges = 1};
    set_points(r, loop);
    loop->clusters = take(r, 2, sizeof *loop->clusters);
    loop->clusters[0] = (struct sca_report_series_cluster){
        9,   1,   0.5,  0.2, 0.27,
        0.2, 0,   0.75, NAN, NAN,
        0.9, NAN, 3,    2,   take(r, 2, sizeof(struct sca_report_series_context)),
        0,   NULL};
    loop->clusters[1] = (struct sca_report_series_cluster){
        3, 4, 0.5, 0.3, 0.4, 0.2, 0, 0.75, NAN, NAN, NAN, NAN, 0, 0, NULL, 0, NULL};
    loop->clusters[0].contexts[0] = (struct sca_report_series_context){2, 0.15, 0.2, 0, 0};
    loop->clusters[0].contexts[1] = (struct sca_report_series_context){5, 0, 0, 0.1, 4};
    loop->changes = take(r, 1, sizeof *loop->changes);
    loop->changes[0] = (struct sca_report_series_change){
        "step", "from iteration 9 on (second 4.1)", 9, NAN, NAN, 4.1, 2,
        1,      take(r, 1, sizeof(uint32_t))};
    loop->changes[0].ranks[0] = 3;
}

static void set_play(struct sca_report *r, struct sca_report_play *play, double slow)
{
    const struct sca_report_span spans[] = {
        {0, 0.25, 0, 4, UINT32_MAX, SCA_TIMELINE_COMPUTES, false},
        {0.25, 0.3, 0, 6, 4, 1, false},
        {0.3, slow, 0, 7, 4, 6, false},
        {0, slow, 1, 4, UINT32_MAX, SCA_TIMELINE_COMPUTES, true}};
    *play = (struct sca_report_play){.end = slow,
                                     .load_balance = 0.63,
                                     .serialisation = NAN,
                                     .nspans = 4,
                                     .nmessages = 1,
                                     .nmeetings = 1};
    play->spans = take(r, 4, sizeof *play->spans);
    memcpy(play->spans, spans, sizeof spans);
    play->messages = take(r, 1, sizeof *play->messages);
    play->messages[0] = (struct sca_report_message){0, 1, 0.25, slow};
    play->meetings = take(r, 1, sizeof *play->meetings);
    play->meetings[0] = (struct sca_report_meeting){0, 1, 0.3, slow, 7};
}

void sca_sample_add_timelines(struct sca_report *r)
{
    static const char *const kinds[] = {"computes",      "late-sender",    "wrong-order",
                                        "late-receiver", "late-broadcast", "early-reduce",
                                        "wait-at-nxn"};
    static const char *const names[] = {"typical", "slowest"};
    struct sca_report_timelines *t = r->timelines = take(r, 1, sizeof *t);
    t->count = 2;
    t->of = take(r, 2, sizeof *t->of);
    t->kinds = kinds;
    t->nkinds = sizeof kinds / sizeof *kinds;
    t->kept = true;
    for (uint32_t i = 0; i < t->count; i++) {
        struct sca_report_timeline *w = &t->of[i];
        *w = (struct sca_report_timeline){.name = names[i],
                                          .stands_for = 8,
                                          .shown = 1 + i,
                                          .iterations = 4,
                                          .begin_s = i ? -1 : 2.5,
                                          .nrows = 2};
        w->ranks = take(r, 2, sizeof *w->ranks);
        w->ranks[1] = 4;
        set_play(r, &w->measured, 1 + i);
    }
    set_play(r, &t->of[0].mended, 0.5);
}

struct sca_report *sca_sample_cg(const char *source)
{
    struct sca_report *r = start("cg");
    r->scaling_mode = "strong";
    r->loss_core_s = 17.2;
    r->explained_share = 0.93;
    set_runs(r, CG_RUNS, 2);
    r->least_gain = (struct sca_report_least){
        true, 0.02, 0.02 * r->runs[CG_RUNS - 1].account.base_core_s, 0.01, true, false};
    set_hosts(r);
    set_places(r, source);
    set_models(r);
    r->ncauses = 3;
    r->causes = take(r, 3, sizeof *r->causes);
    set_delay(r, &r->causes[0]);
    set_undivided(r, &r->causes[1]);
    set_serial(r, &r->causes[2]);
    r->nnotes = 1;
    r->notes = take(r, 1, sizeof *r->notes);
    r->notes[0] = "More ranks than cores: costs are as if each rank had a core.";
    set_metrics(r);
    set_communication(r);
    set_behaviour(r);
    set_series(r);
    return r;
}

struct sca_report *sca_sample_healthy(void)
{
    struct sca_report *r = sca_sample_cg("/nowhere/healthy.c");
    r->program = "healthy";
    r->ncauses = r->nabnormal = 0;
    r->nnonscalable = 0;
    r->loss_core_s = 0.2;
    return r;
}

static void set_large_vertex(struct sca_report *r, uint32_t i)
{
    char name[64];
    snprintf(name, sizeof name, "loop at big.c:%u", i + 1);
    r->vertices[i] = (struct sca_report_vertex){.id = i,
                                                .kind = i ? "loop" : "root",
                                                .name = sca_report_string(r, i ? name : "main"),
                                                .function = "main",
                                                .file = "big.c",
                                                .line = i + 1,
                                                .end_line = i + 2,
                                                .parent = i ? (i - 1) / 4 : 0};
    set_ranks(r, i, 0.001 * (1 + i % 97), i % 7, 1 + i % 11);
}

struct sca_report *sca_sample_large(uint32_t ncauses, uint32_t nranks)
{
    struct sca_report *r = start("large");
    set_runs(r, 1, nranks);
    r->nvertices = ncauses + 1;
    r->vertices = take(r, r->nvertices, sizeof *r->vertices);
    for (uint32_t i = 0; i < r->nvertices; i++)
        set_large_vertex(r, i);
    r->ncauses = ncauses;
    r->causes = take(r, ncauses, sizeof *r->causes);
    for (uint32_t i = 0; i < ncauses; i++)
        r->causes[i] = (struct sca_report_cause){.vertex = i + 1,
                                                 .category = "imbalance",
                                                 .nranks = 1,
                                                 .ranks = one_rank(r, i % nranks),
                                                 .cost_core_s = 1.0 / (i + 1),
                                                 .gain_core_s = 0.9 / (i + 1)};
    return r;
}

struct sca_report *sca_sample_hostile(void)
{
    struct sca_report *r = sca_sample_cg("/tmp/\x1b[31mred\n.c");
    r->program = "a\tb\x07<script>";
    r->vertices[4].function = "std::vector<std::pair<int, std::map<std::string, double>>>::"
                              "push_back(std::pair<int, std::map<std::string, double>> const&)";
    r->vertices[4].name = "\xe2\x80\xae"
                          "gnp.exe \xff\xfe broken";
    r->vertices[6].name = "w\xc3\xa4rme_\xe6\xb8\xa9\xe5\xba\xa6";
    r->vertices[7].name = "\x1b]0;title\x07MPI_Allreduce";
    return r;
}
