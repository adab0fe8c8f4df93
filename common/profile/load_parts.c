/* Parts into a profile: what an aborted, killed or still running program has left. A damaged part
 * costs its own rank only. */
#include "profile/parent_folder.h"
#include "profile/image.h"
#include "profile/profile_load.h"
#include "profile/series_load.h"
#include "sca_error.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN = 2 /* times that a damaged part is read again */ };

struct part {
    uint32_t rank;
    uint32_t size; /* of the run, 0: the part cannot be read */
};

struct parts {
    struct part *list;
    uint32_t count;
    uint32_t damaged;
    struct sca_series_parts *series;
    int first_status;
    char first_message[256];
};

static void part_path(char path[SCA_LOAD_PATH], const char *directory, uint32_t rank)
{
    snprintf(path, SCA_LOAD_PATH, "%s/rank-%u.part", directory, rank);
}

/* The rank in a name of the exact form the runtime gives. */
static int rank_of(const char *name, uint32_t *rank)
{
    char expected[32];
    if (sscanf(name, "rank-%u.part", rank) != 1)
        return 0;
    snprintf(expected, sizeof expected, "rank-%u.part", *rank);
    return !strcmp(expected, name) && *rank < SCA_MAX_RANKS;
}

static int by_rank(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int add_part(struct parts *parts, uint32_t rank)
{
    if (!(parts->count & (parts->count - 1))) {
        size_t room = parts->count ? 2 * (size_t)parts->count : 1;
        struct part *larger = realloc(parts->list, room * sizeof *larger);
        if (!larger)
            return sca_fail(SCA_ENOMEM, "out of memory");
        parts->list = larger;
    }
    parts->list[parts->count++] = (struct part){rank, 0};
    return SCA_OK;
}

static int no_profile(const char *directory)
{
    char runs[256];
    if (*sca_parent_folder_runs(directory, runs, sizeof runs))
        return sca_fail(SCA_ENOTFOUND, "%s: no run directory, but it holds runs: %s. Name those.",
                        directory, runs);
    return sca_fail(SCA_ENOTFOUND, "%s: no profile in it, neither %s nor rank-*.part", directory,
                    SCA_PROFILE_FILE);
}

static int list_parts(const char *directory, struct parts *parts)
{
    DIR *dir = opendir(directory);
    uint32_t rank;
    if (!dir)
        return sca_fail(SCA_EIO, "%s: %s", directory, strerror(errno));
    int status = SCA_OK;
    for (struct dirent *entry; status == SCA_OK && (entry = readdir(dir));)
        if (rank_of(entry->d_name, &rank))
            status = add_part(parts, rank);
    closedir(dir);
    if (status == SCA_OK && !parts->count)
        status = no_profile(directory);
    if (status == SCA_OK)
        qsort(parts->list, parts->count, sizeof *parts->list, by_rank);
    return status;
}

static void note_damage(struct parts *parts, int status)
{
    if (!parts->damaged++) {
        parts->first_status = status;
        snprintf(parts->first_message, sizeof parts->first_message, "%s", sca_error_message());
    }
}

static int view(const char *directory, const struct part *part, struct sca_file *file,
                struct sca_tables *tables)
{
    char path[SCA_LOAD_PATH];
    part_path(path, directory, part->rank);
    int status = sca_part_map(path, file);
    if (status == SCA_OK)
        status = sca_part_view(path, file, tables);
    if (status == SCA_OK && tables->header.rank != part->rank)
        status = sca_fail(SCA_EFORMAT, "%s: the state of rank %u", path, tables->header.rank);
    return status;
}

/* First look: which parts can be read, and what most of them say the size of the run is. */
static uint32_t survey(const char *directory, struct parts *parts)
{
    uint32_t size = 0, votes = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        struct sca_file file;
        struct sca_tables tables;
        int status = view(directory, &parts->list[i], &file, &tables);
        if (status < 0)
            note_damage(parts, status);
        else
            parts->list[i].size = tables.header.size;
        sca_part_unmap(&file);
        if (status < 0)
            continue;
        if (!votes)
            size = tables.header.size;
        if (size == tables.header.size)
            votes++;
        else
            votes--;
    }
    return size;
}

static int take_once(struct sca_load *load, const char *directory, const struct part *part,
                     struct sca_series_parts *series)
{
    struct sca_file file;
    struct sca_tables tables;
    struct sca_profile *p = load->profile;
    int status = view(directory, part, &file, &tables);
    if (status == SCA_OK && tables.header.size != p->nranks)
        status = sca_fail(SCA_EFORMAT, "%s/rank-%u.part: of a run with %u ranks, not %u", directory,
                          part->rank, tables.header.size, p->nranks);
    if (status == SCA_OK && !p->nmeta)
        status = sca_merge_meta(&load->merge, tables.record[SCA_T_META],
                                tables.header.table[SCA_T_META].count);
    if (status == SCA_OK &&
        (status = sca_profile_load_rank(load, &tables, &p->ranks[part->rank])) == SCA_EFORMAT) {
        char message[256];
        snprintf(message, sizeof message, "%s", sca_error_message());
        sca_fail(status, "%s/rank-%u.part: %s", directory, part->rank, message);
    }
    if (status == SCA_OK && tables.header.nmetrics > p->nmetrics)
        p->nmetrics = tables.header.nmetrics;
    if (status == SCA_OK)
        sca_series_parts_add(series, &tables);
    sca_part_unmap(&file);
    return status;
}

/* What its process was writing just then is whole the next time. */
static int take_part(struct sca_load *load, const char *directory, const struct part *part,
                     struct sca_series_parts *series)
{
    int status = take_once(load, directory, part, series);
    for (int again = 0; status == SCA_EFORMAT && again < AGAIN; again++)
        status = take_once(load, directory, part, series);
    return status;
}

static int take_parts(struct sca_load *load, const char *directory, struct parts *parts)
{
    uint32_t present = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (!parts->list[i].size)
            continue;
        int status = take_part(load, directory, &parts->list[i], parts->series);
        if (status == SCA_ENOMEM || load->ended)
            return status;
        if (status < 0)
            note_damage(parts, status);
        else
            present++;
    }
    if (!present)
        return sca_fail(parts->first_status, "%s", parts->first_message);
    return parts->damaged ? sca_merge_add_meta(&load->merge, "damaged", parts->first_message)
                          : SCA_OK;
}

int sca_load_parts(struct sca_load *load, const char *directory)
{
    struct parts parts = {0};
    int status = list_parts(directory, &parts);
    if (status == SCA_OK) {
        uint32_t size = survey(directory, &parts);
        status = size ? sca_profile_load_ranks(load, size)
                      : sca_fail(parts.first_status, "%s", parts.first_message);
    }
    if (status == SCA_OK && !load->view && !load->since)
        parts.series = sca_series_parts_begin(load->profile->nranks);
    if (status == SCA_OK)
        status = take_parts(load, directory, &parts);
    sca_series_parts_end(parts.series, load->merge.region, status == SCA_OK ? load->profile : NULL);
    free(parts.list);
    return status;
}
