#include "stats/same_draw.h"

#include "base/degrees.h"

#include <math.h>

void sca_same_draw_add(struct sca_same_draw *d, double few, double many)
{
    if (few <= 0 && many <= 0)
        return;
    d->few += few;
    d->many += many;
    d->drawn += lgamma(many + SCA_JEFFREYS + few) - lgamma(many + SCA_JEFFREYS);
    d->own += lgamma(SCA_JEFFREYS + few) - lgamma(SCA_JEFFREYS);
    d->places++;
}

double sca_same_draw_evidence(const struct sca_same_draw *d)
{
    double imagined = SCA_JEFFREYS * d->places, all = d->many + imagined;
    if (d->few <= 0)
        return 0;
    return d->drawn + lgamma(all) - lgamma(all + d->few) -
           (d->own + lgamma(imagined) - lgamma(imagined + d->few));
}
