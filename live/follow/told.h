/*
 * Which causes a watcher has told. A cause is told once for as long as it is among a report's
 * causes: again only after a look in which it was not there. It is the same one for as long as
 * category, place and ranks are the same; figures may change with each look.
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
/* True: it has not been told, and counts as told from now on. */
bool sca_told_is_new(struct sca_told *told, const char *key);
void sca_told_free(struct sca_told *told);

#endif
