/*
 * The user's cache: $XDG_CACHE_HOME/scalana, or ~/.cache/scalana (XDG Base Directory
 * Specification; a relative $XDG_CACHE_HOME is to be ignored). What lies there can be made again:
 * anybody may remove it at any time.
 */
#ifndef SCA_CACHE_FOLDER_H
#define SCA_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder for what is called `kind`, whether it is there or not. False: the user has no cache,
 * or its name is longer than `size`. */
bool sca_cache_folder(const char *kind, char *path, size_t size);
/* Makes a folder and those above it, for the user alone. Says nothing where it cannot. */
void sca_cache_make_folder(char *path);

#endif
