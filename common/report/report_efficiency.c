#include "sca_efficiency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 22, CELL = 8 };

#define ROW(name, depth, field) {name, depth, offsetof(struct sca_report_efficiency, field)}

#define FIRST                                                                                      \
    ROW("global", 0, global), ROW("parallel", 1, parallel), ROW("load balance", 2, load_balance)
#define OF_HOSTS                                                                                   \
    ROW("within nodes", 3, load_balance_within), ROW("between nodes", 3, load_balance_between)
#define REST                                                                                       \
    ROW("communication", 2, communication), ROW("serialisation", 3, serialisation),                \
        ROW("transfer", 3, transfer), ROW("computation", 1, computation)
#define OF_COUNTERS                                                                                \
    ROW("instructions", 2, instructions), ROW("IPC", 2, ipc), ROW("frequency", 2, frequency)
#define OF_THREADS                                                                                 \
    ROW("hybrid", 0, hybrid), ROW("MPI: parallel", 1, parallel), ROW("OpenMP", 1, openmp),         \
        ROW("serialisation", 2, openmp_serialisation),                                             \
        ROW("load balance", 2, openmp_load_balance), ROW("scheduling", 2, openmp_scheduling)

enum { THREADS = 6 };

/* [hosts][counters] */
static const struct table {
    uint32_t n;
    struct sca_efficiency_row rows[18];
} tables[2][2] = {{{13, {FIRST, REST, OF_THREADS}}, {16, {FIRST, REST, OF_COUNTERS, OF_THREADS}}},
                  {{15, {FIRST, OF_HOSTS, REST, OF_THREADS}},
                   {18, {FIRST, OF_HOSTS, REST, OF_COUNTERS, OF_THREADS}}}};

double sca_efficiency_value(const struct sca_report_efficiency *efficiency,
                            const struct sca_efficiency_row *row)
{
    return *(const double *)((const char *)efficiency + row->offset);
}

/* Whether some run has it. */
static bool is_measured(const struct sca_report *report, const struct sca_efficiency_row *row)
{
    for (uint32_t i = 0; i < report->nefficiency; i++)
        if (!isnan(sca_efficiency_value(&report->efficiency[i], row)))
            return true;
    return false;
}

static bool has_nodes(const struct sca_report *report)
{
    for (uint32_t i = 0; i < report->nefficiency; i++)
        if (report->efficiency[i].load_balance_between > 0)
            return true;
    return false;
}

const struct sca_efficiency_row *sca_efficiency_rows(const struct sca_report *report, uint32_t *n)
{
    static const struct sca_efficiency_row of_counters[] = {OF_COUNTERS};
    static const struct sca_efficiency_row of_threads[] = {OF_THREADS};
    bool counted = false;
    for (uint32_t i = 0; i < sizeof of_counters / sizeof *of_counters; i++)
        counted |= is_measured(report, &of_counters[i]);
    const struct table *table = &tables[has_nodes(report)][counted];
    *n = table->n - (is_measured(report, &of_threads[0]) ? 0 : THREADS);
    return table->rows;
}

/* ---- lines ---- */

static uint32_t count(const struct sca_report *report)
{
    return report->nefficiency < report->nruns ? report->nefficiency : report->nruns;
}

static uint32_t end_of(const struct sca_report *report, uint32_t first)
{
    uint32_t n = count(report);
    return n < first + SCA_EFFICIENCY_RUNS ? n : first + SCA_EFFICIENCY_RUNS;
}

static void begin(char *line, int depth, const char *name)
{
    snprintf(line, SCA_EFFICIENCY_LINE, "%*s%-*s", 2 * (depth + 1), "", NAME - 2 * (depth + 1),
             name);
}

static void add_cell(char *line, const char *text)
{
    size_t used = strlen(line);
    snprintf(line + used, SCA_EFFICIENCY_LINE - used, "%*s", CELL, text);
}

const char *sca_efficiency_line(char *buffer, const struct sca_report *report,
                                const struct sca_efficiency_row *row, uint32_t first)
{
    begin(buffer, row->depth, row->name);
    for (uint32_t i = first; i < end_of(report, first); i++) {
        double value = sca_efficiency_value(&report->efficiency[i], row);
        char cell[32] = "n/a";
        if (!isnan(value))
            snprintf(cell, sizeof cell, "%.2f", value);
        add_cell(buffer, cell);
    }
    return buffer;
}

const char *sca_efficiency_ranks(char *buffer, const struct sca_report *report, uint32_t first)
{
    begin(buffer, 0, "ranks");
    for (uint32_t i = first; i < end_of(report, first); i++) {
        char cell[32];
        snprintf(cell, sizeof cell, "%s%u", report->runs[i].complete ? "" : "*",
                 report->efficiency[i].ranks);
        add_cell(buffer, cell);
    }
    return buffer;
}

const char *sca_efficiency_threads(char *buffer, const struct sca_report *report, uint32_t first)
{
    if (!sca_report_by_threads(report))
        return NULL;
    begin(buffer, 0, "threads per rank");
    for (uint32_t i = first; i < end_of(report, first); i++) {
        char cell[32];
        snprintf(cell, sizeof cell, "%u", sca_report_places(report, i));
        add_cell(buffer, cell);
    }
    return buffer;
}

const char *sca_efficiency_wall(char *buffer, const struct sca_report *report, uint32_t first)
{
    begin(buffer, 0, "wall");
    for (uint32_t i = first; i < end_of(report, first); i++) {
        double wall = report->runs[i].wall_s;
        char cell[32];
        if (wall < 0.09995) /* one character more would touch the cell before */
            snprintf(cell, sizeof cell, "%.3g ms", 1e3 * wall);
        else
            snprintf(cell, sizeof cell, wall < 999.5 ? "%.3g s" : "%.0f s", wall);
        add_cell(buffer, cell);
    }
    return buffer;
}

/* ---- sentences ---- */

static const char *reference_of(const struct sca_report *report)
{
    if (sca_report_by_threads(report))
        return "Computation is relative to the run on the fewest threads.";
    if (sca_report_work_told(report))
        return "Computation is relative to the run on the fewest ranks, per work.";
    if (!strcmp(report->scaling_mode, "weak"))
        return "Computation is relative to the run on the fewest ranks, per rank.";
    return "Computation is relative to the run on the fewest ranks.";
}

uint32_t sca_efficiency_notes(const struct sca_report *report,
                              const char *notes[SCA_EFFICIENCY_NOTES])
{
    bool partial = false, shared = false, unmeasured = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count(report); i++) {
        partial |= !report->runs[i].complete;
        shared |= report->runs[i].oversubscribed;
        unmeasured |= isnan(report->efficiency[i].transfer);
    }
    notes[n++] = "Each row is the product of the rows indented below it.";
    if (report->nefficiency > 1)
        notes[n++] = reference_of(report);
    if (shared)
        notes[n++] = "Wall time is measured; the other rows assume one core per rank.";
    if (unmeasured)
        notes[n++] = "n/a: transfer cannot be measured on shared cores.";
    if (partial)
        notes[n++] = "* incomplete";
    return n;
}
