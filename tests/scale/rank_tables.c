#include "rank_tables.h"
#include "profile/event_io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct filling {
    const struct scale_run *run;
    const struct scale_plan *plan;
    uint32_t rank;
    struct scale_group group; /* phases below are those of the group, from 0 */
    struct scale_rows *rows;
    struct sca_part_header header;
};

uint32_t scale_rows_add(struct scale_rows *rows, enum sca_part_table table, const void *records,
                        uint32_t n)
{
    uint32_t stride = sca_table_stride[table], at = rows->count;
    if (at + n > rows->room) {
        rows->room = 2 * (at + n);
        rows->bytes = realloc(rows->bytes, (size_t)rows->room * stride);
        if (!rows->bytes)
            abort();
    }
    memcpy(rows->bytes + (size_t)at * stride, records, (size_t)n * stride);
    rows->count += n;
    return at;
}

static uint32_t add(struct filling *f, enum sca_part_table table, const void *record)
{
    return scale_rows_add(&f->rows[table], table, record, 1);
}

static uint32_t text(struct filling *f, const char *string)
{
    return scale_rows_add(&f->rows[SCA_T_STRINGS], SCA_T_STRINGS, string,
                          (uint32_t)strlen(string) + 1);
}

static uint64_t ns(double seconds)
{
    return (uint64_t)llround(seconds * 1e9);
}

/* A group's phase among all. */
static uint32_t of_all(const struct filling *f, uint32_t phase)
{
    return f->group.first_phase + phase;
}

static uint32_t site_of(uint32_t phase, enum scale_call call)
{
    return 1 + phase * SCALE_CALLS + (uint32_t)call;
}

/* ---- call paths ---- */

static uint32_t node(struct filling *f, uint32_t parent, uint64_t offset, uint32_t kind)
{
    const struct sca_part_node n = {parent, 0, offset, kind, 0};
    return add(f, SCA_T_NODES, &n);
}

static uint32_t phase_node(struct filling *f, uint32_t phase)
{
    return node(f, 0, f->run->places->phases[of_all(f, phase)].main_call, SCA_NODE_RETURN);
}

static void start(struct filling *f)
{
    const struct sca_part_node root = {.parent = SCA_NONE, .module = SCA_NONE};
    struct sca_part_module module = {.build_id_size = f->run->places->build_id_size};
    memcpy(module.build_id, f->run->places->build_id, sizeof module.build_id);
    text(f, "");
    module.path = text(f, f->run->program);
    module.last = UINT32_MAX;
    add(f, SCA_T_MODULES, &module);
    add(f, SCA_T_NODES, &root);
    const struct sca_part_site init = {.name = text(f, "MPI_Init")};
    add(f, SCA_T_SITES, &init);
    const struct sca_part_comm world = {
        .id = 1, .size = f->plan->ranks, .rank = f->rank, .kind = text(f, "world")};
    add(f, SCA_T_COMMS, &world);
}

/* ---- computation ---- */

/* As many samples as expected, give or take what chance does. */
static uint64_t sampled(const struct filling *f, uint64_t what, double seconds)
{
    double expected = seconds * 1e9 / SCALE_PERIOD_NS, spread = 0;
    for (uint64_t i = 0; i < 12; i++)
        spread += scale_chance(f->plan->seed + 2, f->rank, what, i) - 0.5;
    return (uint64_t)llround(fmax(0, expected + sqrt(expected) * spread));
}

static void add_samples(struct filling *f, uint32_t at, uint32_t previous, bool in_mpi,
                        double seconds)
{
    const struct sca_part_sample sample = {.node = at,
                                           .previous = previous,
                                           .in_mpi = in_mpi,
                                           .count =
                                               sampled(f, (uint64_t)at << 1 | in_mpi, seconds)};
    if (f->run->no_samples)
        return;
    f->header.samples += sample.count;
    f->header.samples_in_mpi += in_mpi ? sample.count : 0;
    if (sample.count)
        add(f, SCA_T_SAMPLES, &sample);
}

