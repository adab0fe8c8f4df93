/* From a run directory to one profile: profile.sca, or the parts a run left that did not end. */
#include "profile/profile_load.h"
#include "profile/packed_fields.h"
#include "profile/since.h"
#include "profile/totals_columns.h"
#include "sca_error.h"
#include "profile/timeline.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A profile with what it lies in. */
struct loaded {
    struct sca_profile profile;
    struct sca_region region;
};

static int start(struct sca_load *load, const char *directory)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return sca_fail(SCA_ENOMEM, "out of memory");
    load->profile = &loaded->profile;
    load->profile->memory = loaded;
    load->profile->directory = sca_region_text(&loaded->region, directory, strlen(directory));
    if (!load->profile->directory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    load->packer.region = &loaded->region;
    return sca_merge_begin(&load->merge, &loaded->region, load->profile);
}

int sca_profile_load_ranks(struct sca_load *load, uint32_t nranks)
{
    if (load->view && nranks != load->profile->nranks)
        return sca_fail(SCA_EFORMAT, "a run has changed while it was read");
    if (load->view)
        return SCA_OK;
    load->profile->ranks = sca_region_array(load->merge.region, nranks, sizeof(struct sca_rank));
    if (!load->profile->ranks)
        return sca_fail(SCA_ENOMEM, "%s: no memory for %u ranks", load->profile->directory, nranks);
    load->profile->nranks = nranks;
    return SCA_OK;
}

/* Few: each costs a copy of those before. */
int sca_profile_load_kept(struct sca_load *load, const struct sca_kept *kept)
{
    struct sca_profile *p = load->profile;
    struct sca_kept *all =
        sca_region_array(load->merge.region, p->nkept + 1ul, sizeof(struct sca_kept));
    if (!all)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (p->nkept)
        memcpy(all, p->kept, p->nkept * sizeof *all);
    all[p->nkept++] = *kept;
    p->kept = all;
    return SCA_OK;
}

/* The names of the counters, from "metrics": one per comma. */
static int name_metrics(struct sca_load *load)
{
    struct sca_profile *p = load->profile;
    const char *names = sca_profile_meta(p, "metrics", "");
    char name[128];
    for (uint32_t i = 0; i < p->nmetrics; i++) {
        size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (!length)
            snprintf(name, sizeof name, "metric %u", i);
        names += length + (names[length] == ',');
        p->metrics[i] = sca_merge_text(&load->merge, name);
        if (!p->metrics[i])
            return sca_fail(SCA_ENOMEM, "out of memory");
    }
    return SCA_OK;
}

static int note_sizes(struct sca_load *load)
{
    struct sca_profile *p = load->profile;
    p->largest = load->packed ? sca_region_alloc(load->merge.region, sizeof *p->largest) : NULL;
    if (load->packed && !p->largest)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (load->packed)
        *p->largest = sca_packed_fields_sizes(p);
    return SCA_OK;
}

/* Of a rank that left nothing. */
static void name_nothing(struct sca_rank *rank)
{
    rank->host = rank->address = rank->cores = rank->core_use = "";
    rank->core_threads = rank->core_free = "";
}

/* A run is complete when every rank reached MPI_Finalize. */
static int finish(struct sca_load *load)
{
    struct sca_profile *p = load->profile;
    p->complete = true;
    for (uint32_t i = 0; i < p->nranks; i++) {
        p->complete &= p->ranks[i].present && p->ranks[i].complete;
        if (!p->ranks[i].host)
            name_nothing(&p->ranks[i]);
    }
    sca_timeline_finish(p);
    int status = note_sizes(load);
    return status ? status : name_metrics(load);
}

/* It is asked for only where much of an interval is time off the core, and costs memory. */
static void drop_longest(struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].blocked_ns < rank->intervals[i].cpu_ns / 4)
            rank->intervals[i].max_ns = 0;
}

static void leave_records_out(struct sca_tables *tables)
{
    static const enum sca_part_table records[] = {SCA_T_MESSAGES, SCA_T_WINDOWS, SCA_T_EVENTS};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        tables->header.table[records[i]].count = 0;
}

static int load_rank(struct sca_load *load, const struct sca_tables *tables, struct sca_rank *rank)
{
    struct sca_tables fewer;
    if (load->totals) {
        fewer = *tables;
        leave_records_out(&fewer);
        tables = &fewer;
    }
    if (load->view && !(tables = sca_worlds_view_tables(load->view, tables)))
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (!load->packed)
        return sca_merge_rank(&load->merge, tables, rank);
    load->merge.records = &load->records;
    int status = sca_merge_rank(&load->merge, tables, rank);
    if (load->view) /* its peers are of one world */
        rank->moment = NULL;
    if (status == SCA_OK)
        drop_longest(rank);
    if (status == SCA_OK && (status = sca_rank_pack(&load->packer, rank)) < 0)
        *rank = (struct sca_rank){0};
    sca_region_clear(&load->records);
    return status;
}

static void forget_tables(struct sca_rank *rank)
{
    rank->nsites = rank->nintervals = rank->nsamples = rank->npeers = 0;
    rank->ncollectives = rank->nmessages = rank->nwindows = 0;
    rank->sites = NULL;
    rank->intervals = NULL;
    rank->sample = NULL;
    rank->peers = NULL;
    rank->collectives = NULL;
    rank->messages = NULL;
    rank->windows = NULL;
}

