#include "synthetic.h"
#include "profile/event_io.h"
#include "sca_error.h"
#include "profile/store.h"
#include "profile/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rows {
    char *bytes;
    uint32_t count, space;
};

struct rank {
    struct sca_part_header header;
    struct rows rows[SCA_T_COUNT];
};

/* Strings, modules, nodes, sites and communicators of `common` go into every rank. */
struct synth {
    uint32_t nranks;
    struct rows common[SCA_T_COUNT];
    struct rank *ranks;
};

static void must(int fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "synthetic profile: %s: %s\n", what, sca_error_message());
    abort();
}

static uint32_t add(struct rows *rows, enum sca_part_table table, const void *record, uint32_t n)
{
    uint32_t stride = sca_table_stride[table], at = rows->count;
    if (at + n > rows->space) {
        rows->space = 2 * (at + n);
        rows->bytes = realloc(rows->bytes, (size_t)rows->space * stride);
        must(rows->bytes != NULL, "no memory");
    }
    memcpy(rows->bytes + (size_t)at * stride, record, (size_t)n * stride);
    rows->count += n;
    return at;
}

static uint32_t add_string(struct synth *s, const char *text)
{
    struct rows *rows = &s->common[SCA_T_STRINGS];
    for (uint32_t at = 0; at < rows->count; at += (uint32_t)strlen(rows->bytes + at) + 1)
        if (!strcmp(rows->bytes + at, text))
            return at;
    return add(rows, SCA_T_STRINGS, text, (uint32_t)strlen(text) + 1);
}

static void start_meta(struct synth *s)
{
    static const char *const pairs[][2] = {
        {"program", "synthetic"}, {"path", "/nowhere/synthetic"}, {"build_id", ""},
        {"mpi", "none"},          {"version", SCA_VERSION},       {"start", "2025-01-01T00:00:00Z"},
        {"sampling", "none"},     {"frequency", "200"},           {"oversubscribed", "0"},
        {"hosts", "1"},           {"host", "localhost"}};
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%u", s->nranks);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        synth_meta(s, pairs[i][0], pairs[i][1]);
    synth_meta(s, "ranks", ranks);
}

struct synth *synth_new(uint32_t nranks)
{
    struct synth *s = calloc(1, sizeof *s);
    must(s && (s->ranks = calloc(nranks, sizeof *s->ranks)), "no memory");
    s->nranks = nranks;
    for (uint32_t i = 0; i < nranks; i++)
        s->ranks[i].header = (struct sca_part_header){.magic = SCA_PART_MAGIC,
                                                      .version = SCA_PART_VERSION,
                                                      .header_size = sizeof(struct sca_part_header),
                                                      .rank = i,
                                                      .size = nranks,
                                                      .state = SCA_FINALIZED,
                                                      .wall_ns = 1000000000,
                                                      .cpu_ns = 1000000000,
                                                      .sample_period_ns = 5000000};
    const struct sca_part_node root = {.parent = SCA_NONE, .module = SCA_NONE};
    add_string(s, "");
    add(&s->common[SCA_T_NODES], SCA_T_NODES, &root, 1);
    synth_site(s, 0, "MPI_Init");
    synth_comm(s, 1, nranks, "world");
    start_meta(s);
    return s;
}

void synth_free(struct synth *s)
{
    for (int t = 0; t < SCA_T_COUNT; t++) {
        for (uint32_t i = 0; i < s->nranks; i++)
            free(s->ranks[i].rows[t].bytes);
        free(s->common[t].bytes);
    }
    free(s->ranks);
    free(s);
}

void synth_rank_meta(struct synth *s, uint32_t rank, const char *key, const char *value)
{
    struct rows *rows = &s->ranks[rank].rows[SCA_T_META];
    add(rows, SCA_T_META, key, (uint32_t)strlen(key) + 1);
    add(rows, SCA_T_META, value, (uint32_t)strlen(value) + 1);
}

void synth_meta(struct synth *s, const char *key, const char *value)
{
    for (uint32_t i = 0; i < s->nranks; i++)
        synth_rank_meta(s, i, key, value);
}

