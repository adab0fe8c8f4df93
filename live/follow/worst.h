/* The causes of a look, for a watcher: what they are and what the worst one costs. */
#ifndef SCA_LIVE_WORST_H
#define SCA_LIVE_WORST_H

#include "look/seen.h"

struct sca_worst {
    char *text;     /* of the worst cause; NULL: there is none */
    double percent; /* of ranks x wall, that fixing it saves at least */
    char **keys;    /* of all causes, the worst one first (told.h) */
    uint32_t n;
};

void sca_worst_find(const struct sca_look *look, struct sca_worst *out);
void sca_worst_free(struct sca_worst *worst);

#endif
