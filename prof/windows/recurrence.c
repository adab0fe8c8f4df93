#include "windows/recurrence.h"
#include "base/reserve.h"

#include <stddef.h>

enum {
    MANY_AROUND = 4, /* rounds of a loop around the one that delimits the program's iterations */
    SEVERAL = 2,     /* rounds of an inner loop in each of one around it */
    SELDOM = 8       /* rounds in one of which a loop makes further calls */
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
    r->interrupted |= r->delimiter && sca_recurrence_is_live(r, r->header);
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

/* Another loop than the delimiter goes round several times in each of its rounds. */
static bool holds_others(const struct sca_recurrence *r, uint32_t begin, uint32_t rounds)
{
    for (uint32_t i = begin; i < r->depth; i++) {
        const struct sca_witness *inner = r->headers[r->walk[i]].witness;
        for (uint32_t k = 0; r->walk[i] != r->header && k < SCA_WITNESSES; k++)
            if (inner[k].rounds >= SEVERAL * rounds)
                return true;
    }
    return false;
}

/* What is around the delimiter may be the same loop, with calls that it makes now and then. Then
 * the delimiter tells more. Stages of a step are fewer. */
static bool may_be_same(const struct sca_recurrence *r, uint32_t site, const struct sca_witness *w)
{
    return calls_between(r, w) >= SELDOM * calls_between(r, r->delimiter) && r->may_call &&
           r->may_call(r->header, site) && r->may_call(r->header, w->site) &&
           !holds_others(r, r->headers[site].position, w->rounds);
}

/* It has come round for the first time since the delimiter did: it has never been within one of
 * its rounds, and follows them, as far as is known yet. */
static bool is_new(const struct sca_recurrence *r, const struct sca_witness *w)
{
    return (int32_t)(w->begun - r->delimited) > 0;
}

static bool may_delimit(const struct sca_recurrence *r, uint32_t site, const struct sca_witness *w)
{
    if (!r->delimiter || r->since_delimiter > r->patience)
        return w->rounds >= r->many;
    if (w->rounds >= r->many && is_new(r, w))
        return true;
    return w->rounds >= MANY_AROUND && is_around(r, site, w) &&
           calls_between(r, w) <= r->most_calls && !may_be_same(r, site, w);
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
    if (ends)
        r->delimited = r->calls;
    r->held = r->depth;
    r->depth = header->position + 1;
    return ends;
}

bool sca_recurrence_held(const struct sca_recurrence *r, uint32_t site)
{
    uint32_t at = r->headers[site].position;
    return at >= r->headers[r->header].position && at < r->held && r->walk[at] == site;
}

void sca_recurrence_resume(struct sca_recurrence *r)
{
    struct sca_witness *w = r->headers[r->header].witness;
    while (w != r->delimiter)
        w++;
    w->rounds++;
    r->interrupted = false;
    r->since_delimiter = 0;
    r->delimited = r->calls;
}
