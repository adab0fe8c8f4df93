/* OpenMetrics 1.0 (RFC draft-richih-opsawg-openmetrics-00): a gauge or counter a line. */
#include "look/look.h"
#include "show/json.h"
#include "tell/tell.h"

#include <stdio.h>
#include <string.h>

/* A label's value: backslash, quote and newline are escaped. */
static void print_label(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\' || *text == '"')
            putchar('\\');
        if (*text == '\n')
            fputs("\\n", stdout);
        else
            putchar(*text);
    }
}

static void describe(const char *name, const char *type, const char *unit, const char *help)
{
    printf("# TYPE scalana_%s %s\n", name, type);
    if (*unit)
        printf("# UNIT scalana_%s %s\n", name, unit);
    printf("# HELP scalana_%s %s\n", name, help);
}

static void print_program(const struct sca_look *look)
{
    const char *program = scalana_run_metadata(look->runs, 0, "program");
    fputs("program=\"", stdout);
    print_label(program ? program : "");
    putchar('"');
}

static void sample(const struct sca_look *look, const char *name, const char *more, double value)
{
    printf("scalana_%s{", name);
    print_program(look);
    printf("%s} %.9g\n", more, value);
}

static void gauge(const struct sca_look *look, const char *name, const char *unit, const char *help,
                  double value)
{
    describe(name, "gauge", unit, help);
    sample(look, name, "", value);
}

static void print_states(const struct sca_look *look, const struct sca_hangs *hangs)
{
    static const char *const states[] = {"computing", "late",  "waiting", "in MPI",
                                         "finished",  "ended", "unknown"};
    describe("ranks", "gauge", "", "Ranks in each state at this moment.");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        char more[64];
        unsigned n = 0;
        for (uint32_t r = 0; r < look->nranks; r++)
            n += !strcmp(sca_tell_state(look, hangs, r), states[i]);
        snprintf(more, sizeof more, ",state=\"%s\"", states[i]);
        sample(look, "ranks", more, n);
    }
}

static double longest_wait(const struct sca_look *look, const struct sca_hangs *hangs)
{
    double longest = 0;
    for (uint32_t r = 0; r < look->nranks; r++)
        if (hangs->clauses.standing[r] == SCA_WAITS && look->ranks[r].since_s > longest)
            longest = look->ranks[r].since_s;
    return longest;
}

static void print_cause(const struct sca_look *look)
{
    struct scalana_summary summary;
    struct scalana_cause cause;
    struct scalana_vertex at;
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary))
        return;
    describe("cause_gain_ratio", "gauge", "ratio",
             "Part of all core-seconds so far that mending the cause would have saved.");
    for (uint32_t i = 0; i < summary.ncauses; i++) {
        if (scalana_report_causes(look->report, i, 1, &cause, sizeof cause) ||
            scalana_report_vertices(look->report, cause.vertex, 1, &at, sizeof at))
            continue;
        fputs("scalana_cause_gain_ratio{", stdout);
        print_program(look);
        fputs(",file=\"", stdout);
        print_label(at.file);
        printf("\",line=\"%u\",category=\"%s\"} %.9g\n", at.line, cause.category, cause.gain_share);
    }
}

int sca_openmetrics_print(const struct sca_look *look, const struct sca_hangs *hangs)
{
    bool goes_on = sca_look_goes_on(look);
    gauge(look, "running", "", "1 while the job runs.", goes_on);
    gauge(look, "run_seconds", "seconds", "Since MPI_Init.", look->duration_s);
    print_states(look, hangs);
    gauge(look, "parallel_efficiency_ratio", "ratio",
          "Computation, of ranks times time, so far: load balance times communication.",
          look->efficiency.parallel);
    gauge(look, "load_balance_ratio", "ratio", "Mean computation of a rank over the most.",
          look->efficiency.load_balance);
    gauge(look, "communication_efficiency_ratio", "ratio", "Most computation of a rank over time.",
          look->efficiency.communication);
    gauge(look, "longest_wait_seconds", "seconds", "Of a rank that waits now.",
          longest_wait(look, hangs));
    gauge(look, "stuck_ranks", "", "Ranks that can never go on.",
          hangs->mismatches.n && !hangs->nstuck ? 1 : hangs->nstuck);
    if (look->loop != SCALANA_NONE) {
        describe("iterations", "counter", "", "Of the main loop.");
        sample(look, "iterations_total", "", look->iterations);
    }
    print_cause(look);
    puts("# EOF");
    return fflush(stdout) ? SCALANA_EIO : SCALANA_OK;
}
