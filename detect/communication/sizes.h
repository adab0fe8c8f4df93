/*
 * Statistics of what was seen one by one: number, mean, least, most and standard deviation, by the
 * updating formulas of B. P. Welford (Technometrics 4(3), 1962). And classes of message sizes.
 */
#ifndef SCA_DETECT_SIZES_H
#define SCA_DETECT_SIZES_H

#include <stdint.h>

struct sca_spread {
    double count, mean, squares, least, most; /* squares: of the deviations, added up */
};

void sca_spread_add(struct sca_spread *spread, double value);
/* So many values of this mean, whose squared deviations from it add up to `squares`: least and most
 * do not take part (T. F. Chan et al., 1979). */
void sca_spread_merge(struct sca_spread *spread, double count, double mean, double squares);
/* Of a sample, with count - 1; NAN below two values. */
double sca_spread_deviation(const struct sca_spread *spread);

/* Class 0 is empty messages; class k those of 4^(k-1) to 4^k - 1 bytes, the last class all above.
 */
enum { SCA_SIZE_CLASSES = 17 };

uint32_t sca_size_class(double bytes);
/* Its smallest size. */
double sca_size_class_begin(uint32_t size_class);

#endif
