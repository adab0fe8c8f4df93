#include "graph/interval_matrix.h"

#include <string.h>

enum {
    BLOCK = 128,            /* ranks */
    MOST_RESIDENT = 1 << 20 /* cells that stay: 32 MB */
};

struct rank_block {
    uint32_t first[BLOCK + 1]; /* per rank: place of its cells */
    struct sca_interval_cell *cells;
    uint32_t capacity;
};

struct sca_interval_blocks {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    struct sca_opened *opened;
    struct rank_block **resident; /* per block of ranks; NULL: it did not stay */
    struct rank_block one;        /* the last that was asked for of those */
    uint32_t number;              /* of that block */
    size_t ncells;                /* resident */
    struct sca_call_pair *list;
    uint32_t n, capacity;
    uint32_t *after, *next; /* chains of intervals per previous site */
};

/* ---- numbers of intervals ---- */

static uint32_t append(struct sca_interval_blocks *b, const struct sca_part_interval *x)
{
    if (b->n == b->capacity) {
        uint32_t more = 2 * b->capacity + 64;
        b->list = sca_workspace_grow(b->space, b->list, b->n, more, sizeof *b->list);
        b->next = sca_workspace_grow(b->space, b->next, b->n, more, sizeof *b->next);
        b->capacity = more;
    }
    uint32_t interval = sca_intervals_number(&b->run->intervals, x->previous, x->site);
    b->list[b->n] = (struct sca_call_pair){x->previous, x->site, interval};
    b->next[b->n] = b->after[x->previous];
    b->after[x->previous] = b->n;
    return b->n++;
}

/* `likely`: the one behind that of the interval before. */
static uint32_t number_of(struct sca_interval_blocks *b, const struct sca_part_interval *x,
                          uint32_t likely)
{
    if (likely < b->n && b->list[likely].previous == x->previous && b->list[likely].site == x->site)
        return likely;
    uint32_t i = b->after[x->previous];
    while (i != SCA_NONE && b->list[i].site != x->site)
        i = b->next[i];
    return i == SCA_NONE ? append(b, x) : i;
}

/* ---- blocks ---- */

static bool is_sound(const struct sca_interval_blocks *b, const struct sca_part_interval *x)
{
    return x->previous < b->run->profile->nsites && x->site < b->run->profile->nsites;
}

static struct sca_interval_cell cell_of(const struct sca_part_interval *x, uint32_t pair)
{
    return (struct sca_interval_cell){.seconds = (double)(x->cpu_ns + x->blocked_ns) * 1e-9,
                                      .off = (double)x->blocked_ns * 1e-9,
                                      .count = x->count,
                                      .pair = pair,
                                      .longest = (float)((double)x->max_ns * 1e-9)};
}

static uint32_t unpack_rank(struct sca_interval_blocks *b, struct rank_block *to, uint32_t rank,
                            uint32_t used)
{
    const struct sca_rank *r = sca_rank_open(b->opened, rank, SCA_OPEN_INTERVALS);
    uint32_t number = SCA_NONE;
    if (used + r->nintervals > to->capacity) {
        uint32_t more = 2 * to->capacity + BLOCK * r->nintervals;
        to->cells = sca_workspace_grow(b->space, to->cells, used, more, sizeof *to->cells);
        to->capacity = more;
    }
    for (uint32_t i = 0; i < r->nintervals; i++)
        if (is_sound(b, &r->intervals[i])) {
            number = number_of(b, &r->intervals[i], number + 1);
            to->cells[used++] = cell_of(&r->intervals[i], number);
        }
    return used;
}

static void unpack(struct sca_interval_blocks *b, struct rank_block *to, uint32_t number)
{
    uint32_t used = 0, from = number * BLOCK;
    for (uint32_t r = 0; r < BLOCK; r++) {
        to->first[r] = used;
        if (from + r < b->run->nranks)
            used = unpack_rank(b, to, from + r, used);
    }
    to->first[BLOCK] = used;
}

/* Keeps a block that was just unpacked, if there is room. */
static void keep(struct sca_interval_blocks *b, uint32_t number)
{
    uint32_t used = b->one.first[BLOCK];
    if (b->ncells + used > MOST_RESIDENT)
        return;
    struct rank_block *copy = sca_workspace_grow(b->space, &b->one, 1, 1, sizeof *copy);
    copy->cells = sca_workspace_grow(b->space, b->one.cells, used, used, sizeof *copy->cells);
    b->resident[number] = copy;
    b->ncells += used;
}

void sca_interval_matrix_fill(struct sca_workspace *space, const struct sca_ppg_run *run,
                              struct sca_interval_matrix *out)
{
    uint32_t nsites = run->profile->nsites, nblocks = run->nranks / BLOCK + 1;
    struct sca_interval_blocks *b = sca_workspace_alloc(space, 1, sizeof *b);
    *b = (struct sca_interval_blocks){.space = space, .run = run};
    b->opened = sca_workspace_opened(space, run->profile);
    b->after = sca_workspace_alloc(space, nsites, sizeof *b->after);
    memset(b->after, 0xff, nsites * sizeof *b->after);
    b->resident = sca_workspace_alloc(space, nblocks, sizeof(struct rank_block *));
    for (b->number = 0; b->number < nblocks; b->number++) {
        unpack(b, &b->one, b->number);
        keep(b, b->number);
    }
    *out = (struct sca_interval_matrix){b->n, b->list, b};
}

struct sca_interval_matrix_row sca_interval_matrix_row(const struct sca_interval_matrix *m,
                                                       uint32_t rank)
{
    struct sca_interval_blocks *b = m->blocks;
    uint32_t number = rank / BLOCK, in = rank % BLOCK;
    const struct rank_block *block = b->resident[number];
    if (!block && b->number != number)
        unpack(b, &b->one, b->number = number);
    block = block ? block : &b->one;
    return (struct sca_interval_matrix_row){block->cells + block->first[in],
                                            block->cells + block->first[in + 1]};
}

/* ---- sums ---- */

void sca_interval_matrix_add(const struct sca_interval_matrix *m, const bool *in,
                             const struct sca_interval_sums *to)
{
    for (uint32_t r = 0; r < m->blocks->run->nranks; r++) {
        struct sca_interval_matrix_row row = sca_interval_matrix_row(m, r);
        for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
            if (in && !in[x->pair])
                continue;
            if (to->seconds)
                to->seconds[r] += x->seconds;
            if (to->off)
                to->off[r] += x->off;
            if (to->count)
                to->count[r] += (double)x->count;
        }
    }
}

bool *sca_interval_matrix_in(struct sca_workspace *space, const struct sca_interval_matrix *m,
                             const bool *intervals)
{
    bool *in = sca_workspace_alloc(space, m->n, sizeof *in);
    for (uint32_t i = 0; i < m->n; i++)
        in[i] = m->of[i].interval != SCA_NONE && intervals[m->of[i].interval];
    return in;
}

double sca_interval_matrix_mean(const struct sca_interval_matrix *m, uint32_t rank,
                                uint32_t previous, uint32_t site)
{
    struct sca_interval_matrix_row row = sca_interval_matrix_row(m, rank);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++)
        if (m->of[x->pair].previous == previous && m->of[x->pair].site == site && x->count)
            return x->seconds / (double)x->count;
    return 0;
}
