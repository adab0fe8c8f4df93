#include "metrics/metric_catalogue.h"
#include "metrics/replayed.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define ROW(id, name, unit, title, parent, meaning)                                                \
    {SCALANA_METRIC_##id, name, unit, meaning, title, "", parent, SCALANA_NONE, SCALANA_NONE, 1}
#define NO_PARENT SCALANA_NONE
#define WAITING   SCALANA_METRIC_WAITING
#define DELAY     SCALANA_METRIC_DELAY_COST

static const struct scalana_metric fixed[] = {
    ROW(COMPUTATION, "computation", "s", "Computation", NO_PARENT, "own time outside MPI"),
    ROW(MPI_TIME, "mpi_time", "s", "Time in MPI", NO_PARENT, "inside MPI calls, by the wall clock"),
    ROW(SAMPLES, "samples", "samples", "Samples", NO_PARENT, "samples taken"),
    ROW(MPI_CALLS, "mpi_calls", "calls", "MPI calls", NO_PARENT, "executions of MPI calls"),
    ROW(MPI_BYTES, "mpi_bytes", "bytes", "Bytes of MPI calls", NO_PARENT,
        "sent or received by MPI calls, collectives included"),
    ROW(BYTES_SENT, "bytes_sent", "bytes", "Bytes sent", NO_PARENT,
        "sent in messages between two ranks"),
    ROW(BYTES_RECEIVED, "bytes_received", "bytes", "Bytes received", NO_PARENT,
        "received in messages between two ranks, at the call that completes it"),
    ROW(MESSAGES_SENT, "messages_sent", "messages", "Messages sent", NO_PARENT,
        "messages sent to another rank"),
    ROW(MESSAGES_RECEIVED, "messages_received", "messages", "Messages received", NO_PARENT,
        "messages received from another rank, at the call that completes it"),
    ROW(SAMPLED_TIME, "sampled_time", "s", "CPU time sampled", NO_PARENT,
        "CPU time that the samples stand for, in MPI too"),
    ROW(WAITING, "waiting", "s", "Waiting", NO_PARENT,
        "replayed: waiting in MPI calls for other ranks"),
    ROW(LATE_SENDER, "late_sender", "s", "Late sender", WAITING,
        "replayed: a receive waits for its message to be sent"),
    ROW(WRONG_ORDER, "wrong_order", "s", "Messages in wrong order", WAITING,
        "replayed: the same, while an earlier message is received later"),
    ROW(LATE_RECEIVER, "late_receiver", "s", "Late receiver", WAITING,
        "replayed: a synchronous send waits for its receive"),
    ROW(LATE_BROADCAST, "late_broadcast", "s", "Late broadcast", WAITING,
        "replayed: in one-to-all calls, for the root"),
    ROW(EARLY_REDUCE, "early_reduce", "s", "Early reduce", WAITING,
        "replayed: the root of all-to-one calls, for the others"),
    ROW(WAIT_AT_NXN, "wait_at_nxn", "s", "Wait at N x N", WAITING,
        "replayed: in all-to-all calls, for the last rank"),
    ROW(WAIT_AT_BARRIER, "wait_at_barrier", "s", "Wait at barrier", WAITING,
        "replayed: at barriers and at the run's end, for the last rank"),
    ROW(WAIT_AT_SCAN, "wait_at_scan", "s", "Wait at scan", WAITING,
        "replayed: in prefix reductions, for the ranks before"),
    ROW(OTHER_WORLD, "other_world", "s", "Another world", WAITING,
        "waiting for ranks of another MPI_COMM_WORLD, measured"),
    ROW(LATE_POST, "late_post", "s", "Late post", WAITING,
        "replayed: origins of one-sided transfers, for a target's MPI_Win_post"),
    ROW(LATE_COMPLETE, "late_complete", "s", "Late complete", WAITING,
        "replayed: targets, for an origin's MPI_Win_complete"),
    ROW(LOCK_CONTENTION, "lock_contention", "s", "Lock contention", WAITING,
        "replayed: for the rank that has a window's lock"),
    ROW(COMPLETION, "completion", "s", "Completion of collectives", SCALANA_METRIC_MPI_TIME,
        "in collective calls beyond waiting, signed"),
    ROW(TRANSFER, "transfer", "s", "Transfer", SCALANA_METRIC_MPI_TIME,
        "in other MPI calls beyond waiting, signed"),
    ROW(DELAY_COST, "delay_cost", "s", "Delay cost", NO_PARENT,
        "replayed: waits of other ranks caused by this computation"),
    ROW(DELAY_DIRECT, "delay_direct", "s", "Direct delay cost", DELAY,
        "replayed: of these, waits for this rank itself"),
    ROW(DELAY_INDIRECT, "delay_indirect", "s", "Indirect delay cost", DELAY,
        "replayed: of these, waits for ranks that had waited for this one"),
    ROW(CRITICAL_PATH, "critical_path", "s", "Time on the critical path", NO_PARENT,
        "replayed: what determines the run's duration"),
    ROW(CRITICAL_IMBALANCE, "critical_imbalance", "s", "Critical-path imbalance",
        SCALANA_METRIC_CRITICAL_PATH,
        "replayed: on the critical path beyond the ranks' mean, lost against a balanced run"),
};

static_assert((int)SCALANA_METRIC_LATE_SENDER + (int)SCA_WAIT_LATE_SENDER ==
                      (int)SCALANA_METRIC_LATE_SENDER &&
                  (int)SCALANA_METRIC_LATE_SENDER + (int)SCA_WAIT_AT_SCAN ==
                      (int)SCALANA_METRIC_WAIT_AT_SCAN &&
                  (int)SCALANA_METRIC_OTHER_WORLD + (int)SCA_WAIT_LOCK_CONTENTION ==
                      (int)SCALANA_METRIC_LOCK_CONTENTION + (int)SCA_WAIT_OTHER_WORLD,
              "the classes of waits are metrics in their order");

/* Text of the catalogue's own; cut off where there is no room for it. */
static const char *keep(struct sca_metric_catalogue *c, const char *text)
{
    char *to = c->texts + c->used;
    int length = snprintf(to, sizeof c->texts - c->used, "%s", text);
    size_t left = sizeof c->texts - c->used;
    c->used += (size_t)length < left ? (size_t)length + 1 : left - 1;
    return to;
}

static void add(struct sca_metric_catalogue *c, struct scalana_metric row)
{
    if (c->n < SCA_MOST_METRICS)
        c->rows[c->n++] = row;
}

/* ---- fixed ---- */

static bool is_replayed(uint32_t id)
{
    return (id >= SCALANA_METRIC_WAITING && id <= SCALANA_METRIC_CRITICAL_IMBALANCE) ||
           (id >= SCALANA_METRIC_OTHER_WORLD && id <= SCALANA_METRIC_LOCK_CONTENTION);
}

static bool is_of_messages(uint32_t id)
{
    return id >= SCALANA_METRIC_LATE_SENDER && id <= SCALANA_METRIC_LATE_RECEIVER;
}

static const char *why_absent(uint32_t id, const struct sca_replayed *replayed, const char *why_not)
{
    if (!is_replayed(id))
        return "";
    if (!replayed)
        return why_not;
    if (replayed->without_messages && is_of_messages(id))
        return "the recorded messages are inconsistent: waits for them are unknown";
    if (replayed->shared && (id == SCALANA_METRIC_COMPLETION || id == SCALANA_METRIC_TRANSFER))
        return "ranks shared cores: time in calls beyond waiting is mostly scheduling";
    return "";
}

/* ---- hardware counters ---- */

static bool is_instructions(const char *name)
{
    return !strcmp(name, SCA_COUNTER_INSTRUCTIONS);
}

static bool is_cycles(const char *name)
{
    return !strcmp(name, SCA_COUNTER_CYCLES);
}

static bool is_flops(const char *name)
{
    return !strcmp(name, "PAPI_FP_OPS") || !strcmp(name, "PAPI_SP_OPS") ||
           !strcmp(name, "PAPI_DP_OPS");
}

static void add_counter(struct sca_metric_catalogue *c, uint32_t id, const char *name,
                        const char *absent)
{
    add(c, (struct scalana_metric){id, name, "events",
                                   "hardware counter: exact per rank, by samples per place", name,
                                   absent, SCALANA_NONE, SCALANA_NONE, SCALANA_NONE, 1});
}

/* Those that were asked for and not counted, in the profile's list with commas. */
static uint32_t add_absent(struct sca_metric_catalogue *c, const struct sca_profile *p, uint32_t id)
{
    const char *absent = sca_profile_meta(p, "metrics.absent", "");
    snprintf(c->not_counted, sizeof c->not_counted, "not counted: samples came from %.400s",
             sca_profile_meta(p, "sampling", "nothing"));
    for (size_t length; *absent; absent += length + (absent[length] == ',')) {
        char name[128];
        length = strcspn(absent, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < 127 ? length : 127), absent);
        add_counter(c, id++, keep(c, name), c->not_counted);
    }
    return id;
}

