#include "hosts/allowance.h"
#include "sca_copy.h"

/* Recorded iterations are large, and change seldom: they wait until a first message's worth is
 * saved up. */
unsigned sca_allowance_layers(struct sca_allowance *a, uint32_t nranks)
{
    if (!a->began)
        return SCA_COPY_MOMENT | SCA_COPY_TOTALS | SCA_COPY_WINDOWS;
    a->left += (double)SCA_ALLOWANCE_LATER * nranks;
    double whole = (double)SCA_ALLOWANCE_FIRST * nranks;
    if (a->left >= whole) {
        a->left = whole;
        return SCA_COPY_MOMENT | SCA_COPY_TOTALS | SCA_COPY_WINDOWS;
    }
    return a->left > 0 ? SCA_COPY_MOMENT | SCA_COPY_TOTALS : SCA_COPY_MOMENT;
}

/* The first message has all, and leaves no debt. */
void sca_allowance_spend(struct sca_allowance *a, uint32_t nranks, size_t bytes)
{
    if (!a->began)
        a->left = (double)SCA_ALLOWANCE_FIRST * nranks;
    a->left -= (double)bytes;
    if (!a->began && a->left < 0)
        a->left = 0;
    a->began = true;
}