static void add_loop(struct filling *f, uint32_t parent, uint32_t phase, enum scale_loop loop,
                     uint32_t previous)
{
    uint32_t at = node(f, parent, f->run->places->phases[of_all(f, phase)].loop[loop], SCA_NODE_PC);
    double seconds = scale_loop_seconds(f->plan, of_all(f, phase), loop, f->rank) * f->plan->steps;
    add_samples(f, at, previous, false, seconds);
}

static void add_interval(struct filling *f, uint32_t previous, uint32_t site, uint64_t count,
                         double seconds)
{
    uint64_t total = ns(seconds * (double)count), each = ns(seconds);
    const struct sca_part_interval interval = {.previous = previous,
                                               .site = site,
                                               .count = count,
                                               .wall_ns = total,
                                               .cpu_ns = total,
                                               .min_ns = each - each / 100,
                                               .max_ns = each + each / 100};
    if (!count)
        return;
    add(f, SCA_T_INTERVALS, &interval);
    f->header.wall_ns += total;
    f->header.cpu_ns += total;
}

static void add_gap(struct filling *f, uint32_t phase, enum scale_call call)
{
    uint32_t site = site_of(phase, call), steps = f->plan->steps;
    double seconds = scale_gap_seconds(f->plan, of_all(f, phase), call, f->rank);
    if (site > 1) {
        add_interval(f, site - 1, site, steps, seconds);
        return;
    }
    add_interval(f, 0, site, 1, seconds);
    add_interval(f, site_of(f->group.phases - 1, SCALE_ALLREDUCE), site, steps - 1, seconds);
}

/* ---- communication ---- */

static void add_site(struct filling *f, uint32_t phase, enum scale_call call, uint32_t path)
{
    static const uint64_t bytes[SCALE_CALLS] = {
        0, 0, SCALE_HALO_BYTES, SCALE_HALO_BYTES, 2 * SCALE_HALO_BYTES, 8};
    double each = scale_call_seconds(f->plan, of_all(f, phase), call, f->rank);
    struct sca_part_site site = {.node = path, .name = text(f, scale_call_name(call))};
    site.count = f->plan->steps;
    site.time_ns = ns(each * f->plan->steps);
    site.bytes = site.count * bytes[call];
    site.min_ns = site.max_ns = ns(each);
    add(f, SCA_T_SITES, &site);
    f->header.mpi_calls += site.count;
    f->header.mpi_ns += site.time_ns;
    f->header.wall_ns += site.time_ns;
    f->header.cpu_ns += site.time_ns; /* MPI libraries wait busily */
}

static void add_peer(struct filling *f, uint32_t site, int32_t peer, uint32_t direction)
{
    const struct sca_part_peer p = {.site = site,
                                    .peer = peer,
                                    .direction = direction,
                                    .count = f->plan->steps,
                                    .bytes = (uint64_t)f->plan->steps * SCALE_HALO_BYTES};
    add(f, SCA_T_PEERS, &p);
}

static int32_t left_of(const struct filling *f)
{
    uint32_t first = f->group.first_rank, n = f->group.ranks;
    return (int32_t)(first + (f->rank - first + n - 1) % n);
}

static int32_t right_of(const struct filling *f)
{
    uint32_t first = f->group.first_rank, n = f->group.ranks;
    return (int32_t)(first + (f->rank - first + 1) % n);
}

static void add_traffic(struct filling *f, uint32_t phase)
{
    add_peer(f, site_of(phase, SCALE_ISEND_RIGHT), right_of(f), SCA_SENT);
    add_peer(f, site_of(phase, SCALE_ISEND_LEFT), left_of(f), SCA_SENT);
    add_peer(f, site_of(phase, SCALE_WAITALL), left_of(f), SCA_RECEIVED);
    add_peer(f, site_of(phase, SCALE_WAITALL), right_of(f), SCA_RECEIVED);
    const struct sca_part_collective c = {.site = site_of(phase, SCALE_ALLREDUCE),
                                          .root = -1,
                                          .count = f->plan->steps,
                                          .bytes = (uint64_t)f->plan->steps * 8};
    add(f, SCA_T_COLLECTIVES, &c);
}

