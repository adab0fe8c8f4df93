#include "team/team.h"
#include "team/mpi_library.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16, MOST_PROCESSES = 4096 }; /* BUFFER: values sent at a time */

struct hello { /* what each process says before an exchange */
    uint64_t number, size;
    int32_t status;
    char message[492];
};

struct sca_exchanger {
    struct sca_mpi_library mpi;
    uint64_t number; /* of exchanges begun */
    struct hello *all;
    double *sum, *part; /* [BUFFER] */
    uint32_t *index;
};

static void release(struct sca_exchanger *with)
{
    free(with->all);
    free(with->sum);
    free(with->part);
    free(with->index);
    free(with);
}

static struct sca_exchanger *take_memory(uint32_t size)
{
    struct sca_exchanger *with = calloc(1, sizeof *with);
    if (!with)
        return NULL;
    with->all = calloc(size, sizeof *with->all);
    with->sum = calloc(BUFFER, sizeof *with->sum);
    with->part = calloc(BUFFER, sizeof *with->part);
    with->index = calloc(BUFFER, sizeof *with->index);
    if (with->all && with->sum && with->part && with->index)
        return with;
    release(with);
    return NULL;
}

int sca_team_open(struct sca_launch at, struct sca_team *out)
{
    *out = (struct sca_team){.rank = at.rank, .size = 1};
    if (at.size < 2 || at.size > MOST_PROCESSES)
        return SCA_OK;
    out->with = take_memory(at.size);
    if (!out->with)
        return sca_fail(SCA_ENOMEM, "out of memory");
    if (sca_mpi_library_open(at.rank, at.size, &out->with->mpi)) {
        out->size = at.size;
        return SCA_OK;
    }
    release(out->with);
    out->with = NULL;
    return SCA_OK;
}

void sca_team_close(struct sca_team *team)
{
    if (!team->with)
        return;
    sca_mpi_library_close(&team->with->mpi);
    release(team->with);
    team->with = NULL;
}

static int fail(struct sca_team *team, uint32_t who)
{
    const struct hello *h = &team->with->all[who];
    team->failed = true;
    return who == team->rank ? h->status : sca_fail(h->status, "%s", h->message);
}

/* All come here, or learn that one does not. */
static int meet(struct sca_team *team, int status, uint64_t size)
{
    struct sca_exchanger *with = team->with;
    struct hello own = {.number = with->number++, .size = size, .status = status};
    if (status != SCA_OK)
        snprintf(own.message, sizeof own.message, "%s", sca_error_message());
    sca_mpi_library_allgather(&with->mpi, &own, sizeof own, with->all);
    if (status != SCA_OK) /* each says its own, if it is asked */
        return fail(team, team->rank);
    for (uint32_t i = 0; i < team->size; i++)
        if (with->all[i].status != SCA_OK)
            return fail(team, i);
    for (uint32_t i = 1; i < team->size; i++)
        if (with->all[i].number != with->all[0].number || with->all[i].size != with->all[0].size) {
            team->failed = true;
            return sca_fail(
                SCA_EMISMATCH,
                "process %u computed another result than process 0: do their processors differ?",
                i);
        }
    return SCA_OK;
}

static void must_meet(struct sca_team *team, uint64_t size)
{
    if (meet(team, SCA_OK, size) != SCA_OK)
        longjmp(*team->failure, 1);
}

int sca_team_agree(struct sca_team *team, int status)
{
    if (team->size < 2 || team->failed)
        return status;
    return meet(team, status, UINT64_MAX);
}

static void add_part(double *sum, const double *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += part[i];
}

void sca_team_sum(struct sca_team *team, double *values, size_t n)
{
    if (team->size < 2)
        return;
    struct sca_exchanger *with = team->with;
    must_meet(team, n);
    for (size_t at = 0; at < n; at += BUFFER) {
        size_t some = n - at < BUFFER ? n - at : BUFFER;
        memset(with->sum, 0, some * sizeof *with->sum);
        for (uint32_t i = 0; i < team->size; i++) {
            memcpy(with->part, values + at, some * sizeof *with->part);
            sca_mpi_library_bcast(&with->mpi, with->part, some * sizeof *with->part, i);
            add_part(with->sum, with->part, some);
        }
        memcpy(values + at, with->sum, some * sizeof *with->sum);
    }
}

/* Those that are not 0, and where they stand; `n` is what the buffer holds at most. */
static uint32_t collect(struct sca_exchanger *with, const double *values, size_t n)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (values[i] != 0) {
            with->index[found] = (uint32_t)i;
            with->part[found++] = values[i];
        }
    return found;
}

static void scatter(const struct sca_exchanger *with, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        with->sum[with->index[i]] += with->part[i];
}

/* A buffer's length of values at a time, of which only those that are not 0 travel. */
void sca_team_sum_sparse(struct sca_team *team, double *values, size_t n)
{
    if (team->size < 2)
        return;
    struct sca_exchanger *with = team->with;
    must_meet(team, n);
    for (size_t at = 0; at < n; at += BUFFER) {
        size_t some = n - at < BUFFER ? n - at : BUFFER;
        bool any = false;
        memset(with->sum, 0, some * sizeof *with->sum);
        for (uint32_t i = 0; i < team->size; i++) {
            uint32_t found = i == team->rank ? collect(with, values + at, some) : 0;
            sca_mpi_library_bcast(&with->mpi, &found, sizeof found, i);
            if (!found)
                continue;
            any = true;
            sca_mpi_library_bcast(&with->mpi, with->index, found * sizeof *with->index, i);
            sca_mpi_library_bcast(&with->mpi, with->part, found * sizeof *with->part, i);
            scatter(with, found);
        }
        for (size_t i = 0; any && i < some; i++) /* untouched memory costs nothing */
            if (with->sum[i] != 0)
                values[at + i] = with->sum[i];
    }
}

void sca_team_gather(struct sca_team *team, const void *own, size_t size, void *all)
{
    if (team->size < 2) {
        memcpy(all, own, size);
        return;
    }
    must_meet(team, size);
    sca_mpi_library_allgather(&team->with->mpi, own, size, all);
}

void sca_team_share(struct sca_team *team, void *bytes, size_t size, uint32_t from)
{
    if (team->size < 2)
        return;
    must_meet(team, size);
    sca_mpi_library_bcast(&team->with->mpi, bytes, size, from);
}
