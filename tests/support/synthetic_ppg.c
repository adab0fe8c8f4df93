#include "synthetic_ppg.h"
#include "graph/same_place.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 64, RUNS = 8, SITES = 32, RECORDS = 64, METAS = 8 };

struct work {
    uint32_t rank, previous, site, vertex;
    double seconds;
};

struct model_run {
    double told;
    struct sca_profile profile;
    struct sca_site sites[SITES];
    uint32_t site_vertex[SITES];
    struct sca_metadata meta[METAS];
    struct sca_comm world;
    struct work *work;
    uint32_t nwork, capacity;
    uint32_t rare; /* rank that is sampled so often a second, if that is not 0; SCA_NONE: all */
    double rare_hz;
};

struct model {
    struct sca_ppg ppg;
    struct sca_ppg_vertex vertices[VERTICES];
    struct sca_ppg_run runs[RUNS];
    struct model_run data[RUNS];
};

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void check(uint32_t n, uint32_t most)
{
    if (n >= most)
        abort();
}

struct model *model_new(void)
{
    struct model *m = take(1, sizeof *m);
    m->ppg = (struct sca_ppg){.vertices = m->vertices,
                              .runs = m->runs,
                              .program = "model",
                              .path = "/nowhere/model",
                              .build_id = "00ff"};
    model_vertex(m, 0, SCA_ROOT, "", "main", 1);
    return m;
}

uint32_t model_vertex(struct model *m, uint32_t parent, uint32_t kind, const char *name,
                      const char *function, uint32_t line)
{
    uint32_t v = m->ppg.nvertices++;
    check(v, VERTICES);
    m->vertices[v] = (struct sca_ppg_vertex){.parent = parent,
                                             .kind = kind,
                                             .name = name,
                                             .function = function,
                                             .file = "/src/model.c",
                                             .line = line,
                                             .end_line = line + 2,
                                             .has_psg = true};
    return v;
}

uint32_t model_run(struct model *m, uint32_t nranks)
{
    uint32_t run = m->ppg.nruns++;
    check(run, RUNS);
    struct sca_profile *p = &m->data[run].profile;
    *p = (struct sca_profile){.directory = "scalana-model",
                              .complete = true,
                              .meta = m->data[run].meta,
                              .sites = m->data[run].sites,
                              .nsites = 1,
                              .comms = &m->data[run].world,
                              .ncomms = 1,
                              .nranks = nranks,
                              .ranks = take(nranks, sizeof *p->ranks)};
    p->sites[0].function = "MPI_Init";
    p->comms[0] = (struct sca_comm){.size = nranks, .kind = "world"};
    m->data[run].site_vertex[0] = SCA_NONE;
    for (uint32_t r = 0; r < nranks; r++) {
        struct sca_rank *rank = &p->ranks[r];
        rank->present = rank->complete = true;
        rank->intervals = take(RECORDS, sizeof *rank->intervals);
        rank->peers = take(RECORDS, sizeof *rank->peers);
        rank->collectives = take(RECORDS, sizeof *rank->collectives);
        rank->sites = take(RECORDS, sizeof *rank->sites);
    }
    return run;
}

void model_meta(struct model *m, uint32_t run, const char *key, const char *value)
{
    struct sca_profile *p = &m->data[run].profile;
    check(p->nmeta, METAS);
    p->meta[p->nmeta++] = (struct sca_metadata){key, value};
}

void model_told(struct model *m, uint32_t run, double work)
{
    m->data[run].told = work;
}

uint32_t model_site(struct model *m, uint32_t run, uint32_t vertex)
{
    struct model_run *data = &m->data[run];
    uint32_t s = data->profile.nsites++;
    check(s, SITES);
    data->sites[s].function = m->vertices[vertex].name;
    data->site_vertex[s] = vertex;
    return s;
}

void model_thread(struct model *m, uint32_t run, uint32_t site, uint16_t thread)
{
    m->data[run].sites[site].thread = thread;
}

static struct sca_part_interval *interval(struct sca_rank *rank, uint32_t previous, uint32_t site)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == previous && rank->intervals[i].site == site)
            return &rank->intervals[i];
    check(rank->nintervals, RECORDS);
    struct sca_part_interval *fresh = &rank->intervals[rank->nintervals++];
    *fresh = (struct sca_part_interval){.previous = previous, .site = site};
    return fresh;
}