static void add_phase(struct filling *f, uint32_t phase)
{
    uint32_t path = phase_node(f, phase), before = site_of(phase, SCALE_IRECV_LEFT);
    before = before > 1 ? before - 1 : site_of(f->group.phases - 1, SCALE_ALLREDUCE);
    for (int c = 0; c < SCALE_CALLS; c++) {
        uint32_t at =
            node(f, path, f->run->places->phases[of_all(f, phase)].call[c], SCA_NODE_RETURN);
        add_site(f, phase, c, at);
        add_gap(f, phase, c);
        add_samples(f, at, site_of(phase, c), true,
                    scale_call_seconds(f->plan, of_all(f, phase), c, f->rank) * f->plan->steps);
    }
    add_loop(f, path, phase, SCALE_FIRST, before);
    add_loop(f, path, phase, SCALE_INNER, before);
    add_loop(f, path, phase, SCALE_OVERLAP, site_of(phase, SCALE_ISEND_LEFT));
    add_loop(f, path, phase, SCALE_ODD, site_of(phase, SCALE_WAITALL));
    add_traffic(f, phase);
}

/* ---- windows ---- */

enum { PHASE_OPS = 7, WINDOW_OPS = SCALE_EPOCHS * PHASE_OPS };

struct recording {
    struct sca_event events[SCALE_EPOCHS * SCALE_CALLS];
    struct sca_op ops[WINDOW_OPS];
    uint32_t nevents, nops;
};

static void record_op(struct recording *r, uint8_t kind, int32_t peer, int32_t tag, uint64_t number)
{
    bool collective = kind == SCA_OP_COLLECTIVE;
    r->ops[r->nops++] = (struct sca_op){.kind = kind,
                                        .shape = SCA_ALL_TO_ALL,
                                        .peer = peer,
                                        .tag = tag,
                                        .number = number,
                                        .bytes = collective ? 8 : SCALE_HALO_BYTES};
}

/* Tag 1 goes right, tag 2 left: one message of each per phase. */
static void record_ops(struct filling *f, struct recording *r, enum scale_call call,
                       uint64_t iteration)
{
    if (call == SCALE_IRECV_LEFT || call == SCALE_WAITALL)
        record_op(r, call == SCALE_WAITALL ? SCA_OP_RECV : SCA_OP_RECV_POST, left_of(f), 1,
                  iteration);
    if (call == SCALE_IRECV_RIGHT || call == SCALE_WAITALL)
        record_op(r, call == SCALE_WAITALL ? SCA_OP_RECV : SCA_OP_RECV_POST, right_of(f), 2,
                  iteration);
    if (call == SCALE_ISEND_RIGHT)
        record_op(r, SCA_OP_SEND, right_of(f), 1, iteration);
    if (call == SCALE_ISEND_LEFT)
        record_op(r, SCA_OP_SEND, left_of(f), 2, iteration);
    if (call == SCALE_ALLREDUCE)
        record_op(r, SCA_OP_COLLECTIVE, -1, 0, iteration);
}

static double record_phase(struct filling *f, struct recording *r, uint64_t iteration)
{
    uint32_t phase = (uint32_t)(iteration % f->group.phases);
    for (int c = 0; c < SCALE_CALLS; c++) {
        struct sca_event *event = &r->events[r->nevents++];
        *event = (struct sca_event){site_of(phase, c), r->nops, 0,
                                    ns(scale_gap_seconds(f->plan, of_all(f, phase), c, f->rank))};
        record_ops(f, r, c, iteration);
        event->nops = r->nops - event->first_op;
    }
    return f->plan->longest[phase];
}

