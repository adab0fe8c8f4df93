/*
 * Source files: where they are on this machine, and their lines. One file is kept in memory, the
 * last one asked for. Strings given as mappings and directories are borrowed.
 */
#ifndef SCA_SOURCE_H
#define SCA_SOURCE_H

#include <stddef.h>
#include <time.h>

enum { SCA_MAX_MAPPINGS = 16 };

struct sca_sources {
    struct {
        char *from, *to; /* owned */
    } mapping[SCA_MAX_MAPPINGS];
    int nmappings;
    char *report_directory; /* owned */
    time_t written;         /* when the report was; 0 unknown */
    /* the file in memory */
    char *recorded, *found; /* as the report names it; where it was, NULL if nowhere */
    char *bytes;
    size_t *line; /* start of each line in bytes, and the end of the last */
    size_t nlines;
    time_t changed;
};

/* A zeroed struct is ready for mappings; this tells it where the report is. */
void sca_source_open(struct sca_sources *sources, const char *report_path);
void sca_source_close(struct sca_sources *sources);
/* "OLD=NEW": files recorded below OLD are looked for below NEW. SCA_EINVAL with a message. */
int sca_source_map(struct sca_sources *sources, const char *mapping);
/* Brings a file of the report into memory; SCA_ENOTFOUND if it is nowhere. */
int sca_source_load(struct sca_sources *sources, const char *recorded);

#endif
