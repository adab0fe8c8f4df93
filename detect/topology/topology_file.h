/*
 * A topology of the user's own, from a file: a line for each rank, its number and its coordinates,
 * with blanks, tabs or commas between. A first line that begins with the word "rank" names the
 * dimensions. Empty lines and what follows a "#" do not count.
 *
 *     rank,x,y
 *     0,0,0
 *     1,0,1
 */
#ifndef SCA_DETECT_TOPOLOGY_FILE_H
#define SCA_DETECT_TOPOLOGY_FILE_H

#include "base/workspace.h"
#include "sca_topology.h"

/* For a run of nranks ranks, in the workspace; out of memory, it jumps. SCA_ENOTFOUND, SCA_EIO: it
 * cannot be read. SCA_EFORMAT: not such a file, a rank without a line, two ranks in one place, more
 * than SCA_MOST_DIMENSIONS dimensions; the message has file and line. */
int sca_topology_file_read(struct sca_workspace *space, const char *path, uint32_t nranks,
                           struct sca_topology *out);

#endif
