#include "hosts/kept_ranks.h"
#include "sca_error.h"
#include "sca_words.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN = 3 /* times that a part is read which is being written to */ };

static void append(struct sca_kept_ranks *kept, const struct sca_copy *copy)
{
    kept->copy = sca_must(realloc(kept->copy, (kept->n + 1ul) * sizeof *kept->copy));
    kept->copy[kept->n++] = *copy;
}

void sca_kept_ranks_set(struct sca_kept_ranks *kept, const uint32_t *ranks, uint32_t n,
                        struct sca_kept_ranks *gone)
{
    struct sca_kept_ranks before = *kept;
    uint32_t at = 0;
    *kept = (struct sca_kept_ranks){n, sca_must(calloc(n + 1ul, sizeof *kept->copy))};
    for (uint32_t i = 0; i < n; i++) {
        for (; at < before.n && before.copy[at].rank < ranks[i]; at++)
            if (gone)
                append(gone, &before.copy[at]);
            else
                sca_copy_free(&before.copy[at]);
        if (at < before.n && before.copy[at].rank == ranks[i])
            kept->copy[i] = before.copy[at++];
        kept->copy[i].rank = ranks[i];
    }
    for (; at < before.n; at++)
        if (gone)
            append(gone, &before.copy[at]);
        else
            sca_copy_free(&before.copy[at]);
    free(before.copy);
}

void sca_kept_ranks_free(struct sca_kept_ranks *kept)
{
    for (uint32_t i = 0; i < kept->n; i++)
        sca_copy_free(&kept->copy[i]);
    free(kept->copy);
    *kept = (struct sca_kept_ranks){0};
}

/* ---- of parts ---- */

static bool is_part(const char *name, uint32_t *rank)
{
    char expected[40];
    if (sscanf(name, "rank-%u.part", rank) != 1)
        return false;
    snprintf(expected, sizeof expected, "rank-%u.part", *rank);
    return !strcmp(name, expected);
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = ((const struct sca_copy *)a)->rank, y = ((const struct sca_copy *)b)->rank;
    return (x > y) - (x < y);
}

/* Where the clock is another one, another collector takes it. */
static bool is_of_this_host(const struct sca_copy *copy)
{
    return copy->header.process_start != 0;
}

static void take(struct sca_kept_ranks *out, const char *path, uint32_t rank, bool series,
                 char *note, size_t note_size)
{
    struct sca_copy copy;
    int status = SCA_EFORMAT;
    for (int i = 0; i < AGAIN && status == SCA_EFORMAT; i++)
        status = sca_copy_take(path, series, &copy);
    if (status == SCA_OK && copy.rank == rank && is_of_this_host(&copy)) {
        append(out, &copy);
        return;
    }
    if (status == SCA_OK)
        sca_copy_free(&copy);
    else if (status != SCA_ENOTFOUND)
        snprintf(note, note_size, "%s", sca_error_message());
}

void sca_kept_ranks_take(struct sca_kept_ranks *out, const char *directory, bool series, char *note,
                         size_t note_size)
{
    uint32_t rank;
    DIR *dir = opendir(directory);
    *out = (struct sca_kept_ranks){0};
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!is_part(entry->d_name, &rank))
            continue;
        char *path = sca_words_format("%s/%s", directory, entry->d_name);
        take(out, path, rank, series, note, note_size);
        free(path);
    }
    if (dir)
        closedir(dir);
    if (out->n)
        qsort(out->copy, out->n, sizeof *out->copy, by_rank);
}

/* ---- series ---- */

enum { BOUND_NUMBER = 10 };

uint8_t *sca_kept_ranks_pack_series(const struct sca_kept_ranks *kept, uint32_t first, uint32_t n,
                                    size_t *length)
{
    size_t room = 0;
    struct sca_writer w;
    for (uint32_t i = first; i < first + n; i++)
        room += BOUND_NUMBER + sca_copy_series_bound(&kept->copy[i]);
    uint8_t *bytes = sca_must(malloc(room + 1));
    sca_wire_writer_init(&w, bytes, room);
    for (uint32_t i = first; i < first + n; i++) {
        sca_wire_put_varint(&w, kept->copy[i].rank);
        sca_copy_series_send(&kept->copy[i], &w);
    }
    *length = w.length;
    return bytes;
}

static struct sca_copy *find(struct sca_kept_ranks *kept, uint64_t rank)
{
    const struct sca_copy key = {.rank = (uint32_t)rank};
    return kept->n && rank <= UINT32_MAX
               ? bsearch(&key, kept->copy, kept->n, sizeof *kept->copy, by_rank)
               : NULL;
}

int sca_kept_ranks_take_series(struct sca_kept_ranks *kept, struct sca_reader *from)
{
    int status = SCA_OK;
    while (status == SCA_OK && sca_wire_left(from)) {
        struct sca_copy nobody = {0}, *copy = find(kept, sca_wire_get_varint(from));
        status = sca_copy_series_receive(copy ? copy : &nobody, from);
        sca_copy_series_drop(&nobody);
    }
    return status;
}

void sca_kept_ranks_drop_series(struct sca_kept_ranks *kept)
{
    for (uint32_t i = 0; i < kept->n; i++)
        sca_copy_series_drop(&kept->copy[i]);
}
