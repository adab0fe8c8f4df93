/*
 * Which causes a watcher has reported. A cause is reported once for as long as it is among the
 * causes of looks, and again only after a look without it. Causes of one category, place and ranks
 * are the same, whatever their figures. Owned by the watcher; freed with sca_told_free().
 */
#ifndef SCA_LIVE_TOLD_H
#define SCA_LIVE_TOLD_H

#include <stdbool.h>
#include <stdint.h>

struct sca_told {
    char **keys;
    uint32_t n;
};

/* A look has found these causes: others are forgotten. */
void sca_told_keep(struct sca_told *told, char *const *keys, uint32_t n);
/* True: it has not been reported, and counts as reported from now on. */
bool sca_told_is_new(struct sca_told *told, const char *key);
void sca_told_free(struct sca_told *told);

#endif