/* ---- ratios ---- */

static const char *joined(struct sca_metric_catalogue *c, const char *a, const char *b)
{
    char text[192];
    snprintf(text, sizeof text, "%.127s%s", a, b);
    return keep(c, text);
}

static void add_ratio(struct sca_metric_catalogue *c, struct scalana_metric row)
{
    const char *of = sca_metric_catalogue_get(c, row.of)->absent;
    const char *per = sca_metric_catalogue_get(c, row.per)->absent;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        n += sca_metric_is_ratio(&c->rows[i]);
    row.id = SCALANA_METRIC_RATIO + n;
    row.absent = *of ? of : per;
    row.parent = SCALANA_NONE;
    add(c, row);
}

static void add_per_second(struct sca_metric_catalogue *c, uint32_t counter, const char *name)
{
    bool flops = is_flops(name);
    add_ratio(c, (struct scalana_metric){
                     .name = joined(c, name, "_per_s"),
                     .unit = flops ? "flops/s" : "events/s",
                     .meaning = flops ? "floating-point operations per second of CPU time"
                                      : "events per second of CPU time",
                     .title = joined(c, name, " per second"),
                     .of = counter,
                     .per = SCALANA_METRIC_SAMPLED_TIME,
                     .scale = 1});
}

static void add_per_instruction(struct sca_metric_catalogue *c, uint32_t counter, const char *name,
                                uint32_t instructions)
{
    add_ratio(c, (struct scalana_metric){.name = joined(c, name, "_per_ki"),
                                         .unit = "events/1000",
                                         .meaning = "events per thousand instructions",
                                         .title = joined(c, name, " per thousand instructions"),
                                         .of = counter,
                                         .per = instructions,
                                         .scale = 1000});
}

