/*
 * The folder of one `scalana run`: a run directory for each run (4p, 4p.2 ...), report.json and
 * report.html. Texts are the caller's to free.
 */
#ifndef SCA_CLI_RESULT_FOLDER_H
#define SCA_CLI_RESULT_FOLDER_H

#include "sca_words.h"
#include <stdbool.h>

#define SCA_RESULT_REPORT "report.json"
#define SCA_RESULT_PAGE   "report.html"

/* Makes a new one: `wanted`, or scalana-PROGRAM; .2, .3 ... behind it if there is one. NULL with a
 * message: it cannot be made. */
char *sca_result_folder_make(const char *wanted, const char *program);
/* FOLDER/8p for the first run on 8 ranks (0), FOLDER/8p.2 for the next; FOLDER/8p-4t of 4 threads
 * each (0: not told). */
char *sca_result_folder_run(const char *folder, unsigned ranks, unsigned threads,
                            unsigned repetition);

/* Is it a run directory: does it hold a profile, or ranks' parts? */
bool sca_result_folder_is_run(const char *path);
/* Adds the run directories in a folder, by ranks, threads, then repetition; how many there are. */
unsigned sca_result_folder_runs(const char *folder, struct sca_words *runs);
/* The result folder in the working directory that was written last; NULL: there is none. */
char *sca_result_folder_newest(void);

/* Ranks of a finished run; 0: there is no whole profile. */
unsigned sca_result_folder_ranks(const char *run);

#endif
