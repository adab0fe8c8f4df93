#include "profile/phase_sum.h"
#include "profile/series_code.h"
#include "profile/spread.h"

#include <string.h>

struct sca_summed_phase {
    char name[SCA_PHASE_NAME];
    uint32_t parent, nranks; /* parent: from 1; 0: none */
    uint64_t count;
    uint64_t begin_ns, end_ns; /* of the first rank */
    double off_ns;
    float *own, *mpi, *wall; /* [rank of those that have it] */
    uint32_t *rank;
};

/* ---- a rank's ---- */

static void add(struct sca_part_phase *to, const struct sca_part_phase *part)
{
    to->compute_ns += part->compute_ns;
    to->mpi_ns += part->mpi_ns;
    to->off_ns += part->off_ns;
    to->wall_ns += part->wall_ns;
}

static void put_phase(struct sca_writer *w, const struct sca_part_phase *p, const char *strings)
{
    sca_wire_put_varint(w, p->parent);
    sca_wire_put_string(w, strings + p->name);
    sca_wire_put_varint(w, p->count);
    sca_wire_put_varint(w, p->begin_ns);
    sca_wire_put_varint(w, p->end_ns);
    sca_wire_put_varint(w, p->compute_ns);
    sca_wire_put_varint(w, p->mpi_ns);
    sca_wire_put_varint(w, p->off_ns);
    sca_wire_put_varint(w, p->wall_ns);
}

void sca_phases_put(struct sca_writer *w, const struct sca_phases *phases)
{
    static struct sca_part_phase whole[SCA_SERIES_PHASES];
    uint32_t n = phases->n < SCA_SERIES_PHASES ? phases->n : SCA_SERIES_PHASES;
    if (n)
        memcpy(whole, phases->list, n * sizeof *whole);
    for (uint32_t i = n; i-- > 0;)
        if (whole[i].parent && whole[i].parent <= i)
            add(&whole[whole[i].parent - 1], &whole[i]);
    sca_wire_put_varint(w, n);
    for (uint32_t i = 0; i < n; i++)
        put_phase(w, &whole[i], phases->strings);
}

/* ---- put together ---- */

static struct sca_summed_phase *add_new(struct sca_phase_sum *sum, uint32_t parent,
                                        const char *name)
{
    if (sum->n == SCA_SERIES_PHASES)
        return NULL;
    size_t column = sum->nranks * sizeof(float), columns = 4;
    struct sca_summed_phase *s = sum->map(sum->context, sizeof *s + columns * column);
    if (!s)
        return NULL;
    char *first = (char *)(s + 1);
    s->parent = parent;
    strcpy(s->name, name);
    s->own = (float *)(void *)first;
    s->mpi = (float *)(void *)(first + column);
    s->wall = (float *)(void *)(first + 2 * column);
    s->rank = (uint32_t *)(void *)(first + 3 * column);
    return sum->phase[sum->n++] = s;
}

static uint32_t find(struct sca_phase_sum *sum, uint32_t parent, const char *name)
{
    for (uint32_t i = 0; i < sum->n; i++)
        if (sum->phase[i]->parent == parent && !strcmp(sum->phase[i]->name, name))
            return i + 1;
    return add_new(sum, parent, name) ? sum->n : 0;
}

static void get_name(struct sca_reader *r, char name[SCA_PHASE_NAME])
{
    size_t length = 0;
    const char *text = sca_wire_get_string(r, &length);
    if (length >= SCA_PHASE_NAME)
        length = SCA_PHASE_NAME - 1;
    if (text)
        memcpy(name, text, length);
    name[text ? length : 0] = '\0';
}

static struct sca_part_phase get_times(struct sca_reader *r)
{
    struct sca_part_phase p = {.count = sca_wire_get_varint(r)};
    p.begin_ns = sca_wire_get_varint(r);
    p.end_ns = sca_wire_get_varint(r);
    p.compute_ns = sca_wire_get_varint(r);
    p.mpi_ns = sca_wire_get_varint(r);
    p.off_ns = sca_wire_get_varint(r);
    p.wall_ns = sca_wire_get_varint(r);
    return p;
}

static void take(struct sca_summed_phase *s, uint32_t rank, const struct sca_part_phase *p)
{
    uint32_t k = s->nranks++;
    if (!k) {
        s->begin_ns = p->begin_ns;
        s->end_ns = p->end_ns;
    }
    s->rank[k] = rank;
    s->own[k] = (float)(p->compute_ns + p->off_ns);
    s->mpi[k] = (float)p->mpi_ns;
    s->wall[k] = (float)p->wall_ns;
    s->off_ns += (double)p->off_ns;
    if (p->count > s->count)
        s->count = p->count;
}

void sca_phase_sum_add(struct sca_phase_sum *sum, uint32_t rank, struct sca_reader *r,
                       uint8_t number[SCA_SERIES_PHASES + 1])
{
    memset(number, 0, SCA_SERIES_PHASES + 1);
    uint64_t n = sca_wire_get_varint(r);
    for (uint32_t i = 1; i <= n && i <= SCA_SERIES_PHASES && !r->failed; i++) {
        char name[SCA_PHASE_NAME];
        uint64_t parent = sca_wire_get_varint(r);
        get_name(r, name);
        const struct sca_part_phase p = get_times(r);
        bool fits = !r->failed && parent < i && (!parent || number[parent]);
        uint32_t at = fits ? find(sum, parent ? number[parent] : 0, name) : 0;
        number[i] = (uint8_t)at;
        if (at)
            take(sum->phase[at - 1], rank, &p);
    }
}

/* ---- into the chunk ---- */

static void put_codes(struct sca_writer *w, const double *ns, int n)
{
    for (int i = 0; i < n; i++)
        sca_wire_put_varint(w, (uint64_t)sca_series_code(ns[i]));
}

static void put_summed(struct sca_writer *w, struct sca_summed_phase *s)
{
    uint32_t n = s->nranks, slowest = s->rank[sca_spread_greatest(s->own, n)];
    double span = sca_spread_mean(s->wall, n), off = s->off_ns / n, own[4], mpi[4];
    sca_spread_of(own, s->own, n);
    sca_spread_of(mpi, s->mpi, n);
    sca_wire_put_varint(w, s->parent);
    sca_wire_put_string(w, s->name);
    sca_wire_put_varint(w, n);
    sca_wire_put_varint(w, s->count);
    sca_wire_put_varint(w, slowest);
    sca_wire_put_varint(w, s->begin_ns >> 10);
    sca_wire_put_varint(w, s->end_ns >> 10);
    put_codes(w, (const double[]){span, off}, 2);
    put_codes(w, own, 4);
    put_codes(w, mpi, 4);
}

void sca_phase_sum_put(const struct sca_phase_sum *sum, struct sca_writer *w)
{
    sca_wire_put_varint(w, sum->n);
    for (uint32_t i = 0; i < sum->n; i++)
        put_summed(w, sum->phase[i]);
}
