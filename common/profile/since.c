#include "profile/since.h"
#include "profile/image.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subtraction {
    struct sca_region *region;
    const struct sca_tables *now, *then;
    struct sca_tables *out;
    uint64_t span_ns; /* of the run at the snapshot, from MPI_Init on */
};

static uint32_t count(const struct sca_tables *t, enum sca_part_table table)
{
    return t->header.table[table].count;
}

static int other_run(void)
{
    return sca_fail(SCA_EMISMATCH, "the snapshot is of another run, or was taken later");
}

/* A copy that may be changed. */
static void *copy(struct subtraction *s, enum sca_part_table table)
{
    size_t bytes = (size_t)count(s->now, table) * sca_table_stride[table];
    void *records = sca_region_alloc(s->region, bytes + 1);
    if (records && bytes)
        memcpy(records, s->now->record[table], bytes);
    s->out->record[table] = records;
    return records;
}

/* A profile of many ranks has rounded totals. */
static void take(uint64_t *from, uint64_t what)
{
    *from = *from > what ? *from - what : 0;
}

static int take_sites(struct subtraction *s)
{
    struct sca_part_site *now = copy(s, SCA_T_SITES);
    const struct sca_part_site *then = s->then->record[SCA_T_SITES];
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->then, SCA_T_SITES); i++) {
        if (now[i].node != then[i].node || now[i].name != then[i].name)
            return other_run();
        take(&now[i].count, then[i].count);
        take(&now[i].time_ns, then[i].time_ns);
        take(&now[i].bytes, then[i].bytes);
    }
    return SCA_OK;
}

static int take_intervals(struct subtraction *s)
{
    struct sca_part_interval *now = copy(s, SCA_T_INTERVALS);
    const struct sca_part_interval *then = s->then->record[SCA_T_INTERVALS];
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->then, SCA_T_INTERVALS); i++) {
        if (now[i].previous != then[i].previous || now[i].site != then[i].site)
            return other_run();
        take(&now[i].count, then[i].count);
        take(&now[i].wall_ns, then[i].wall_ns);
        take(&now[i].cpu_ns, then[i].cpu_ns);
        take(&now[i].blocked_ns, then[i].blocked_ns);
    }
    return SCA_OK;
}

static int take_peers(struct subtraction *s)
{
    struct sca_part_peer *now = copy(s, SCA_T_PEERS);
    const struct sca_part_peer *then = s->then->record[SCA_T_PEERS];
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->then, SCA_T_PEERS); i++) {
        if (now[i].site != then[i].site || now[i].peer != then[i].peer)
            return other_run();
        take(&now[i].count, then[i].count);
        take(&now[i].bytes, then[i].bytes);
    }
    return SCA_OK;
}

static int take_collectives(struct subtraction *s)
{
    struct sca_part_collective *now = copy(s, SCA_T_COLLECTIVES);
    const struct sca_part_collective *then = s->then->record[SCA_T_COLLECTIVES];
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->then, SCA_T_COLLECTIVES); i++) {
        if (now[i].site != then[i].site || now[i].root != then[i].root)
            return other_run();
        take(&now[i].count, then[i].count);
        take(&now[i].bytes, then[i].bytes);
    }
    return SCA_OK;
}

/* ---- samples ---- */

static int by_key(const void *a, const void *b)
{
    const struct sca_part_sample *x = *(const struct sca_part_sample *const *)a;
    const struct sca_part_sample *y = *(const struct sca_part_sample *const *)b;
    return memcmp(x, y, offsetof(struct sca_part_sample, count));
}

static void take_sample(struct sca_part_sample *now, const struct sca_part_sample *then)
{
    if (now->in_mpi == SCA_SAMPLE_LOCK_AT)
        return;
    take(&now->count, then->count);
    take(&now->length_ns, then->length_ns);
    for (int i = 0; i < SCA_MAX_METRICS; i++)
        take(&now->metric[i], then->metric[i]);
}

static void drop_empty_samples(struct subtraction *s, struct sca_part_sample *now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count(s->now, SCA_T_SAMPLES); i++)
        if (now[i].count)
            now[kept++] = now[i];
    s->out->header.table[SCA_T_SAMPLES].count = kept;
}

static int take_samples(struct subtraction *s)
{
    struct sca_part_sample *now = copy(s, SCA_T_SAMPLES);
    const struct sca_part_sample *then = s->then->record[SCA_T_SAMPLES];
    uint32_t n = count(s->now, SCA_T_SAMPLES), m = count(s->then, SCA_T_SAMPLES);
    struct sca_part_sample **sorted = sca_region_array(s->region, n + 1ul, sizeof *sorted);
    if (!now || !sorted)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = &now[i];
    qsort(sorted, n, sizeof *sorted, by_key);
    for (uint32_t i = 0; i < m; i++) {
        const struct sca_part_sample *wanted = &then[i];
        struct sca_part_sample **found = bsearch(&wanted, sorted, n, sizeof *sorted, by_key);
        if (found)
            take_sample(*found, wanted);
    }
    drop_empty_samples(s, now);
    return SCA_OK;
}