uint32_t synth_module(struct synth *s, const char *path, const char *build_id)
{
    struct sca_part_module module = {.path = add_string(s, path)};
    unsigned byte;
    while (module.build_id_size < sizeof module.build_id &&
           sscanf(build_id + 2 * module.build_id_size, "%2x", &byte) == 1)
        module.build_id[module.build_id_size++] = (uint8_t)byte;
    return add(&s->common[SCA_T_MODULES], SCA_T_MODULES, &module, 1);
}

uint32_t synth_node(struct synth *s, uint32_t parent, uint32_t module, uint64_t offset,
                    uint32_t kind)
{
    struct rows *rows = &s->common[SCA_T_NODES];
    const struct sca_part_node *nodes = (const void *)rows->bytes;
    for (uint32_t i = 1; i < rows->count; i++)
        if (nodes[i].parent == parent && nodes[i].module == module && nodes[i].offset == offset &&
            nodes[i].kind == kind)
            return i;
    const struct sca_part_node node = {parent, module, offset, kind, 0};
    return add(rows, SCA_T_NODES, &node, 1);
}

uint32_t synth_site(struct synth *s, uint32_t node, const char *function)
{
    const struct sca_part_site site = {.node = node, .name = add_string(s, function)};
    for (uint32_t i = 0; i < s->nranks; i++)
        add(&s->ranks[i].rows[SCA_T_SITES], SCA_T_SITES, &site, 1);
    return s->ranks[0].rows[SCA_T_SITES].count - 1;
}

uint32_t synth_comm(struct synth *s, uint64_t id, uint32_t size, const char *kind)
{
    const struct sca_part_comm comm = {.id = id, .size = size, .kind = add_string(s, kind)};
    return add(&s->common[SCA_T_COMMS], SCA_T_COMMS, &comm, 1);
}

struct sca_part_header *synth_header(struct synth *s, uint32_t rank)
{
    return &s->ranks[rank].header;
}

void synth_total(struct synth *s, uint32_t rank, uint32_t site, uint64_t count, uint64_t time_ns,
                 uint64_t bytes)
{
    struct sca_part_site *sites = (void *)s->ranks[rank].rows[SCA_T_SITES].bytes;
    struct sca_part_header *h = &s->ranks[rank].header;
    sites[site].count += count;
    sites[site].time_ns += time_ns;
    sites[site].bytes += bytes;
    sites[site].min_ns = sites[site].max_ns = count ? time_ns / count : 0;
    h->mpi_calls += count;
    h->mpi_ns += time_ns;
}

void synth_interval(struct synth *s, uint32_t rank, uint32_t previous, uint32_t site,
                    uint64_t count, uint64_t wall_ns)
{
    synth_stalled(s, rank, previous, site, count, wall_ns, 0, count ? wall_ns / count : 0);
}

void synth_stalled(struct synth *s, uint32_t rank, uint32_t previous, uint32_t site, uint64_t count,
                   uint64_t wall_ns, uint64_t blocked_ns, uint64_t max_ns)
{
    uint64_t each = count ? wall_ns / count : 0;
    const struct sca_part_interval interval = {.previous = previous,
                                               .site = site,
                                               .count = count,
                                               .wall_ns = wall_ns,
                                               .cpu_ns = wall_ns - blocked_ns,
                                               .blocked_ns = blocked_ns,
                                               .min_ns = each < max_ns ? each : max_ns,
                                               .max_ns = max_ns};
    add(&s->ranks[rank].rows[SCA_T_INTERVALS], SCA_T_INTERVALS, &interval, 1);
}

static void add_sample(struct synth *s, uint32_t rank, const struct sca_part_sample *sample)
{
    add(&s->ranks[rank].rows[SCA_T_SAMPLES], SCA_T_SAMPLES, sample, 1);
    s->ranks[rank].header.samples += sample->count;
    s->ranks[rank].header.samples_in_mpi += sample->in_mpi ? sample->count : 0;
}

