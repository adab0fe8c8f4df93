/*
 * Durations: number, mean, standard deviation and classes. They are all that there were, as the run
 * counted them, or some that were seen one by one and may stand for more than themselves. The
 * weighted updating formulas are those of D. H. D. West (Comm. ACM 22(9), 1979).
 */
#ifndef SCA_DETECT_TASK_SAMPLE_H
#define SCA_DETECT_TASK_SAMPLE_H

#include "sca_profile.h"

#include <stdint.h>

/* Class k: 2^k to 2^(k+1) ns; the last one all above. */
enum { SCA_TASK_CLASSES = 44 };

struct sca_task_sample {
    double count; /* seen */
    double weight, mean, squares;
    double classes[SCA_TASK_CLASSES]; /* seen, by their duration */
    uint32_t shortest;                /* this class has those of all before it */
};

/* `weight` > 0: how many durations this one stands for. */
void sca_task_sample_add(struct sca_task_sample *sample, double seconds, double weight);
/* All instances, as the run counted them. */
void sca_task_sample_add_all(struct sca_task_sample *sample, const struct sca_durations *all);
/* Those of `from` too (T. F. Chan et al., The American Statistician 37, 1983). */
void sca_task_sample_unite(struct sca_task_sample *to, const struct sca_task_sample *from);
/* NAN below two. */
double sca_task_sample_deviation(const struct sca_task_sample *sample);
/* Shortest duration of a class, in seconds. */
double sca_task_sample_class_begin(const struct sca_task_sample *sample, uint32_t k);
/* The first class that has any, and how many follow up to the last that has; 0: none. */
uint32_t sca_task_sample_classes(const struct sca_task_sample *sample, uint32_t *first);

#endif