/* ---- what is dated ---- */

static int take_messages(struct subtraction *s)
{
    struct sca_part_message *now = copy(s, SCA_T_MESSAGES);
    uint32_t kept = 0;
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->now, SCA_T_MESSAGES); i++)
        if (now[i].enter_ns >= s->span_ns) {
            now[kept] = now[i];
            now[kept].enter_ns -= s->span_ns;
            now[kept++].exit_ns -= s->span_ns;
        }
    s->out->header.table[SCA_T_MESSAGES].count = kept;
    return SCA_OK;
}

/* How often windows of a class had happened by the snapshot. */
static uint64_t happened(const struct sca_tables *then, uint32_t duration_class)
{
    const struct sca_part_window *windows = then->record[SCA_T_WINDOWS];
    uint64_t most = 0;
    for (uint32_t i = 0; i < count(then, SCA_T_WINDOWS); i++)
        if (windows[i].duration_class == duration_class && windows[i].class_total > most)
            most = windows[i].class_total;
    return most;
}

static int take_windows(struct subtraction *s)
{
    struct sca_part_window *now = copy(s, SCA_T_WINDOWS);
    uint32_t kept = 0;
    if (!now)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < count(s->now, SCA_T_WINDOWS); i++)
        if (now[i].begin_ns >= s->span_ns) {
            now[kept] = now[i];
            now[kept].begin_ns -= s->span_ns;
            now[kept].end_ns -= s->span_ns;
            take(&now[kept++].class_total, happened(s->then, now[i].duration_class));
        }
    s->out->header.table[SCA_T_WINDOWS].count = kept;
    return SCA_OK;
}

static uint64_t span(const struct sca_part_header *h)
{
    if (h->wall_ns)
        return h->wall_ns;
    return h->last_ns > h->init_ns ? h->last_ns - h->init_ns : 0;
}

static void take_header(struct subtraction *s)
{
    const struct sca_part_header *then = &s->then->header;
    struct sca_part_header *h = &s->out->header;
    h->wall_ns = span(h) > s->span_ns ? span(h) - s->span_ns : 0;
    h->init_ns += s->span_ns;
    take(&h->cpu_ns, then->cpu_ns);
    take(&h->mpi_ns, then->mpi_ns);
    take(&h->mpi_calls, then->mpi_calls);
    take(&h->tool_ns, then->tool_ns);
    take(&h->tool_gap_ns, then->tool_gap_ns);
    take(&h->samples, then->samples);
    take(&h->samples_in_mpi, then->samples_in_mpi);
    take(&h->samples_dropped, then->samples_dropped);
    take(&h->sample_squares, then->sample_squares);
}

static bool is_earlier(const struct sca_tables *now, const struct sca_tables *then)
{
    static const enum sca_part_table grown[] = {SCA_T_NODES, SCA_T_SITES, SCA_T_INTERVALS,
                                                SCA_T_PEERS, SCA_T_COLLECTIVES};
    bool earlier = now->header.init_ns == then->header.init_ns &&
                   now->header.rank == then->header.rank && now->header.size == then->header.size &&
                   span(&now->header) >= span(&then->header);
    for (size_t i = 0; earlier && i < sizeof grown / sizeof *grown; i++)
        earlier = count(now, grown[i]) >= count(then, grown[i]);
    return earlier;
}

int sca_since_subtract(struct sca_region *region, const struct sca_tables *now,
                       const struct sca_tables *then, struct sca_tables *out)
{
    int (*const steps[])(struct subtraction *) = {take_sites,  take_intervals,   take_samples,
                                                  take_peers,  take_collectives, take_messages,
                                                  take_windows};
    struct subtraction s = {region, now, then, out, span(&then->header)};
    *out = *now;
    memset(out->durations, 0, sizeof out->durations); /* those of the whole run */
    if (!is_earlier(now, then))
        return other_run();
    int status = SCA_OK;
    for (size_t i = 0; status == SCA_OK && i < sizeof steps / sizeof *steps; i++)
        status = steps[i](&s);
    if (status == SCA_ENOMEM)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (status == SCA_OK)
        take_header(&s);
    return status;
}

int sca_since_apply(const char *snapshot, struct sca_region *region, const struct sca_tables *now,
                    struct sca_tables *out)
{
    char path[4400], message[256];
    struct sca_file file;
    struct sca_tables then;
    snprintf(path, sizeof path, "%s/rank-%u.part", snapshot, now->header.rank);
    int status = sca_part_map(path, &file);
    if (status < 0)
        return status;
    status = sca_part_view(path, &file, &then);
    if (status == SCA_OK &&
        (status = sca_since_subtract(region, now, &then, out)) == SCA_EMISMATCH) {
        snprintf(message, sizeof message, "%s", sca_error_message());
        sca_fail(status, "%s: %s", path, message);
    }
    sca_part_unmap(&file);
    return status;
}
