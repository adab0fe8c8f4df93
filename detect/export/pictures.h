/*
 * Graphs of the largest run as pictures: tag, ptag and ppg, in the format that the file's name ends
 * in (.dot, .gv, .graphml, .svg), and graphml, which is ptag in that format with all its places.
 */
#ifndef SCA_DETECT_PICTURES_H
#define SCA_DETECT_PICTURES_H

#include "base/settings.h"
#include "graph/ppg.h"

#include <stdbool.h>

/* Is the FORMAT of FORMAT:FILE one of these? */
bool sca_pictures_has(const char *wish);
/* SCA_EINVAL with a message: the file's name does not say in which format. */
int sca_pictures_check(const char *wish);
/* Carries out a wish that was checked. SCA_EINVAL: no such rank, or too large to be drawn; SCA_EIO,
 * SCA_ENOMEM; an earlier file then stays. */
int sca_pictures_write(const struct sca_ppg *ppg, const struct sca_settings *settings,
                       const char *wish);

#endif
