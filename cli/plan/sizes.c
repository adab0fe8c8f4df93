#include "plan/sizes.h"

void sca_sizes_choose(struct sca_run_settings *s, unsigned slots)
{
    unsigned largest = 2;
    if (s->nsizes)
        return;
    while (largest <= slots / 2)
        largest *= 2;
    if (s->nthreads) {
        s->sizes[s->nsizes++] = largest;
        return;
    }
    for (unsigned part = 4; part; part /= 2)
        if (largest >= part)
            s->sizes[s->nsizes++] = largest / part;
}

unsigned sca_sizes_threads(const struct sca_run_settings *s, unsigned otherwise)
{
    unsigned most = 0;
    for (unsigned i = 0; i < s->nthreads; i++)
        most = s->threads[i] > most ? s->threads[i] : most;
    return most ? most : otherwise;
}

unsigned sca_sizes_largest(const struct sca_run_settings *s)
{
    unsigned largest = 0;
    for (unsigned i = 0; i < s->nsizes; i++)
        largest = s->sizes[i] > largest ? s->sizes[i] : largest;
    return largest;
}