void model_work(struct model *m, uint32_t run, uint32_t rank, uint32_t previous, uint32_t site,
                uint64_t count, uint32_t vertex, double seconds)
{
    struct model_run *data = &m->data[run];
    struct sca_part_interval *i = interval(&data->profile.ranks[rank], previous, site);
    i->count = count > i->count ? count : i->count;
    i->wall_ns += (uint64_t)(seconds * 1e9);
    i->cpu_ns = i->wall_ns;
    data->profile.ranks[rank].samples += (uint64_t)(seconds * 1000);
    if (data->nwork == data->capacity) {
        data->capacity = data->capacity ? 2 * data->capacity : 64;
        data->work = realloc(data->work, data->capacity * sizeof *data->work);
        if (!data->work)
            abort();
    }
    data->work[data->nwork++] = (struct work){rank, previous, site, vertex, seconds};
}

void model_blocked(struct model *m, uint32_t run, uint32_t rank, uint32_t previous, uint32_t site,
                   double seconds, double longest)
{
    struct sca_part_interval *i = interval(&m->data[run].profile.ranks[rank], previous, site);
    i->blocked_ns = (uint64_t)(seconds * 1e9);
    i->cpu_ns = i->wall_ns - i->blocked_ns;
    i->max_ns = (uint64_t)(longest * 1e9);
}

void model_rare(struct model *m, uint32_t run, uint32_t rank, double hz)
{
    m->data[run].rare = rank;
    m->data[run].rare_hz = hz;
}

static void add_peer(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t peer,
                     uint64_t count, uint32_t direction)
{
    struct sca_rank *r = &m->data[run].profile.ranks[rank];
    check(r->npeers, RECORDS);
    r->peers[r->npeers++] = (struct sca_part_peer){
        .site = site, .peer = peer, .direction = direction, .count = count, .bytes = 8 * count};
}

void model_sent(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t peer,
                uint64_t count)
{
    add_peer(m, run, rank, site, peer, count, SCA_SENT);
}

void model_received(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t peer,
                    uint64_t count)
{
    add_peer(m, run, rank, site, peer, count, SCA_RECEIVED);
}

void model_collective(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t root,
                      uint64_t count)
{
    struct sca_rank *r = &m->data[run].profile.ranks[rank];
    check(r->ncollectives, RECORDS);
    r->collectives[r->ncollectives++] =
        (struct sca_part_collective){.site = site, .root = root, .count = count};
}

void model_calls(struct model *m, uint32_t run, uint32_t rank, uint32_t site, uint64_t count,
                 uint64_t bytes, double shortest)
{
    struct sca_rank *r = &m->data[run].profile.ranks[rank];
    check(r->nsites, RECORDS);
    r->sites[r->nsites++] = (struct sca_site_total){.site = site,
                                                    .count = count,
                                                    .bytes = bytes,
                                                    .min_ns = (uint64_t)(shortest * 1e9),
                                                    .time_ns = (uint64_t)(shortest * 1e9) * count};
}

void model_luck(struct model *m, uint32_t run, uint32_t rank, double shortest)
{
    struct sca_rank *r = &m->data[run].profile.ranks[rank];
    for (uint32_t i = 0; i < r->nsites; i++)
        r->sites[i].min_ns = (uint64_t)(shortest * 1e9);
}

void model_wall(struct model *m, uint32_t run, double seconds)
{
    for (uint32_t r = 0; r < m->data[run].profile.nranks; r++)
        m->data[run].profile.ranks[r].wall_ns = (uint64_t)(seconds * 1e9);
}

void model_lose(struct model *m, uint32_t run, uint32_t rank)
{
    struct sca_profile *p = &m->data[run].profile;
    p->complete = p->ranks[rank].present = p->ranks[rank].complete = false;
}

