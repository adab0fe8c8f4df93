/* A snapshot of live states keeps all that a report has use for. */
#include "check_main.h"
#include "follow/snapshot.h"
#include "sca_error.h"
#include "sca_part.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SITES = 3, MARKS = 5, PHASES = 2, ROOM = 1 << 20 };

static char folder[TEMP_FOLDER];

static void begin(void)
{
    temp_folder(folder);
}

static void end(void)
{
    temp_folder_drop(folder);
}

static void fill(uint8_t *at, size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(seed + 7 * i + 1);
}

/* A part with records of which nobody knows what they mean; returns its bytes. */
static uint8_t *write_part(const char *path, const struct sca_part_header *h)
{
    uint8_t *bytes = calloc(1, ROOM);
    size_t source = (size_t)SCA_SERIES_MARKS * h->series.stride;
    memcpy(bytes, h, sizeof *h);
    fill(bytes + h->table[SCA_T_SITES].offset, SITES * sizeof(struct sca_part_site), 1);
    fill(bytes + h->timed.of[0].offset, SITES * sizeof(struct sca_part_durations), 2);
    for (size_t i = 0; i < h->series.sources; i++)
        fill(bytes + h->series.offset + i * source, h->series.count[i] * h->series.stride, 3);
    fill(bytes + h->series.offset + h->series.sources * source,
         h->series.nphases * sizeof(struct sca_part_phase), 4);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert_int_eq(write(fd, bytes, ROOM), ROOM);
    close(fd);
    return bytes;
}

static struct sca_part_header header(void)
{
    struct sca_part_header h = {.magic = SCA_PART_MAGIC,
                                .version = SCA_PART_VERSION,
                                .header_size = sizeof h,
                                .size = 1,
                                .state = SCA_RUNNING};
    h.table[SCA_T_SITES] = (struct sca_part_directory){
        .offset = 16384, .stride = sizeof(struct sca_part_site), .capacity = SITES, .count = SITES};
    h.timed.of[0] = (struct sca_part_directory){.offset = 32768,
                                                .stride = sizeof(struct sca_part_durations),
                                                .capacity = SITES,
                                                .count = SITES};
    h.series = (struct sca_part_series){.offset = 65536,
                                        .stride = sizeof(struct sca_part_mark),
                                        .sources = SCA_SERIES_SOURCES,
                                        .count = {MARKS, 0, 2 * MARKS},
                                        .nphases = PHASES};
    return h;
}

static char *path_of(const char *below)
{
    char *path = malloc(600);
    snprintf(path, 600, "%s/%s", folder, below);
    return path;
}

START_TEST(all_records_are_kept)
{
    char *run = path_of("run"), *part = path_of("run/rank-0.part"), *kept = path_of("kept"),
         *copy = path_of("kept/rank-0.part");
    struct sca_part_header h = header();
    uint8_t *read_back = calloc(1, ROOM);
    mkdir(run, 0700);
    uint8_t *bytes = write_part(part, &h);
    ck_assert_int_eq(sca_snapshot_take(run, kept), SCA_OK);
    int fd = open(copy, O_RDONLY);
    ck_assert_int_eq(read(fd, read_back, ROOM), ROOM);
    close(fd);
    h.state = SCA_SNAPSHOT;
    memcpy(bytes, &h, sizeof h);
    for (size_t i = 0; i < ROOM; i++)
        if (bytes[i] != read_back[i])
            ck_abort_msg("byte %zu differs", i);
    free(bytes);
    free(read_back);
    free(run);
    free(part);
    free(kept);
    free(copy);
}
END_TEST

START_TEST(a_series_beyond_the_end_is_damage)
{
    char *run = path_of("run"), *part = path_of("run/rank-0.part"), *kept = path_of("kept");
    struct sca_part_header h = header();
    mkdir(run, 0700);
    free(write_part(part, &h));
    ck_assert_int_eq(truncate(part, 70000), 0);
    ck_assert_int_eq(sca_snapshot_take(run, kept), SCA_EIO);
    ck_assert_int_ne(access(kept, F_OK), 0); /* nothing is left */
    free(run);
    free(part);
    free(kept);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("live_snapshot");
    TCase *tests = tcase_create("live_snapshot");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, all_records_are_kept);
    tcase_add_test(tests, a_series_beyond_the_end_is_damage);
    suite_add_tcase(suite, tests);
    return suite;
}