static void add_window(struct filling *f, const struct scale_window *window, uint32_t *last)
{
    unsigned char bytes[WINDOW_OPS * 64];
    struct recording r = {.nevents = 0};
    struct sca_writer w;
    struct sca_part_window to = {.iteration = window->number * SCALE_EPOCHS,
                                 .iterations = SCALE_EPOCHS,
                                 .duration_class = window->duration_class,
                                 .class_total = window->class_total,
                                 .kept = SCA_KEPT_NEAR};
    double length = 0;
    for (uint32_t i = 0; i < SCALE_EPOCHS; i++)
        length += record_phase(f, &r, to.iteration + i);
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    const struct sca_events all = {
        .events = r.events, .ops = r.ops, .nevents = r.nevents, .home = (int32_t)f->rank};
    sca_event_io_encode(&w, &all, last, to.iteration * 1000003 + f->rank);
    to.begin_ns = window->number * ns(length);
    to.end_ns = to.begin_ns + ns(length);
    to.nevents = r.nevents;
    to.events_size = (uint32_t)w.length;
    to.events_offset =
        scale_rows_add(&f->rows[SCA_T_EVENTS], SCA_T_EVENTS, bytes, (uint32_t)w.length);
    add(f, SCA_T_WINDOWS, &to);
}

static void add_windows(struct filling *f)
{
    uint32_t *last = calloc(1 + (size_t)f->group.phases * SCALE_CALLS, sizeof *last);
    for (uint32_t i = 0; last && i < f->run->nwindows; i++)
        add_window(f, &f->run->windows[i], last);
    free(last);
}

/* ---- a rank ---- */

static struct sca_tables view(const struct filling *f)
{
    struct sca_tables t = {.header = f->header};
    for (int i = 0; i < SCA_T_COUNT; i++) {
        t.record[i] = f->rows[i].bytes;
        t.header.table[i].stride = sca_table_stride[i];
        t.header.table[i].count = t.header.table[i].capacity = f->rows[i].count;
    }
    return t;
}

/* The wall clock was set forward in the middle: what was under way then, the whole, and all later
 * times are wrong. CPU time is not. */
static void jump(struct filling *f)
{
    const uint64_t hour = 3600000000000;
    struct sca_part_interval *intervals = (void *)f->rows[SCA_T_INTERVALS].bytes;
    struct sca_part_window *windows = (void *)f->rows[SCA_T_WINDOWS].bytes;
    intervals[f->rows[SCA_T_INTERVALS].count / 2].wall_ns += hour;
    f->header.wall_ns += hour;
    f->header.last_ns += hour;
    for (uint32_t i = 0; i < f->rows[SCA_T_WINDOWS].count; i++)
        windows[i].end_ns += hour;
}

struct sca_tables scale_rank_tables(const struct scale_run *run, uint32_t rank,
                                    struct scale_rows rows[SCA_T_COUNT])
{
    struct filling f = {.run = run,
                        .plan = run->plan,
                        .rank = rank,
                        .group = scale_group_of(run->plan, rank),
                        .rows = rows};
    f.header = (struct sca_part_header){.magic = SCA_PART_MAGIC,
                                        .version = SCA_PART_VERSION,
                                        .header_size = sizeof(struct sca_part_header),
                                        .rank = rank,
                                        .size = run->plan->ranks,
                                        .state = SCA_FINALIZED,
                                        .sample_period_ns = run->no_samples ? 0 : SCALE_PERIOD_NS};
    for (int i = 0; i < SCA_T_COUNT; i++)
        rows[i].count = 0;
    start(&f);
    for (uint32_t p = 0; p < f.group.phases; p++)
        add_phase(&f, p);
    f.header.last_ns = f.header.wall_ns;
    add_windows(&f);
    if (rank == run->jumping)
        jump(&f);
    return view(&f);
}
