/*
 * Metadata of a run next to its profile: the file `meta.json` of a run directory, an
 * object whose values are texts. "command", "launcher", "host", "date", "git" and "compilers" are
 * written by `scalana run`; other keys are the user's.
 */
#ifndef SCA_RUN_META_H
#define SCA_RUN_META_H

#include <stddef.h>

#define SCA_RUN_META_FILE "meta.json"

struct sca_run_meta {
    struct sca_run_note {
        char *key, *value;
    } *notes;
    size_t count;
};

/* Adds a copy; a key that is there gets the new value. SCA_OK, or SCA_ENOMEM with a message. */
int sca_run_meta_put(struct sca_run_meta *meta, const char *key, const char *value);
void sca_run_meta_free(struct sca_run_meta *meta);

/* SCA_OK, or SCA_EIO with a message. */
int sca_run_meta_write(const struct sca_run_meta *meta, const char *directory);
/* A directory without the file, or with a damaged one, has no notes. */
void sca_run_meta_read(struct sca_run_meta *meta, const char *directory);

#endif
