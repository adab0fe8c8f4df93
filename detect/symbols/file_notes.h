/*
 * Plain sentences on files whose graph, lines or loops are not what scalana-static and -g give:
 * what is missing, and what brings it back. What is true of several files is said once.
 */
#ifndef SCA_DETECT_FILE_NOTES_H
#define SCA_DETECT_FILE_NOTES_H

#include "symbols/code.h"

/* Writes the sentence that is due at this one of the files, all of which have been read. False: it
 * lacks nothing, or a file before it has told. */
bool sca_file_note(const struct sca_code *files, uint32_t count, uint32_t file, char *text,
                   size_t size);

#endif