static int by_interval(const void *a, const void *b)
{
    const struct work *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->previous != y->previous)
        return x->previous < y->previous ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void share_out(struct model_run *data, struct sca_ppg_run *run)
{
    uint32_t nsites = data->profile.nsites, nintervals = run->nranks * nsites;
    sca_intervals_open_joined(&run->intervals, nsites);
    run->first_share = take(nintervals + 1, sizeof *run->first_share);
    run->shares = take(data->nwork, sizeof *run->shares);
    if (data->nwork)
        qsort(data->work, data->nwork, sizeof *data->work, by_interval);
    for (uint32_t i = 0; i < data->nwork; i++) {
        const struct work *w = &data->work[i];
        double hz = data->rare_hz > 0 && (data->rare == SCA_NONE || w->rank == data->rare)
                        ? data->rare_hz
                        : 1000;
        run->shares[i] = (struct sca_ppg_share){w->vertex, (float)(w->seconds * hz), w->seconds};
        run->first_share[w->rank * nsites + w->previous + 1]++;
    }
    for (uint32_t g = 0; g < nintervals; g++)
        run->first_share[g + 1] += run->first_share[g];
}

/* No place is known of it: it is of the structure around both calls. */
static void share_blocked(const struct model *m, const struct model_run *data,
                          struct sca_ppg_run *run)
{
    for (uint32_t r = 0; r < run->nranks; r++)
        for (uint32_t i = 0; i < data->profile.ranks[r].nintervals; i++) {
            const struct sca_part_interval *x = &data->profile.ranks[r].intervals[i];
            uint32_t vertex = sca_ppg_vertex_between(&m->ppg, data->site_vertex[x->previous],
                                                     data->site_vertex[x->site]);
            if (x->blocked_ns)
                run->blocked[(size_t)vertex * run->nranks + r] += (double)x->blocked_ns * 1e-9;
        }
}

static void complete_run(struct model *m, uint32_t index)
{
    struct model_run *data = &m->data[index];
    struct sca_ppg_run *run = &m->runs[index];
    uint32_t nranks = data->profile.nranks;
    size_t cells = (size_t)m->ppg.nvertices * nranks;
    *run = (struct sca_ppg_run){
        .profile = &data->profile, .nranks = nranks, .site_vertex = data->site_vertex};
    run->work = data->told;
    run->comp = take(cells, sizeof *run->comp);
    run->blocked = take(cells, sizeof *run->blocked);
    run->awaited = take(m->ppg.nvertices, sizeof *run->awaited);
    run->mpi = take(cells, sizeof *run->mpi);
    run->samples = take(m->ppg.nvertices, sizeof *run->samples);
    run->sampled = take(m->ppg.nvertices, sizeof *run->sampled);
    run->calls = take(m->ppg.nvertices, sizeof *run->calls);
    share_out(data, run);
    share_blocked(m, data, run);
    for (uint32_t i = 0; i < data->nwork; i++) {
        const struct work *w = &data->work[i];
        run->comp[w->vertex * nranks + w->rank] += w->seconds;
        run->samples[w->vertex] += w->seconds * 1000;
        run->sampled[w->vertex] += w->seconds;
    }
    for (uint32_t r = 0; r < nranks; r++)
        for (uint32_t i = 0; i < data->profile.ranks[r].nsites; i++) {
            const struct sca_site_total *s = &data->profile.ranks[r].sites[i];
            run->calls[data->site_vertex[s->site]] += s->count;
            run->mpi[data->site_vertex[s->site] * nranks + r] += (double)s->time_ns * 1e-9;
        }
}

const struct sca_ppg *model_ppg(struct model *m)
{
    sca_same_place_number(m->vertices, m->ppg.nvertices);
    for (uint32_t i = 0; i < m->ppg.nruns; i++)
        complete_run(m, i);
    return &m->ppg;
}

const struct sca_ppg *model_graph(const struct model *m)
{
    return &m->ppg;
}

static void free_run(struct model_run *data, struct sca_ppg_run *run)
{
    for (uint32_t r = 0; r < data->profile.nranks; r++) {
        free(data->profile.ranks[r].intervals);
        free(data->profile.ranks[r].peers);
        free(data->profile.ranks[r].collectives);
        free(data->profile.ranks[r].sites);
    }
    free(data->profile.ranks);
    free(data->work);
    sca_intervals_free(&run->intervals);
    free(run->first_share);
    free(run->shares);
    free(run->comp);
    free(run->blocked);
    free(run->awaited);
    free(run->mpi);
    free(run->samples);
    free(run->sampled);
    free(run->calls);
}

void model_free(struct model *m)
{
    for (uint32_t i = 0; i < m->ppg.nruns; i++)
        free_run(&m->data[i], &m->runs[i]);
    free(m);
}
