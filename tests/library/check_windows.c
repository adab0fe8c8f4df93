/*
 * The windows of recorded runs and the calls in them: that they are what libscalana promises.
 *
 * check_windows RUN...   C11 and C++17; prints how many windows and calls there were
 */
#include "check.h"

#include <math.h>

/* The calls of a window: what they compute before adds up, and their contexts are MPI calls. */
static void check_events(const scalana_runs *runs, uint32_t run, uint32_t location, uint32_t number,
                         const struct scalana_window *window)
{
    struct scalana_window_event event;
    struct scalana_context context;
    double own_s = 0;
    for (uint32_t e = 0; e < window->nevents; e++) {
        CHECK(!scalana_window_events(runs, run, location, number, e, 1, &event, sizeof event));
        if (event.context != NO) {
            CHECK(!scalana_graph_contexts(runs, event.context, 1, &context, sizeof context));
            CHECK(context.kind == SCALANA_MPI);
        }
        CHECK(event.own_s >= 0 && isnan(event.enter_s) && isnan(event.exit_s));
        own_s += event.own_s;
    }
    CHECK(fabs(own_s - window->computation_s) <= 1e-9 * (1 + own_s));
    FAILS(scalana_window_events(runs, run, location, number, window->nevents, 1, &event,
                                sizeof event),
          SCALANA_EINVAL, "events");
}

static void check_window(const struct scalana_window *window, const struct scalana_window *first,
                         const struct scalana_window *before)
{
    CHECK(window->epoch == first->epoch && window->iterations == first->iterations);
    CHECK(!before || window->epoch > before->epoch);
    CHECK(window->begin_s <= window->end_s && window->stands_for >= 1 && window->iterations);
    CHECK(window->computation_s <= 1.001 * (window->end_s - window->begin_s) + 1e-6);
}

/* Windows rise with time, and are of the same iterations on all locations. */
static uint32_t check_location(const scalana_runs *runs, uint32_t run, uint32_t location,
                               uint32_t *calls)
{
    struct scalana_location at;
    struct scalana_window window, first, before;
    CHECK(!scalana_run_locations(runs, run, location, 1, &at, sizeof at));
    for (uint32_t w = 0; w < at.nwindows; w++) {
        CHECK(!scalana_run_windows(runs, run, location, w, 1, &window, sizeof window));
        CHECK(!scalana_run_windows(runs, run, 0, w, 1, &first, sizeof first));
        check_window(&window, &first, w ? &before : NULL);
        check_events(runs, run, location, w, &window);
        *calls += window.nevents;
        before = window;
    }
    FAILS(scalana_run_windows(runs, run, location, at.nwindows, 1, &window, sizeof window),
          SCALANA_EINVAL, "windows");
    return at.nwindows;
}

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    scalana_runs *runs = load(argv + 1, argc - 1);
    struct scalana_run about;
    struct scalana_window window;
    uint32_t windows = 0, calls = 0;
    for (uint32_t run = 0; run < scalana_runs_count(runs); run++) {
        CHECK(!scalana_runs_get(runs, run, 1, &about, sizeof about));
        for (uint32_t l = 0; l < about.nlocations; l++)
            windows += check_location(runs, run, l, &calls);
        FAILS(scalana_run_windows(runs, run, about.nlocations, 0, 0, &window, sizeof window),
              SCALANA_EINVAL, "location");
    }
    FAILS(scalana_run_windows(NULL, 0, 0, 0, 1, &window, sizeof window), SCALANA_EINVAL, "NULL");
    printf("%u %u\n", windows, calls);
    scalana_runs_free(runs);
    return 0;
}