static void note_longest(struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        uint64_t longer = v->cpu_ns > v->blocked_ns ? v->cpu_ns : v->blocked_ns;
        rank->longest_ns = longer > rank->longest_ns ? longer : rank->longest_ns;
    }
}

static int hand_over(struct sca_load *load, const struct sca_tables *tables, struct sca_rank *rank)
{
    struct sca_profile *p = load->profile;
    struct sca_tables fewer = *tables;
    for (int t = 0; t < SCA_T_COUNT; t++)
        if (!sca_totals_table(t))
            fewer.header.table[t].count = 0;
    load->merge.records = &load->records;
    int status = sca_merge_rank(&load->merge, &fewer, rank);
    if (status == SCA_OK) {
        note_longest(rank);
        status = load->taker->take(load->taker->of, p, (uint32_t)(rank - p->ranks), rank);
        load->ended = status != SCA_OK;
    }
    forget_tables(rank);
    sca_region_clear(&load->records);
    return status;
}

static bool is_report(const char *path)
{
    char head[1024] = "";
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file)
        fclose(file);
    head[n] = '\0';
    return strstr(head, "\"scalana-report/") != NULL;
}

static int refuse_file(const char *path)
{
    if (is_report(path))
        return sca_fail(SCA_ENOTFOUND,
                        "%s: a report, not a run directory: scalana-viewer %s shows it", path,
                        path);
    return sca_fail(SCA_ENOTFOUND, "%s: not a run directory, such as scalana-NAME-8p", path);
}

int sca_profile_load_rank(struct sca_load *load, const struct sca_tables *tables,
                          struct sca_rank *rank)
{
    struct sca_region differences = {0};
    struct sca_tables after;
    if (load->taker)
        return hand_over(load, tables, rank);
    if (!load->since)
        return load_rank(load, tables, rank);
    int status = sca_since_apply(load->since, &differences, tables, &after);
    if (status == SCA_OK)
        status = load_rank(load, &after, rank);
    sca_region_free(&differences);
    return status;
}

int sca_profile_load_into(struct sca_load *load, const char *directory)
{
    struct stat st;
    char path[SCA_LOAD_PATH];
    if (stat(directory, &st))
        return sca_fail(errno == ENOENT || errno == ENOTDIR ? SCA_ENOTFOUND : SCA_EIO,
                        "%s: not a run directory: %s", directory, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return refuse_file(directory);
    snprintf(path, sizeof path, "%s/%s", directory, SCA_PROFILE_FILE);
    return stat(path, &st) ? sca_load_parts(load, directory) : sca_load_store(load, path);
}

static int end(struct sca_load *load, int status, struct sca_profile **out)
{
    if (status == SCA_OK)
        status = finish(load);
    sca_merge_end(&load->merge);
    sca_rank_pack_free(&load->packer);
    sca_region_free(&load->records);
    if (status == SCA_OK)
        *out = load->profile;
    else
        sca_profile_free(load->profile);
    return status;
}

static int load_profile(const char *directory, struct sca_load load, struct sca_profile **out)
{
    *out = NULL;
    int status = start(&load, directory);
    if (status == SCA_OK)
        status = sca_profile_load_into(&load, directory);
    if (status == SCA_OK && load.since)
        status = sca_merge_add_meta(&load.merge, "since", load.since);
    return end(&load, status, out);
}

int sca_profile_load_worlds(const struct sca_profile *const *worlds, uint32_t n,
                            struct sca_profile **out)
{
    struct sca_load load = {.packed = true};
    *out = NULL;
    int status = start(&load, worlds[0]->directory);
    if (status == SCA_OK)
        status = sca_worlds_load(&load, worlds, n);
    return end(&load, status, out);
}

int sca_profile_load(const char *directory, struct sca_profile **out)
{
    return load_profile(directory, (struct sca_load){0}, out);
}

int sca_profile_load_packed(const char *directory, struct sca_profile **out)
{
    return load_profile(directory, (struct sca_load){.packed = true}, out);
}

int sca_profile_load_totals(const char *directory, struct sca_profile **out)
{
    return load_profile(directory, (struct sca_load){.packed = true, .totals = true}, out);
}

int sca_profile_load_each(const char *directory, const struct sca_rank_taker *taker,
                          struct sca_profile **out)
{
    return load_profile(directory, (struct sca_load){.taker = taker}, out);
}

int sca_profile_load_since(const char *directory, const char *snapshot, struct sca_profile **out)
{
    return load_profile(directory, (struct sca_load){.packed = true, .since = snapshot}, out);
}

struct sca_region *sca_profile_load_region(struct sca_profile *profile)
{
    return &((struct loaded *)profile->memory)->region;
}

void sca_profile_free(struct sca_profile *profile)
{
    if (!profile)
        return;
    struct loaded *loaded = profile->memory;
    sca_region_free(&loaded->region);
    free(loaded);
}

const char *sca_profile_meta(const struct sca_profile *profile, const char *key,
                             const char *fallback)
{
    for (uint32_t i = 0; i < profile->nmeta; i++)
        if (!strcmp(profile->meta[i].key, key))
            return profile->meta[i].value;
    return fallback;
}
