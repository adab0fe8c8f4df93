#include "apportion/candidates.h"
#include "graph/same_place.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int sca_candidates_open(struct sca_candidates *s, const struct sca_ppg *ppg)
{
    uint32_t n = ppg->nvertices;
    *s = (struct sca_candidates){0};
    s->place = calloc(n, sizeof *s->place);
    s->heard = calloc(n, sizeof *s->heard);
    s->named = calloc(n, sizeof *s->named);
    s->is_named = calloc(n, sizeof *s->is_named);
    if (!s->place || !s->heard || !s->named || !s->is_named)
        return SCA_ENOMEM;
    sca_same_place_fill(ppg, s->named, s->place);
    return SCA_OK;
}

void sca_candidates_close(struct sca_candidates *s)
{
    free(s->place);
    free(s->heard);
    free(s->named);
    free(s->is_named);
}

void sca_candidates_clear(struct sca_candidates *s)
{
    for (uint32_t i = 0; i < s->nnamed; i++)
        s->heard[s->named[i]] = s->is_named[s->named[i]] = 0;
    s->nnamed = s->n = 0;
}

void sca_candidates_hear(struct sca_candidates *s, uint32_t vertex, double evidence)
{
    uint32_t place = s->place[vertex];
    if (!s->is_named[place])
        s->named[s->nnamed++] = place;
    s->is_named[place] = true;
    s->heard[place] += evidence;
}

static bool is_chosen(const struct sca_candidates *s, uint32_t place)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->candidate[k] == place)
            return true;
    return false;
}

static uint32_t most_likely(const struct sca_candidates *s)
{
    uint32_t best = SCA_NONE;
    for (uint32_t i = 0; i < s->nnamed; i++)
        if (s->heard[s->named[i]] > (best == SCA_NONE ? 0 : s->heard[best]) &&
            !is_chosen(s, s->named[i]))
            best = s->named[i];
    return best;
}

bool sca_candidates_choose(struct sca_candidates *s)
{
    for (uint32_t best; s->n < SCA_MOST_SUSPECTS && (best = most_likely(s)) != SCA_NONE;)
        s->candidate[s->n++] = best;
    return s->n > 0;
}

void sca_candidates_begin(struct sca_candidates *s, double slow)
{
    for (uint32_t z = 0; z <= s->n; z++)
        for (int p = 0; p < SCA_PARTS; p++)
            s->weight[z][p] = log(z ? (1 - slow) / s->nnamed : slow);
}

/* Midpoints of equal parts: before anything is seen, each is as likely. */
static double part(int p)
{
    return (p + 0.5) / SCA_PARTS;
}

static double likelihood(const struct sca_interval_evidence *e, uint32_t reason, int p)
{
    return e->reason[reason] < 0 ? e->own : (1 - part(p)) * e->own + part(p) * e->reason[reason];
}

void sca_candidates_weigh(struct sca_candidates *s, const struct sca_interval_evidence *evidence)
{
    for (int p = 0; p < SCA_PARTS; p++)
        for (uint32_t z = 0; z <= s->n; z++)
            s->weight[z][p] += log(likelihood(evidence, z, p) / evidence->own);
}

void sca_candidates_settle(struct sca_candidates *s)
{
    double most = -INFINITY, sum = 0;
    for (uint32_t z = 0; z <= s->n; z++)
        for (int p = 0; p < SCA_PARTS; p++)
            most = fmax(most, s->weight[z][p]);
    for (uint32_t z = 0; z <= s->n; z++)
        for (int p = 0; p < SCA_PARTS; p++)
            sum += s->weight[z][p] = exp(s->weight[z][p] - most);
    for (uint32_t z = 0; z <= s->n; z++)
        for (int p = 0; p < SCA_PARTS; p++)
            s->weight[z][p] /= sum;
}

uint32_t sca_candidates_reason(const struct sca_candidates *s, uint32_t vertex)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->candidate[k] == s->place[vertex])
            return 1 + k;
    return 0;
}

double sca_candidates_prior(const struct sca_candidates *s,
                            const struct sca_interval_evidence *evidence, double *reason)
{
    double own = 0;
    for (uint32_t z = 0; z <= s->n; z++) {
        reason[z] = 0;
        for (int p = 0; p < SCA_PARTS; p++) {
            double weight = s->weight[z][p] / likelihood(evidence, z, p);
            bool may = evidence->reason[z] >= 0;
            own += weight * (may ? 1 - part(p) : 1);
            reason[z] += may ? weight * part(p) : 0;
        }
    }
    return own;
}
