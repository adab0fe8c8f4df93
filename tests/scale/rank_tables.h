/*
 * One rank of a generated run, in the tables that the runtime would have filled.
 */
#ifndef SCA_SCALE_RANK_TABLES_H
#define SCA_SCALE_RANK_TABLES_H

#include "places.h"
#include "plan.h"
#include "profile/tables.h"

struct scale_rows { /* a table that grows; emptied, not freed, between ranks */
    char *bytes;
    uint32_t count, room;
};

struct scale_window { /* the same ones on every rank */
    uint64_t number, class_total;
    uint32_t duration_class;
};

struct scale_run {
    const char *program; /* path of the binary */
    const struct scale_plan *plan;
    const struct scale_places *places;
    struct scale_window *windows;
    uint32_t nwindows;
    bool no_samples;
    uint32_t jumping; /* this rank's clock jumps by an hour; SCA_NONE: nobody's */
};

enum {
    SCALE_EPOCHS = 4, /* phases to a window */
    SCALE_PERIOD_NS = 5000000
};

/* Choosing them is sca_scale's own: by class of duration, evenly. From malloc. */
void scale_choose_windows(struct scale_run *run, uint32_t most);

/* Fills `rows` for the rank; the tables point into them. */
struct sca_tables scale_rank_tables(const struct scale_run *run, uint32_t rank,
                                    struct scale_rows rows[SCA_T_COUNT]);

/* Appends records; ends the program when there is no memory. */
uint32_t scale_rows_add(struct scale_rows *rows, enum sca_part_table table, const void *records,
                        uint32_t n);

#endif
