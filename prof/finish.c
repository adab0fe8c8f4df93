#include "finish.h"
#include "arena.h"
#include "clock.h"
#include "condense.h"
#include "cost.h"
#include "describe.h"
#include "gather.h"
#include "sca_profile.h"
#include "store.h"
#include "tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct sca_tables live_tables(void)
{
    struct sca_tables t = {.header = *sca_arena_header()};
    for (int i = 0; i < SCA_T_COUNT; i++)
        t.record[i] = sca_arena_table(i);
    return t;
}

/* Own image in scratch memory; length 0 when there is none to be had. */
static struct sca_gathered own_image(void)
{
    struct sca_tables t = live_tables();
    struct sca_writer w;
    sca_writer_init(&w, NULL, 0);
    sca_image_encode(&t, &w);
    size_t length = w.length;
    void *memory = sca_scratch(length);
    if (!memory)
        return (struct sca_gathered){0};
    sca_writer_init(&w, memory, length);
    sca_image_encode(&t, &w);
    return (struct sca_gathered){memory, {w.failed ? 0 : w.length, 0, 0}};
}

static int write_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
    return 0;
}

/* Past the limit on file sizes a write would be answered with a deadly signal. */
static bool size_allowed(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= bytes;
}

/* A reader sees the whole file or none. */
static int write_file(const char *directory, const void *bytes, size_t length)
{
    char path[4096], temporary[4096];
    snprintf(path, sizeof path, "%s/" SCA_PROFILE_FILE, directory);
    snprintf(temporary, sizeof temporary, "%s/." SCA_PROFILE_FILE ".%d", directory, (int)getpid());
    if (!size_allowed(length))
        return EFBIG;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = write_all(fd, bytes, length);
    if (close(fd) && !error)
        error = errno;
    if (!error && rename(temporary, path))
        error = errno;
    if (error)
        unlink(temporary);
    return error;
}

static void add_cost(struct sca_outcome *outcome, const struct sca_gathered *image)
{
    uint64_t numbers[SCA_HEADER_NUMBERS];
    struct sca_part_header header;
    struct sca_reader r;
    sca_reader_init(&r, image->bytes, image->arrival.length);
    sca_get_varint(&r); /* length of the header's section */
    for (int i = 0; i < SCA_HEADER_NUMBERS; i++)
        numbers[i] = sca_get_varint(&r);
    sca_header_from_numbers(&header, numbers);
    outcome->tool_ns += header.tool_ns + image->arrival.cost_ns;
    outcome->cpu_ns += image->arrival.cpu_ns;
}

/* Packs the images and writes the file. The reason is left in outcome->why. */
static void write_profile(const struct sca_meeting *meeting, const struct sca_gathered *gathered,
                          uint32_t size, struct sca_outcome *outcome)
{
    struct sca_store_image *images = sca_scratch(size * sizeof *images);
    for (uint32_t i = 0; i < size; i++)
        add_cost(outcome, &gathered[i]);
    sca_describe_end(meeting, outcome->tool_ns, outcome->cpu_ns);
    size_t total = 0, meta = sca_arena_count(SCA_T_META);
    for (uint32_t i = 0; images && i < size; i++) {
        images[i] = (struct sca_store_image){gathered[i].bytes, gathered[i].arrival.length};
        total += gathered[i].arrival.length;
    }
    size_t bound = sca_store_bound(total, size, meta), room = sca_store_scratch(total, size);
    void *bytes = sca_scratch(bound), *scratch = sca_scratch(room);
    struct sca_writer out;
    sca_writer_init(&out, bytes, bound);
    if (images && bytes && scratch)
        sca_store_write(&out, images, size, sca_arena_table(SCA_T_META), meta, scratch, room);
    if (!images || !bytes || !scratch || out.failed) {
        snprintf(outcome->why, sizeof outcome->why, "no memory to pack it");
        return;
    }
    int error = write_file(meeting->directory, bytes, out.length);
    if (error)
        snprintf(outcome->why, sizeof outcome->why, "cannot write it: %s", strerror(error));
    outcome->written = !error;
    outcome->bytes = out.length;
    outcome->tool_ns += sca_cost_so_far() - gathered[0].arrival.cost_ns; /* rank 0's own end */
}

static void explain(struct sca_outcome *outcome, enum sca_gather_result result, uint32_t missing)
{
    size_t room = sizeof outcome->why;
    if (result == SCA_NOT_ARRIVED)
        snprintf(outcome->why, room, "rank %u died, or did not come to MPI_Finalize within %d s",
                 missing, SCA_ARRIVE_SECONDS);
    else if (result == SCA_NO_ANSWER)
        snprintf(outcome->why, room, "rank %u died, or did not answer for %d s", missing,
                 SCA_SILENCE_SECONDS);
    else if (result == SCA_NO_MEMORY)
        snprintf(outcome->why, room, "no memory for the ranks' data");
}

void sca_finish(struct sca_meeting *meeting, uint32_t rank, uint32_t size,
                struct sca_outcome *outcome)
{
    sca_condense();
    struct sca_gathered own = own_image();
    own.arrival.cost_ns = sca_cost_so_far();
    own.arrival.cpu_ns = sca_clock_process();
    struct sca_gathered *images = rank ? NULL : sca_scratch(size * sizeof *images);
    uint32_t missing = 0;
    *outcome = (struct sca_outcome){0};
    enum sca_gather_result result = sca_gather_images(rank, size, &own, images, &missing);
    if (result != SCA_GATHERED) {
        explain(outcome, result, missing);
        if (rank || result != SCA_NO_ANSWER)
            return; /* nobody waits for a verdict */
    } else {
        sca_meet_again(rank, meeting);
        if (!rank)
            write_profile(meeting, images, size, outcome);
    }
    outcome->written = sca_gather_verdict(outcome->written);
}