void synth_sample(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous, bool in_mpi,
                  uint64_t count)
{
    add_sample(s, rank,
               &(struct sca_part_sample){
                   .node = node, .previous = previous, .in_mpi = in_mpi, .count = count});
}

void synth_sample_of(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous,
                     uint16_t thread, uint64_t count)
{
    add_sample(s, rank,
               &(struct sca_part_sample){
                   .node = node, .previous = previous, .thread = thread, .count = count});
}

void synth_sample_to(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous,
                     uint32_t next, uint64_t count, uint64_t length_ns)
{
    add_sample(s, rank,
               &(struct sca_part_sample){.node = node,
                                         .previous = previous,
                                         .next = next,
                                         .count = count,
                                         .length_ns = length_ns});
}

void synth_record(struct synth *s, uint32_t rank, const struct sca_part_sample *record)
{
    add(&s->ranks[rank].rows[SCA_T_SAMPLES], SCA_T_SAMPLES, record, 1);
}

void synth_blocked(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous, uint32_t next,
                   uint64_t count, uint64_t length_ns)
{
    synth_record(s, rank,
                 &(struct sca_part_sample){.node = node,
                                           .previous = previous,
                                           .in_mpi = SCA_SAMPLE_BLOCKED,
                                           .next = next,
                                           .count = count,
                                           .length_ns = length_ns});
}

void synth_peer(struct synth *s, uint32_t rank, const struct sca_part_peer *peer)
{
    add(&s->ranks[rank].rows[SCA_T_PEERS], SCA_T_PEERS, peer, 1);
}

void synth_collective(struct synth *s, uint32_t rank, const struct sca_part_collective *collective)
{
    add(&s->ranks[rank].rows[SCA_T_COLLECTIVES], SCA_T_COLLECTIVES, collective, 1);
}

void synth_message(struct synth *s, uint32_t rank, const struct sca_part_message *message)
{
    struct sca_part_message named = *message;
    named.hash = named.hash ? named.hash : 1; /* 0 would take it back */
    add(&s->ranks[rank].rows[SCA_T_MESSAGES], SCA_T_MESSAGES, &named, 1);
}

void synth_window(struct synth *s, uint32_t rank, const struct sca_window *w)
{
    static unsigned char bytes[1 << 20];
    struct sca_writer out;
    uint32_t *last = calloc(s->ranks[rank].rows[SCA_T_SITES].count, sizeof *last);
    must(last != NULL, "no memory");
    sca_wire_writer_init(&out, bytes, sizeof bytes);
    const struct sca_events all = {w->events,  w->times,    w->ops,
                                   w->nevents, w->begin_ns, w->times ? 0 : (int32_t)rank};
    sca_event_io_encode(&out, &all, last, w->iteration + rank);
    must(!out.failed, "window");
    free(last);
    const struct sca_part_window window = {
        .iteration = w->iteration,
        .iterations = w->iterations,
        .duration_class = w->duration_class,
        .class_total = w->class_total,
        .begin_ns = w->begin_ns,
        .end_ns = w->end_ns,
        .events_offset =
            add(&s->ranks[rank].rows[SCA_T_EVENTS], SCA_T_EVENTS, bytes, (uint32_t)out.length),
        .events_size = (uint32_t)out.length,
        .nevents = w->nevents,
        .kept = w->times ? SCA_KEPT_TIMED : SCA_KEPT_NEAR};
    add(&s->ranks[rank].rows[SCA_T_WINDOWS], SCA_T_WINDOWS, &window, 1);
}

void synth_place(struct synth *s, uint32_t rank, uint32_t comm, uint32_t own_rank,
                 const char *words)
{
    struct rows *own = &s->ranks[rank].rows[SCA_T_COMMS];
    const struct rows *common = &s->common[SCA_T_COMMS];
    if (!own->count)
        add(own, SCA_T_COMMS, common->bytes, common->count);
    struct sca_part_comm *at = (struct sca_part_comm *)own->bytes + comm;
    at->rank = own_rank;
    at->topology = add_string(s, words);
}

