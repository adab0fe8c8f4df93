/*
 * Snapshots: the state of all ranks, copied as it is, into a folder that is a run directory. The
 * program does not notice. A copy holds what is recorded, not the empty space of the files.
 */
#ifndef SCA_LIVE_SNAPSHOT_H
#define SCA_LIVE_SNAPSHOT_H

/* Makes `folder`, which must not be there. SCA_OK, or SCA_EIO, SCA_EFORMAT, SCA_ENOTFOUND with a
 * message; then nothing is left of it. */
int sca_snapshot_take(const char *run, const char *folder);

#endif
