#include "windows/recurrence.h"
#include "base/reserve.h"

#include <stddef.h>

enum {
    MANY_AROUND = 4 /* rounds of a loop around the one that delimits the program's iterations */
};

void sca_recurrence_begin(struct sca_recurrence *r, uint32_t most_calls, uint32_t many,
                          uint32_t patience)
{
    enum { HEADERS = SCA_RECURRENCE_SITES * sizeof(struct sca_header) };
    char *memory = sca_reserve(HEADERS + SCA_RECURRENCE_DEPTH * sizeof(uint32_t));
    *r = (struct sca_recurrence){.most_calls = most_calls, .many = many, .patience = patience};
    if (!memory)
        return;
    r->headers = (void *)memory;
    r->walk = (void *)(memory + HEADERS);
}

void sca_recurrence_forget(struct sca_recurrence *r)
{
    r->depth = 0;
    sca_recurrence_wait(r);
}

void sca_recurrence_wait(struct sca_recurrence *r)
{
    r->rounds = 0;
}

/* Whether the site is in the walk from there on. */
static bool is_in_body(const struct sca_recurrence *r, uint32_t begin, uint32_t site)
{
    return sca_recurrence_is_live(r, site) && r->headers[site].position >= begin;
}

/* All calls between two of its rounds, on average; there have been some. */
static double calls_between(const struct sca_recurrence *r, const struct sca_witness *w)
{
    return (double)(uint32_t)(r->calls - w->begun) / (w->rounds - 1);
}

/* Of two loops with one header the one around has rounds of one and a half of the other's, or
 * their rounds are the same, but for a call that is not always the last. */
static bool is_longer(const struct sca_recurrence *r, const struct sca_witness *w)
{
    return calls_between(r, w) >= 1.5 * calls_between(r, r->delimiter);
}

static bool is_around(const struct sca_recurrence *r, uint32_t site, const struct sca_witness *w)
{
    uint32_t begin = r->headers[site].position;
    return is_in_body(r, begin, r->header) && is_in_body(r, begin, r->delimiter->site) &&
           (site != r->header || is_longer(r, w));
}

static bool may_delimit(const struct sca_recurrence *r, uint32_t site, const struct sca_witness *w)
{
    if (!r->delimiter || r->since_delimiter > r->patience)
        return w->rounds >= r->many;
    return w->rounds >= MANY_AROUND && is_around(r, site, w) &&
           calls_between(r, w) <= r->most_calls;
}

/* The header `site` has come round. */
static bool count(struct sca_recurrence *r, uint32_t site, struct sca_witness *w)
{
    w->rounds++;
    if (w != r->delimiter && may_delimit(r, site, w)) {
        r->delimiter = w;
        r->header = site;
    }
    return w == r->delimiter;
}

/* True if this ends an iteration of the delimiter. */
static bool count_all(struct sca_recurrence *r, uint32_t site, uint32_t last)
{
    struct sca_header *header = &r->headers[site];
    struct sca_witness *w = header->witness, *end = w + SCA_WITNESSES;
    bool known = false, ends = false;
    for (; w < end && w->rounds; w++) {
        known |= w->site == last;
        if (is_in_body(r, header->position, w->site))
            ends |= count(r, site, w);
    }
    if (!known && w < end)
        *w = (struct sca_witness){.site = last, .rounds = 1, .begun = r->calls};
    return ends;
}

/* The same, of a header that has no other loop. */
static bool is_delimiter_alone(const struct sca_recurrence *r, const struct sca_witness *w,
                               uint32_t last)
{
    return w == r->delimiter && w->site == last && !w[1].rounds;
}

bool sca_recurrence_comes_round(struct sca_recurrence *r, uint32_t site)
{
    struct sca_header *header = &r->headers[site];
    uint32_t last = r->walk[r->depth - 1];
    bool ends = true;
    r->rounds++;
    if (is_delimiter_alone(r, header->witness, last))
        header->witness->rounds++;
    else
        ends = count_all(r, site, last);
    r->since_delimiter = ends ? 0 : r->since_delimiter + 1;
    r->depth = header->position + 1;
    return ends;
}