/* The rank's own rows, and the common ones where it has none. */
static struct sca_tables tables_of(const struct synth *s, uint32_t rank)
{
    struct sca_tables t = {.header = s->ranks[rank].header};
    for (int i = 0; i < SCA_T_COUNT; i++) {
        const struct rows *own = &s->ranks[rank].rows[i];
        const struct rows *rows = own->count ? own : &s->common[i];
        t.record[i] = rows->bytes;
        t.header.table[i].stride = sca_table_stride[i];
        t.header.table[i].count = t.header.table[i].capacity = rows->count;
    }
    return t;
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    must(file && fwrite(bytes, 1, length, file) == length && !fclose(file), path);
}

void synth_write_part(struct synth *s, uint32_t rank, const char *directory)
{
    struct sca_tables t = tables_of(s, rank);
    char path[4096];
    size_t length = (sizeof t.header + 7) / 8 * 8;
    for (int i = 0; i < SCA_T_COUNT; i++) {
        t.header.table[i].offset = length;
        length += ((size_t)t.header.table[i].count * sca_table_stride[i] + 7) / 8 * 8;
    }
    char *bytes = calloc(1, length);
    must(bytes != NULL, "no memory");
    memcpy(bytes, &t.header, sizeof t.header);
    for (int i = 0; i < SCA_T_COUNT; i++)
        if (t.header.table[i].count)
            memcpy(bytes + t.header.table[i].offset, t.record[i],
                   (size_t)t.header.table[i].count * sca_table_stride[i]);
    snprintf(path, sizeof path, "%s/rank-%u.part", directory, rank);
    write_file(path, bytes, length);
    free(bytes);
}

static struct sca_store_image image_of(const struct synth *s, uint32_t rank)
{
    struct sca_tables t = tables_of(s, rank);
    struct sca_writer w;
    sca_wire_writer_init(&w, NULL, 0);
    sca_image_encode(&t, &w);
    void *bytes = malloc(w.length);
    must(bytes != NULL, "no memory");
    sca_wire_writer_init(&w, bytes, w.length);
    sca_image_encode(&t, &w);
    return (struct sca_store_image){bytes, w.length};
}

static void write_store(struct synth *s, struct sca_store_image *images, const char *path)
{
    const struct rows *meta = &s->ranks[0].rows[SCA_T_META];
    size_t total = 0;
    for (uint32_t i = 0; i < s->nranks; i++)
        total += images[i].length;
    size_t scratch_size = sca_store_scratch(total, s->nranks);
    size_t bound = sca_store_bound(total, s->nranks, meta->count);
    void *scratch = malloc(scratch_size), *bytes = malloc(bound);
    struct sca_writer out;
    must(scratch && bytes, "no memory");
    sca_wire_writer_init(&out, bytes, bound);
    sca_store_write(&out, images, s->nranks, meta->bytes, meta->count, scratch, scratch_size);
    must(!out.failed, "encoding");
    write_file(path, bytes, out.length);
    free(scratch);
    free(bytes);
}

void synth_write(struct synth *s, const char *directory)
{
    char path[4096];
    struct sca_store_image *images = calloc(s->nranks, sizeof *images);
    must(images != NULL, "no memory");
    for (uint32_t i = 0; i < s->nranks; i++)
        images[i] = image_of(s, i);
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/" SCA_PROFILE_FILE, directory);
    write_store(s, images, path);
    for (uint32_t i = 0; i < s->nranks; i++)
        free((void *)images[i].bytes);
    free(images);
}

struct sca_profile *synth_profile(struct synth *s)
{
    char directory[] = "/tmp/scalana-synthetic-XXXXXX", path[64];
    struct sca_profile *profile = NULL;
    must(mkdtemp(directory) != NULL, directory);
    synth_write(s, directory);
    must(sca_profile_load(directory, &profile) == SCA_OK, "loading");
    snprintf(path, sizeof path, "%s/" SCA_PROFILE_FILE, directory);
    unlink(path);
    rmdir(directory);
    return profile;
}
