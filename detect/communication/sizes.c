#include "communication/sizes.h"

#include <math.h>

enum { FACTOR = 4 };

void sca_spread_add(struct sca_spread *s, double value)
{
    double off = value - s->mean;
    s->least = s->count > 0 ? fmin(s->least, value) : value;
    s->most = s->count > 0 ? fmax(s->most, value) : value;
    s->count++;
    s->mean += off / s->count;
    s->squares += off * (value - s->mean);
}

void sca_spread_merge(struct sca_spread *s, double count, double mean, double squares)
{
    double off = mean - s->mean, all = s->count + count;
    if (!(count > 0))
        return;
    s->squares += squares + off * off * s->count * count / all;
    s->mean += off * count / all;
    s->count = all;
}

double sca_spread_deviation(const struct sca_spread *s)
{
    return s->count > 1 ? sqrt(s->squares / (s->count - 1)) : (double)NAN;
}

uint32_t sca_size_class(double bytes)
{
    uint32_t k = 0;
    for (double end = 1; bytes >= end && k + 1 < SCA_SIZE_CLASSES; end *= FACTOR)
        k++;
    return k;
}

double sca_size_class_begin(uint32_t size_class)
{
    return size_class ? pow(FACTOR, size_class - 1.0) : 0;
}
