/*
 * Calls that the loader has bound past what is preloaded: in files opened with RTLD_DEEPBIND, which
 * look in what they are linked with first, and in namespaces of dlmopen, in which nothing is
 * preloaded. Their slots for MPI's functions are given this library's, as preloading would have.
 * Any thread, not in a handler.
 */
#ifndef SCA_PROF_REBIND_H
#define SCA_PROF_REBIND_H

/* Looks at the files that were loaded since the last time. */
void sca_rebind_look(void);
/* An MPI library was found by this handle. */
void sca_rebind_found(void *handle);
/* Functions of other libraries, which are called by way of this one where they are there. */
struct sca_rebind_name {
    const char *name;
    void *own;   /* called in its place, */
    void **real; /* and what it calls: set before that; untouched where no file has it */
};
/* Slots of all files of the first namespace but those that have the functions themselves. */
void sca_rebind_names(const struct sca_rebind_name *names, unsigned n);
/* Files have gone: others may come to lie there. */
void sca_rebind_forget(void);
/* Why calls may still have passed by, in words: MPI is ready or was, and no call of it has come
 * here. NULL: it is not. */
const char *sca_rebind_passed_by(void);

#endif
