/*
 * Errors, as every stage returns them.
 *
 * A function that can fail returns SCA_OK or one of the negative codes below. The message is set
 * where the fault is seen, with the file and the byte offset or the reason; only a main.c prints
 * it and picks the exit status. The message is thread-local and stays valid until the next
 * sca_error() of the same thread. Not for signal handlers; prof/ does not use it.
 */
#ifndef SCA_ERROR_H
#define SCA_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

enum sca_status {
    SCA_OK = 0,
    SCA_EIO = -1,       /* the system said no: open, read, write, map */
    SCA_EFORMAT = -2,   /* not what it claims to be, truncated, out of range */
    SCA_EVERSION = -3,  /* a format newer than this reader */
    SCA_ENOMEM = -4,    /* out of memory, or a fixed buffer is full */
    SCA_EINVAL = -5,    /* a wrong option or argument */
    SCA_ENOTFOUND = -6, /* no such file, section, symbol or vertex */
    SCA_EMISMATCH = -7  /* two things that must belong together do not */
};

/* Sets this thread's message (printf style, at most 511 bytes kept) and returns code. */
int sca_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message of the last failure on this thread; "" if there was none. Never NULL. */
const char *sca_error_message(void);

/* Exit statuses of every command (contract): done, failed, wrong usage, threshold exceeded. */
enum sca_exit { SCA_EXIT_OK = 0, SCA_EXIT_FAILED = 1, SCA_EXIT_USAGE = 2, SCA_EXIT_ABOVE = 3 };

#ifdef __cplusplus
}
#endif
#endif
