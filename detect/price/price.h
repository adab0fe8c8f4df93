/*
 * What a finding costs and what mending it saves: beside the finding, not part of it. Core-seconds.
 */
#ifndef SCA_DETECT_PRICE_H
#define SCA_DETECT_PRICE_H

/* By what waits are charged to: others wait so long because of the finding, */
struct sca_charge {
    double cost;             /* in all; of growth, what it takes beyond ideal scaling as well */
    double direct, indirect; /* for it; for who waited for it */
};

/* By replays with and without it. */
struct sca_gain {
    double gain;      /* its share of what all causes save together */
    double alone;     /* what mending it saves while the other causes stay */
    double low, high; /* 95 % interval of the first (gain_range.h), of causes and what is told */
    double otherwise; /* the same mended in the other way (equalising.h) */
};

/* The final one: given once, when the causes are known. */
struct sca_price {
    double cost, direct, indirect; /* direct and indirect: the waits in it, to the cost's scale */
    double gain, alone, low, high, otherwise; /* as in struct sca_gain */
};

#endif
