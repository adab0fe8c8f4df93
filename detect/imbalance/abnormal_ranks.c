#include "imbalance/abnormal_ranks.h"
#include "base/degrees.h"
#include "imbalance/slow_ranks.h"
#include "stats/dispersion.h"

#include <math.h>

/*
 * Variance of a rank's seconds if it were like the others: samples scatter with the root of how
 * many are *expected*, so that ten where none belong say more than ten out of twenty. The square
 * of one sample's worth is the least, or a single stray sample would be proof.
 */
static double usual_variance(const struct sca_judging *j, uint32_t r, double reference)
{
    double sample = j->variance[r] / j->seconds[r];
    return sample * fmin(reference, j->seconds[r]) + sample * sample;
}

struct others { /* ranks that do not stand out */
    double sum;
    uint32_t n;
};

static struct others others_of(const struct sca_judging *j, const bool *chosen)
{
    struct others others = {0};
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (!j->absent[r] && !chosen[r]) {
            others.sum += j->seconds[r];
            others.n++;
        }
    return others;
}

/* What they have of a place: their median, `reference`, is 0 where samples are few. */
static double usual_seconds(const struct others *others, double reference)
{
    return fmax(reference, others->n ? others->sum / others->n : 0);
}

static void leave_out(const struct sca_judging *j, uint32_t r, struct others *others)
{
    others->sum = fmax(0, others->sum - j->seconds[r]);
    others->n--;
}

/*
 * Whether so many samples are too many for chance, by Chernoff's bound on the tail of a Poisson
 * distribution: with thousands of ranks and places, some rank is five sigmas off somewhere.
 */
static bool beyond_chance(const struct sca_judging *j, uint32_t r, double usual)
{
    double sample = j->variance[r] / j->seconds[r];
    if (sample <= 0)
        return true;
    double found = j->seconds[r] / sample, expected = usual / sample + 1.0 / j->m->npresent;
    double tries = (double)j->m->npresent * j->m->ppg->nvertices;
    double least = fmax(SCA_FIVE_SIGMAS * SCA_FIVE_SIGMAS / 2, log(tries / SCA_FALSE_ALARMS));
    return found > expected && found * log(found / expected) - found + expected >= least;
}

bool sca_abnormal_ranks_is_over(const struct sca_judging *j, uint32_t r)
{
    double core = j->around.core[r], x = core > 0 ? j->seconds[r] / core : j->seconds[r];
    double limit = fmax(j->limit, 1 + (core > 0 ? SCA_TRIFLE : SCA_LITTLE));
    return x > SCA_NO_TIME && x >= limit * j->usual;
}

bool sca_abnormal_ranks_stands_out(const struct sca_judging *j, uint32_t r, double reference,
                                   double reference_variance)
{
    double x = j->seconds[r];
    return x > SCA_NO_TIME && x >= j->threshold * reference &&
           x - reference >=
               SCA_FIVE_SIGMAS * sqrt(usual_variance(j, r, reference) + reference_variance);
}

uint32_t sca_abnormal_ranks_drop_chance(const struct sca_judging *j, double reference, bool *chosen)
{
    struct others others = others_of(j, chosen);
    double usual = usual_seconds(&others, reference);
    uint32_t count = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && beyond_chance(j, r, usual);
    return count;
}

/* On shared cores the ranks beside a slow one differ, too: they are not what is wrong. */
uint32_t sca_abnormal_ranks_drop_small(const struct sca_judging *j, double reference, bool *chosen)
{
    double most = 0;
    uint32_t count = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (chosen[r])
            most = fmax(most, j->seconds[r] - reference);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        count += chosen[r] = chosen[r] && (j->seconds[r] - reference) * SCA_SEVERAL >= most;
    return count;
}

/*
 * Once some ranks are proven abnormal, another belongs to them if its samples are likelier theirs
 * than the others': the ratio of the two Poisson likelihoods, against the number of ranks tried.
 */
static bool is_like(const struct sca_judging *j, uint32_t r, double usual, double abnormal,
                    double false_members)
{
    double sample = j->seconds[r] > SCA_NO_TIME ? j->variance[r] / j->seconds[r] : 0;
    if (sample <= 0)
        return false;
    double found = j->seconds[r] / sample, theirs = abnormal / sample;
    double expected = usual / sample + 1.0 / j->m->npresent;
    return theirs > expected && found * log(theirs / expected) - theirs + expected >=
                                    log(j->m->npresent / false_members);
}

static double mean_of(const struct sca_judging *j, const bool *chosen, uint32_t count)
{
    double sum = 0;
    for (uint32_t r = 0; r < j->m->nranks; r++)
        sum += chosen[r] ? j->seconds[r] : 0;
    return sum / count;
}

/* What the others have, whether or not this one is among them. */
static double usual_beside(const struct sca_judging *j, const bool *chosen, struct others others,
                           uint32_t r, double reference)
{
    if (!chosen[r] && !j->absent[r])
        leave_out(j, r, &others);
    return usual_seconds(&others, reference);
}

static void count_in(const struct sca_judging *j, bool *chosen, uint32_t r, struct others *others)
{
    if (!chosen[r] && !j->absent[r])
        leave_out(j, r, others);
    chosen[r] = true;
}

/* As far as samples may mislead. */
static bool may_be_over(const struct sca_judging *j, uint32_t r, double reference)
{
    return j->seconds[r] + SCA_THREE_SIGMAS * sqrt(j->variance[r]) >= j->limit * reference;
}

uint32_t sca_abnormal_ranks_add_alike(const struct sca_judging *j, double reference, bool *chosen,
                                      uint32_t count)
{
    double abnormal = mean_of(j, chosen, count);
    struct others others = others_of(j, chosen);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if (!chosen[r] && !j->absent[r] && sca_abnormal_ranks_is_over(j, r) &&
            is_like(j, r, usual_beside(j, chosen, others, r, reference), abnormal, SCA_UNLIKELY)) {
            count_in(j, chosen, r, &others);
            count++;
        }
    return count;
}

/* Nor need samples prove what exact times do; what each of them says likely, both together prove.
 */
uint32_t sca_abnormal_ranks_add_as_slow(struct sca_workspace *space, const struct sca_judging *j,
                                        double reference, bool *chosen, uint32_t count)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const struct sca_within place = {j->ends, j->vertices, j->nvertices};
    bool *as_slow = sca_workspace_alloc(&scratch, j->m->nranks, sizeof *as_slow);
    bool *rather = sca_workspace_alloc(&scratch, j->m->nranks, sizeof *rather);
    double abnormal = mean_of(j, chosen, count);
    struct others others = others_of(j, chosen);
    sca_slow_ranks_find(&scratch, j->m, &place, chosen, j->limit, as_slow);
    sca_slow_ranks_find(&scratch, j->m, &place, chosen, 1, rather);
    for (uint32_t r = 0; r < j->m->nranks; r++)
        if ((as_slow[r] && may_be_over(j, r, reference)) ||
            (rather[r] && sca_abnormal_ranks_is_over(j, r) &&
             is_like(j, r, usual_beside(j, chosen, others, r, reference), abnormal,
                     SCA_EVEN_ODDS))) {
            count_in(j, chosen, r, &others);
            count++;
        }
    sca_workspace_free(&scratch);
    return count;
}
