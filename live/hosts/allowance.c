#include "hosts/allowance.h"
#include "sca_copy.h"

static const unsigned few = SCA_COPY_MOMENT | SCA_COPY_TOTALS;

/* Recorded iterations are large, and change seldom: they wait until what they took last is saved
 * up. */
unsigned sca_allowance_layers(struct sca_allowance *a, uint32_t nranks)
{
    double whole = (double)SCA_ALLOWANCE_FIRST * nranks;
    if (!a->began)
        return a->without_windows ? few : few | SCA_COPY_WINDOWS;
    double most = a->windows > whole ? a->windows : whole;
    a->left += (double)SCA_ALLOWANCE_LATER * nranks;
    a->left = a->left < most ? a->left : most;
    return a->left >= most ? few | SCA_COPY_WINDOWS : a->left > 0 ? few : SCA_COPY_MOMENT;
}

/* The first message leaves no debt. */
bool sca_allowance_spend(struct sca_allowance *a, uint32_t nranks, unsigned layers, size_t bytes)
{
    double whole = (double)SCA_ALLOWANCE_FIRST * nranks;
    if (layers & SCA_COPY_WINDOWS)
        a->windows = (double)bytes;
    if (!a->began && (layers & SCA_COPY_WINDOWS) && (double)bytes > whole) {
        a->without_windows = true;
        return false;
    }
    a->left = (a->began ? a->left : whole) - (double)bytes;
    if (!a->began && a->left < 0)
        a->left = 0;
    a->began = true;
    return true;
}
