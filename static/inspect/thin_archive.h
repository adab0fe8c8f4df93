/*
 * Thin archives (`ar rcT`), which name their members instead of holding them; libelf does not read
 * them. Layout: GNU ar(1), as in System V archives, with member names in the table "//".
 */
#ifndef THIN_ARCHIVE_H
#define THIN_ARCHIVE_H

#include "sca_words.h"
#include <stdbool.h>

bool sca_thin_archive_is_one(int fd);
/* Adds the paths of the members, as they are found from here. SCA_EIO, or SCA_EFORMAT if it is
 * damaged. */
int sca_thin_archive_members(const char *path, struct sca_words *members);

#endif
