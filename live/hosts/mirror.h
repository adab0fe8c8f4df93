/*
 * A run directory on this host with the states of ranks of other hosts, so that all that reads a
 * run reads those as well. A folder of its own in $TMPDIR or /tmp, for its user alone.
 */
#ifndef SCA_LIVE_MIRROR_H
#define SCA_LIVE_MIRROR_H

#include "hosts/host.h"

/* Its path, the caller's to free; NULL with a message. */
char *sca_mirror_make(void);
/* All parts anew, as of that look. Of ranks whose collector is lost, or has not answered it, nobody
 * knows what they do. SCA_EIO. */
int sca_mirror_write(const char *folder, const struct sca_host *hosts, uint32_t n, uint64_t look);
/* With all that is in it. */
void sca_mirror_remove(const char *folder);

#endif
