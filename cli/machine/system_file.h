/*
 * Small files of the system (/proc, /sys, /etc), perhaps of another root: that of a container's
 * image, or of a test.
 */
#ifndef SCA_CLI_SYSTEM_FILE_H
#define SCA_CLI_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The file's text, cut at the size, without the line end; false: there is no such file. `root` is
 * "" or a folder. */
bool sca_system_file_read(const char *root, const char *path, char *text, size_t size);
bool sca_system_file_exists(const char *root, const char *path);

#endif
