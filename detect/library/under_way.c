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
static bool is_kept(const struct sca_part_message *m, const struct sca_rank *receiver,
                    uint32_t group, uint32_t to)
{
    return m->direction == SCA_SENT && m->comm == group && m->peer == (int32_t)to &&
           m->site != SCA_NONE && !is_received(receiver, m);
}

static void name_one(const struct sca_ppg_run *run, const struct sca_rank *sender,
                     const struct sca_rank *receiver, uint32_t group, uint32_t to,
                     struct scalana_under_way *out)
{
    for (uint32_t i = 0; i < sender->nmessages; i++) {
        const struct sca_part_message *m = &sender->messages[i];
        if (!is_kept(m, receiver, group, to))
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

/* Two ranks that are looked at together, each with memory of its own. */
struct both_ends {
    void *memory[2];
    const struct sca_rank *sender, *receiver;
};

static int open_pair(const struct sca_ppg_run *run, uint32_t from, uint32_t to,
                     struct both_ends *out)
{
    const unsigned tables = SCA_OPEN_PEERS | SCA_OPEN_MESSAGES;
    size_t size = sca_rank_open_size(run->profile);
    *out = (struct both_ends){.memory = {calloc(1, size), calloc(1, size)}};
    if (!out->memory[0] || !out->memory[1])
        return sca_fail(SCA_ENOMEM, "out of memory");
    out->sender = sca_rank_open(sca_rank_open_init(out->memory[0], run->profile), from, tables);
    out->receiver = sca_rank_open(sca_rank_open_init(out->memory[1], run->profile), to, tables);
    return SCA_OK;
}

static void close_pair(struct both_ends *ends)
{
    free(ends->memory[0]);
    free(ends->memory[1]);
}

static int describe(const struct sca_ppg_run *run, uint32_t group, uint32_t from, uint32_t to,
                    struct scalana_under_way *out)
{
    struct both_ends p;
    int status = open_pair(run, from, to, &p);
    if (status == SCA_OK) {
        out->messages = sent(p.sender, group, to) - received(p.receiver, group, from);
        out->bytes = bytes_of(p.sender, group, to, SCA_SENT) -
                     bytes_of(p.receiver, group, from, SCA_RECEIVED);
        if (out->messages > 0)
            name_one(run, p.sender, p.receiver, group, to, out);
    }
    close_pair(&p);
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

struct kept_rows {
    const struct sca_ppg_run *run;
    const uint32_t *message; /* of the sender */
    const struct sca_rank *sender;
};

static void fill_kept(const void *source, uint32_t i, void *row)
{
    const struct kept_rows *kept = source;
    const struct sca_part_message *m = &kept->sender->messages[kept->message[i]];
    *(struct scalana_kept_message *)row =
        (struct scalana_kept_message){kept->run->site_vertex[m->site], m->tag};
}

static int copy_kept(const struct sca_ppg_run *run, const struct both_ends *p, uint32_t group,
                     uint32_t to, uint32_t count, struct scalana_kept_message *out, size_t size,
                     uint32_t *n)
{
    uint32_t *message = calloc(p->sender->nmessages + 1ul, sizeof *message);
    if (!message)
        return sca_fail(SCA_ENOMEM, "out of memory");
    *n = 0;
    for (uint32_t i = 0; i < p->sender->nmessages && *n < count; i++)
        if (is_kept(&p->sender->messages[i], p->receiver, group, to))
            message[(*n)++] = i;
    struct kept_rows kept = {run, message, p->sender};
    struct sca_listing rows = {"messages", *n, sizeof *out, fill_kept, &kept};
    int status = sca_rows_copy(&rows, 0, *n, out, size);
    free(message);
    return status;
}

int scalana_under_way_kept(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t from,
                           uint32_t to, uint32_t count, struct scalana_kept_message *out,
                           size_t size, uint32_t *n)
{
    const struct sca_ppg_run *of;
    struct both_ends p;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(of, group, from, n);
    if (status == SCA_OK)
        status = check(of, group, to, out);
    if (status != SCA_OK)
        return status;
    status = open_pair(of, from, to, &p);
    if (status == SCA_OK)
        status = copy_kept(of, &p, group, to, count, out, size, n);
    close_pair(&p);
    return status;
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
