/* The windows of a location, and the calls in them. */
#include "scalana/windows.h"
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

struct opened_rank {
    const struct sca_ppg_run *run;
    const struct sca_rank *rank;
    const struct sca_window *window; /* of events */
    void *memory;
};

static int open_rank(const scalana_runs *runs, uint32_t run, uint32_t location,
                     struct opened_rank *out)
{
    int status = sca_run_metrics_take_run(runs, run, &out->run);
    if (status == SCA_OK)
        status = sca_arguments_index(location, out->run->nranks, "location");
    if (status != SCA_OK)
        return status;
    const struct sca_profile *profile = out->run->profile;
    out->memory = calloc(1, sca_rank_open_size(profile));
    if (!out->memory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    out->rank = sca_rank_open(sca_rank_open_init(out->memory, profile), location, SCA_OPEN_WINDOWS);
    return SCA_OK;
}

static double on_time_line(const struct sca_rank *rank, uint64_t ns)
{
    return 1e-9 * (rank->clock_known ? sca_rank_time(rank, ns) : (double)ns);
}

static void fill_window(const void *source, uint32_t i, void *row)
{
    const struct sca_rank *rank = ((const struct opened_rank *)source)->rank;
    const struct sca_window *w = &rank->windows[i];
    uint64_t own_ns = 0;
    for (uint32_t e = 0; e < w->nevents; e++)
        own_ns += w->events[e].gap_ns;
    *(struct scalana_window *)row =
        (struct scalana_window){.epoch = w->epoch,
                                .collectives = w->epoch >> 32,
                                .loop = (uint32_t)(w->epoch >> 29) & 7,
                                .iteration = (uint32_t)w->epoch & ((1U << 29) - 1),
                                .iterations = w->epochs,
                                .nevents = w->nevents,
                                .begin_s = on_time_line(rank, w->begin_ns),
                                .end_s = on_time_line(rank, w->end_ns),
                                .computation_s = 1e-9 * (double)own_ns,
                                .length_class = w->duration_class,
                                .stands_for = w->class_total};
}

int scalana_run_windows(const scalana_runs *runs, uint32_t run, uint32_t location, uint32_t first,
                        uint32_t count, struct scalana_window *out, size_t size)
{
    struct opened_rank at;
    int status = open_rank(runs, run, location, &at);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"windows", at.rank->nwindows, sizeof *out, fill_window, &at};
    status = sca_rows_copy(&rows, first, count, out, size);
    free(at.memory);
    return status;
}

static uint64_t bytes_of(const struct sca_window *window, const struct sca_event *event)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < event->nops; i++) {
        const struct sca_op *op = &window->ops[event->first_op + i];
        if (op->kind != SCA_OP_RECV_POST && op->kind != SCA_OP_SEND_DONE &&
            op->kind != SCA_OP_COLLECTIVE_DONE)
            bytes += op->bytes;
    }
    return bytes;
}

static void fill_event(const void *source, uint32_t i, void *row)
{
    const struct opened_rank *at = source;
    const struct sca_event *event = &at->window->events[i];
    const struct sca_event_time *time = at->window->times ? &at->window->times[i] : NULL;
    uint32_t context = at->run->site_vertex[event->site];
    *(struct scalana_window_event *)row = (struct scalana_window_event){
        .context = context == SCA_NONE ? SCALANA_NONE : context,
        .own_s = 1e-9 * (double)event->gap_ns,
        .enter_s = time ? on_time_line(at->rank, time->enter_ns) : NAN,
        .exit_s = time ? on_time_line(at->rank, time->exit_ns) : NAN,
        .bytes = bytes_of(at->window, event)};
}

int scalana_window_events(const scalana_runs *runs, uint32_t run, uint32_t location,
                          uint32_t window, uint32_t first, uint32_t count,
                          struct scalana_window_event *out, size_t size)
{
    struct opened_rank at;
    int status = open_rank(runs, run, location, &at);
    if (status != SCA_OK)
        return status;
    status = sca_arguments_index(window, at.rank->nwindows, "window");
    if (status == SCA_OK) {
        at.window = &at.rank->windows[window];
        struct sca_listing rows = {"events", at.window->nevents, sizeof *out, fill_event, &at};
        status = sca_rows_copy(&rows, first, count, out, size);
    }
    free(at.memory);
    return status;
}
