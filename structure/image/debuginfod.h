/*
 * Files by build-id from the servers that DEBUGINFOD_URLS names, through libdebuginfod, where that
 * is installed: it is opened when first asked for. Without the variable nothing is asked.
 *
 * A server that sends nothing is waited for at most SCA_DEBUGINFOD_SECONDS, unless
 * DEBUGINFOD_TIMEOUT says otherwise; after one that did not answer none is asked again. One thread
 * at a time.
 */
#ifndef STRUCTURE_DEBUGINFOD_H
#define STRUCTURE_DEBUGINFOD_H

enum { SCA_DEBUGINFOD_SECONDS = 10 };
enum sca_debuginfod_kind { SCA_DEBUGINFOD_EXECUTABLE, SCA_DEBUGINFOD_DEBUG };

/* The file in debuginfod's own cache, malloc()ed; NULL: there is none, or nobody to ask.
 * `build_id`: hex digits. */
char *sca_debuginfod_find(const char *build_id, enum sca_debuginfod_kind kind);

#endif