static void add_ipc(struct sca_metric_catalogue *c, uint32_t instructions, uint32_t cycles)
{
    add_ratio(c, (struct scalana_metric){.name = "ipc",
                                         .unit = "1/cycle",
                                         .meaning = "instructions per cycle",
                                         .title = "Instructions per cycle",
                                         .of = instructions,
                                         .per = cycles,
                                         .scale = 1});
}

static void add_ratios(struct sca_metric_catalogue *c, uint32_t end)
{
    const struct scalana_metric *ins = sca_metric_catalogue_find(c, SCA_COUNTER_INSTRUCTIONS);
    const struct scalana_metric *cyc = sca_metric_catalogue_find(c, SCA_COUNTER_CYCLES);
    if (ins && cyc)
        add_ipc(c, ins->id, cyc->id);
    for (uint32_t id = SCALANA_METRIC_COUNTER; id < end; id++) {
        const struct scalana_metric *counter = sca_metric_catalogue_get(c, id);
        if (!counter)
            continue;
        add_per_second(c, id, counter->name);
        if (ins && !is_instructions(counter->name) && !is_cycles(counter->name) &&
            !is_flops(counter->name))
            add_per_instruction(c, id, counter->name, ins->id);
    }
}

/* ---- all of them ---- */

void sca_metric_catalogue_make(const struct sca_profile *profile,
                               const struct sca_replayed *replayed, const char *why_not,
                               struct sca_metric_catalogue *out)
{
    uint32_t id = SCALANA_METRIC_COUNTER;
    *out = (struct sca_metric_catalogue){0};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        add(out, fixed[i]);
        out->rows[out->n - 1].absent = why_absent(fixed[i].id, replayed, why_not);
    }
    for (uint32_t i = 0; i < profile->nmetrics; i++)
        add_counter(out, id++, profile->metrics[i], "");
    add_ratios(out, add_absent(out, profile, id));
}

const struct scalana_metric *sca_metric_catalogue_get(const struct sca_metric_catalogue *catalogue,
                                                      uint32_t id)
{
    for (uint32_t i = 0; i < catalogue->n; i++)
        if (catalogue->rows[i].id == id)
            return &catalogue->rows[i];
    return NULL;
}

const struct scalana_metric *sca_metric_catalogue_find(const struct sca_metric_catalogue *catalogue,
                                                       const char *name)
{
    for (uint32_t i = 0; i < catalogue->n; i++)
        if (!strcmp(catalogue->rows[i].name, name))
            return &catalogue->rows[i];
    return NULL;
}

const char *sca_metric_catalogue_names(const struct sca_metric_catalogue *catalogue, char *buffer,
                                       size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; i < catalogue->n && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "",
                                 catalogue->rows[i].name);
    return buffer;
}
