#include "activity/task_sample.h"

#include <math.h>

static uint32_t class_of(double seconds)
{
    double ns = 1e9 * seconds;
    if (ns < 2)
        return 0;
    int k = ilogb(ns);
    return k < SCA_TASK_CLASSES ? (uint32_t)k : SCA_TASK_CLASSES - 1;
}

void sca_task_sample_add(struct sca_task_sample *s, double seconds, double weight)
{
    double apart = seconds - s->mean;
    s->count++;
    s->weight += weight;
    s->mean += apart * weight / s->weight;
    s->squares += weight * apart * (seconds - s->mean);
    s->classes[class_of(seconds)]++;
}

void sca_task_sample_unite(struct sca_task_sample *to, const struct sca_task_sample *from)
{
    double weight = to->weight + from->weight, apart = from->mean - to->mean;
    if (!from->count)
        return;
    to->squares += from->squares + apart * apart * to->weight * from->weight / weight;
    to->mean += apart * from->weight / weight;
    to->weight = weight;
    to->count += from->count;
    for (uint32_t k = 0; k < SCA_TASK_CLASSES; k++)
        to->classes[k] += from->classes[k];
    to->shortest = from->shortest > to->shortest ? from->shortest : to->shortest;
}

void sca_task_sample_add_all(struct sca_task_sample *s, const struct sca_durations *all)
{
    double n = (double)all->count;
    struct sca_task_sample from = {.count = n,
                                   .weight = n,
                                   .mean = 1e-9 * all->total_ns / n,
                                   .squares = 1e-9 * (1e-9 * all->squares),
                                   .shortest = SCA_DURATION_CLASS_0 - 1};
    for (uint32_t k = 0; k < all->n; k++)
        from.classes[from.shortest + all->first + k] = (double)all->classes[k];
    sca_task_sample_unite(s, &from);
}

double sca_task_sample_deviation(const struct sca_task_sample *s)
{
    if (s->count < 2)
        return (double)NAN;
    return sqrt(s->squares / s->weight * s->count / (s->count - 1.0));
}

double sca_task_sample_class_begin(const struct sca_task_sample *s, uint32_t k)
{
    return k > s->shortest ? 1e-9 * ldexp(1, (int)k) : 0;
}

uint32_t sca_task_sample_classes(const struct sca_task_sample *s, uint32_t *first)
{
    uint32_t end = SCA_TASK_CLASSES;
    for (*first = 0; *first < end && s->classes[*first] <= 0;)
        ++*first;
    while (end > *first && s->classes[end - 1] <= 0)
        end--;
    return end - *first;
}
