#include "finish/finish.h"
#include "arena/arena.h"
#include "clock/clock.h"
#include "arena/condense.h"
#include "calls/activity.h"
#include "clock/cost.h"
#include "finish/assemble.h"
#include "finish/describe.h"
#include "finish/gather.h"
#include "finish/gather_series.h"
#include "finish/post.h"
#include "finish/stream.h"
#include "profile/tables.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static struct sca_tables live_tables(void)
{
    struct sca_tables t = {.header = *sca_arena_header()};
    for (int i = 0; i < SCA_T_COUNT; i++)
        t.record[i] = sca_arena_table(i);
    for (int i = 0; i < SCA_TIMED_COUNT; i++)
        t.durations[i].live = sca_arena_durations_first((enum sca_timed)i, &t.durations[i].n);
    return t;
}

/* Who gives up its rights (setuid) closes its memory to other processes, and MPI libraries that
 * copy long messages through it may end the program then. */
static bool is_open_to_peers(void)
{
    return prctl(PR_GET_DUMPABLE) == 1;
}

static bool was_open_to_peers;

void sca_finish_prepare(void)
{
    was_open_to_peers = is_open_to_peers();
}

enum { SLACK = 256 }; /* the header's numbers may still grow */

/* Room for this rank's image and series, in scratch memory; length 0 when there is none to be had.
 */
static struct sca_store_image image_room(void)
{
    struct sca_tables t = live_tables();
    struct sca_writer w;
    sca_wire_writer_init(&w, NULL, 0);
    sca_image_encode(&t, &w);
    sca_gathered_series_put(&w);
    void *memory = sca_scratch(w.length + SLACK);
    return (struct sca_store_image){memory, memory ? w.length + SLACK : 0};
}

/* Of no more than before: only windows that all ranks have are left. */
static void fill_image(struct sca_store_image *image)
{
    struct sca_tables t = live_tables();
    struct sca_writer w;
    sca_wire_writer_init(&w, (void *)(uintptr_t)image->bytes, image->length);
    sca_image_encode(&t, &w);
    sca_gathered_series_put(&w);
    image->length = w.length;
}

static void explain(struct sca_outcome *outcome, enum sca_gather_result result, uint32_t missing)
{
    size_t room = sizeof outcome->why;
    if (result == SCA_NOT_ARRIVED)
        snprintf(outcome->why, room, "rank %u died, or did not reach MPI_Finalize within %d s",
                 missing, SCA_ARRIVE_SECONDS);
    else if (result == SCA_NO_ANSWER)
        snprintf(outcome->why, room, "rank %u died, or did not answer for %d s", missing,
                 SCA_SILENCE_SECONDS);
    else if (result == SCA_NO_MEMORY)
        snprintf(outcome->why, room,
                 "rank %u cannot send its data: no memory, or it changed its user", missing);
}

/* Rank 0. The reason why there is no profile is left in outcome->why. */
static void write_profile(const struct sca_meeting *meeting, const struct sca_store_image *own,
                          uint32_t size, struct sca_outcome *outcome)
{
    static struct sca_profile_file file;
    uint32_t missing;
    sca_describe_end(meeting, outcome->tool_ns, outcome->cpu_ns);
    sca_profile_file_begin(&file, meeting->directory);
    enum sca_assembly result = sca_assemble(own, size, &file, &missing);
    int error = sca_profile_file_end(&file, result == SCA_ASSEMBLED);
    if (result == SCA_ASSEMBLE_SILENCE)
        explain(outcome, SCA_NO_ANSWER, missing);
    else if (result == SCA_ASSEMBLE_MEMORY)
        snprintf(outcome->why, sizeof outcome->why, "no memory to pack it");
    else if (error)
        snprintf(outcome->why, sizeof outcome->why, "cannot write it: %s", strerror(error));
    outcome->written = !outcome->why[0];
    outcome->bytes = file.bytes;
}

static enum sca_gather_result send_image(const struct sca_store_image *own, uint32_t *missing)
{
    *missing = sca_assemble_send(own);
    return *missing == SCA_NONE ? SCA_GATHERED : SCA_NO_ANSWER;
}

void sca_finish(struct sca_meeting *meeting, uint32_t rank, uint32_t size,
                struct sca_outcome *outcome)
{
    struct sca_chosen windows;
    sca_condense();
    struct sca_store_image own = image_room();
    bool open = is_open_to_peers() || !was_open_to_peers;
    bool able = sca_stream_begin(rank, size) && own.length && open;
    uint64_t cost_ns = sca_cost_so_far();
    struct sca_arrival all = {.missing = SCA_NONE,
                              .unable = able ? SCA_NONE : rank,
                              .cost_ns = cost_ns + sca_arena_header()->tool_ns,
                              .once_ns = cost_ns,
                              .calls_ns = sca_activity_cost_ns(),
                              .calls = sca_arena_header()->mpi_calls,
                              .cpu_ns = sca_clock_process()};
    sca_window_choice_find(&all.windows);
    enum sca_gather_result result = sca_gather_arrive(rank, size, &all, &windows);
    *outcome = (struct sca_outcome){.tool_ns = all.cost_ns,
                                    .cpu_ns = all.cpu_ns,
                                    .once_ns = all.once_ns,
                                    .calls_ns = all.calls_ns,
                                    .calls = all.calls};
    if (result == SCA_GATHERED) {
        sca_window_choice_apply(&windows);
        fill_image(&own);
        sca_meet_again(rank, meeting);
        if (rank)
            result = send_image(&own, &all.missing);
        else
            write_profile(meeting, &own, size, outcome);
        outcome->written = sca_gather_verdict(outcome->written, result == SCA_GATHERED);
    }
    explain(outcome, result, all.missing);
    uint64_t end_ns = sca_cost_so_far() - cost_ns; /* rank 0's own */
    outcome->tool_ns += end_ns;
    outcome->once_ns += end_ns;
}
