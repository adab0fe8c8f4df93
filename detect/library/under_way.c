/* What has been sent and not received, and which collectives a rank has come to. */
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "scalana/live.h"

#include <stdlib.h>

typedef int64_t sum_up(const struct sca_rank *rank, uint32_t group, uint32_t other);

static int64_t sent(const struct sca_rank *rank, uint32_t group, uint32_t to)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].comm == group && rank->peers[i].peer == (int32_t)to &&
            rank->peers[i].direction == SCA_SENT)
            n += (int64_t)rank->peers[i].count;
    return n;
}

static int64_t received(const struct sca_rank *rank, uint32_t group, uint32_t from)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].comm == group && rank->peers[i].peer == (int32_t)from &&
            rank->peers[i].direction == SCA_RECEIVED)
            n += (int64_t)rank->peers[i].count;
    return n;
}

static int64_t completed(const struct sca_rank *rank, uint32_t group, uint32_t unused)
{
    int64_t n = 0;
    (void)unused;
    for (uint32_t i = 0; i < rank->ncollectives; i++)
        if (rank->collectives[i].comm == group)
            n += (int64_t)rank->collectives[i].count;
    return n;
}

static int open_and_sum(const struct sca_ppg_run *run, uint32_t rank, unsigned tables,
                        sum_up *function, uint32_t group, uint32_t other, int64_t *n)
{
    void *memory = calloc(1, sca_rank_open_size(run->profile));
    if (!memory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    struct sca_opened *opened = sca_rank_open_init(memory, run->profile);
    const struct sca_rank *at = sca_rank_open(opened, rank, tables);
    *n = at->present ? function(at, group, other) : 0;
    free(memory);
    return SCA_OK;
}

static int check(const struct sca_ppg_run *run, uint32_t group, uint32_t location, const void *n)
{
    int status = sca_arguments_index(group, run->profile->ncomms, "group");
    if (status == SCA_OK)
        status = sca_arguments_index(location, run->nranks, "location");
    return status == SCA_OK ? sca_arguments_there(n, "n") : status;
}

int scalana_messages_under_way(const scalana_runs *runs, uint32_t run, uint32_t group,
                               uint32_t from, uint32_t to, int64_t *n)
{
    const struct sca_ppg_run *of;
    int64_t taken = 0;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(of, group, from, n);
    if (status == SCA_OK)
        status = check(of, group, to, n);
    if (status == SCA_OK)
        status = open_and_sum(of, from, SCA_OPEN_PEERS, sent, group, to, n);
    if (status == SCA_OK)
        status = open_and_sum(of, to, SCA_OPEN_PEERS, received, group, from, &taken);
    if (status == SCA_OK)
        *n -= taken;
    return status;
}

/* ---- one of them ---- */

static bool is_received(const struct sca_rank *receiver, const struct sca_part_message *sent)
{
    for (uint32_t i = 0; i < receiver->nmessages; i++)
        if (receiver->messages[i].direction == SCA_RECEIVED &&
            receiver->messages[i].hash == sent->hash)
            return true;
    return false;
}

/* Both sides keep the same messages: one that the receiver has not is under way. */
static void name_one(const struct sca_ppg_run *run, const struct sca_rank *sender,
                     const struct sca_rank *receiver, uint32_t group, uint32_t to,
                     struct scalana_under_way *out)
{
    for (uint32_t i = 0; i < sender->nmessages; i++) {
        const struct sca_part_message *m = &sender->messages[i];
        if (m->direction != SCA_SENT || m->comm != group || m->peer != (int32_t)to ||
            m->site == SCA_NONE || is_received(receiver, m))
            continue;
        out->context = run->site_vertex[m->site];
        out->tag = m->tag;
        return;
    }
}

static int64_t bytes_of(const struct sca_rank *rank, uint32_t group, uint32_t other,
                        enum sca_direction direction)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].comm == group && rank->peers[i].peer == (int32_t)other &&
            rank->peers[i].direction == (uint32_t)direction)
            n += (int64_t)rank->peers[i].bytes;
    return n;
}

/* Each rank with memory of its own: both are looked at together. */
static int describe(const struct sca_ppg_run *run, uint32_t group, uint32_t from, uint32_t to,
                    struct scalana_under_way *out)
{
    size_t size = sca_rank_open_size(run->profile);
    void *memory[2] = {calloc(1, size), calloc(1, size)};
    if (memory[0] && memory[1]) {
        const unsigned tables = SCA_OPEN_PEERS | SCA_OPEN_MESSAGES;
        const struct sca_rank *sender =
            sca_rank_open(sca_rank_open_init(memory[0], run->profile), from, tables);
        const struct sca_rank *receiver =
            sca_rank_open(sca_rank_open_init(memory[1], run->profile), to, tables);
        out->messages = sent(sender, group, to) - received(receiver, group, from);
        out->bytes =
            bytes_of(sender, group, to, SCA_SENT) - bytes_of(receiver, group, from, SCA_RECEIVED);
        if (out->messages > 0)
            name_one(run, sender, receiver, group, to, out);
    }
    int status = memory[0] && memory[1] ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    free(memory[0]);
    free(memory[1]);
    return status;
}

int scalana_under_way_get(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t from,
                          uint32_t to, struct scalana_under_way *out, size_t size)
{
    const struct sca_ppg_run *of;
    struct scalana_under_way row = {.context = SCALANA_NONE, .tag = SCALANA_ANY_TAG};
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(of, group, from, out);
    if (status == SCA_OK)
        status = check(of, group, to, out);
    if (status == SCA_OK)
        status = describe(of, group, from, to, &row);
    return status == SCA_OK ? sca_rows_copy_one(&row, sizeof row, out, size) : status;
}

int scalana_collectives_done(const scalana_runs *runs, uint32_t run, uint32_t group,
                             uint32_t location, uint64_t *n)
{
    const struct sca_ppg_run *of;
    int64_t done = 0;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(of, group, location, n);
    if (status == SCA_OK)
        status = open_and_sum(of, location, SCA_OPEN_COLLECTIVES, completed, group, 0, &done);
    if (status == SCA_OK)
        *n = (uint64_t)done;
    return status;
}
