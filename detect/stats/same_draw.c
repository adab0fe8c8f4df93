#include "stats/same_draw.h"

#include <math.h>

#define JEFFREYS 0.5 /* counts imagined at each place */

void sca_same_draw_add(struct sca_same_draw *d, double few, double many)
{
    if (few <= 0 && many <= 0)
        return;
    d->few += few;
    d->many += many;
    d->drawn += lgamma(many + JEFFREYS + few) - lgamma(many + JEFFREYS);
    d->own += lgamma(JEFFREYS + few) - lgamma(JEFFREYS);
    d->places++;
}

double sca_same_draw_evidence(const struct sca_same_draw *d)
{
    double imagined = JEFFREYS * d->places, all = d->many + imagined;
    if (d->few <= 0)
        return 0;
    return d->drawn + lgamma(all) - lgamma(all + d->few) -
           (d->own + lgamma(imagined) - lgamma(imagined + d->few));
}
