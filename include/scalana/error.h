/*
 * libscalana: status codes and messages.
 *
 * Every function that can fail returns SCALANA_OK (0) or one of the negative codes, and then leaves
 * one line of text that says what was wrong, with the file or argument. Nothing is printed, and no
 * function ends the process. Arguments are checked: NULL or an index out of range is an error with
 * a message, never a crash; a pointer that is neither NULL nor valid is not noticed.
 *
 * Threads: functions may be called from any thread. Objects may be read by several threads at a
 * time; whoever frees one sees to it that nobody uses it any longer. The message is each thread's
 * own. Exceptions are documented at the function.
 *
 * Rows: lists are read by functions that copy `count` rows from the `first` on into an array of the
 * caller's, where one takes `size` bytes: sizeof of the struct as the caller was compiled. Structs
 * only grow, at their end: an older program gets the members it knows, and a newer program with an
 * older library gets zeros for what that does not know. Strings and arrays that rows point to
 * belong to the object they are read from and live as long as it does; strings are UTF-8 or what
 * the file system has, and never NULL unless said.
 */
#ifndef SCALANA_ERROR_H
#define SCALANA_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum scalana_status {
    SCALANA_OK = 0,
    SCALANA_EIO = -1,       /* the system said no: open, read, write, map */
    SCALANA_EFORMAT = -2,   /* a file is not what it claims to be, or damaged */
    SCALANA_EVERSION = -3,  /* a file of a newer release */
    SCALANA_ENOMEM = -4,    /* out of memory */
    SCALANA_EINVAL = -5,    /* a wrong argument: NULL, out of range, no such option or value */
    SCALANA_ENOTFOUND = -6, /* no such file, run, metric or key */
    SCALANA_EMISMATCH = -7  /* runs of different programs, or a binary that changed since */
};

/* Where there is no context, location or rank to name. */
#define SCALANA_NONE UINT32_MAX

/* One line, no newline: what the last failure on this thread was; "" if there was none. Valid until
 * the next failure on this thread. */
const char *scalana_error_message(void);

/* "not found", "out of memory" ...; "unknown status" for any other number. */
const char *scalana_status_name(int status);

/* The release of the library that is running: "2.1.0". */
const char *scalana_version(void);

#ifdef __cplusplus
}
#endif
#endif
