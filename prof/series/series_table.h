/*
 * A series in a table of bounded size: marks of running totals, one where an iteration ends. Where
 * a section has more than SCA_SERIES_SECTION_MARKS, every second one goes: neighbours merge, their
 * sums stay exact, and the distance between marks doubles. A mark stays where the distance divides
 * its number, so that ranks that iterate alike keep the same ones.
 *
 * Loops that follow each other are sections. A loop that comes round again while others have been
 * counted since is taken to be around them: their sections go. But where it had many iterations
 * without any, and another has many since, the loops alternate, and it begins a section anew.
 *
 * Counters lie beside the marks. They are read where a mark is kept: one that is about to go, or
 * that stands for the end of a section alone, has none.
 *
 * One thread at a time. Never allocates. A process may die at any moment: marks are whole up to
 * `count`, and while they are thinned out it is as if the later ones were not there.
 */
#ifndef SCA_PROF_SERIES_TABLE_H
#define SCA_PROF_SERIES_TABLE_H

#include "profile/series_events.h"
#include "sca_part.h"
#include <stdbool.h>

enum { SCA_SERIES_SECTION_MARKS = 512, SCA_SERIES_SECTIONS = 16 };

struct sca_series_section {
    uint64_t loop;   /* what it is known by; not 0 */
    uint32_t first;  /* mark: its beginning */
    uint32_t stride; /* iterations between two marks: a power of two */
    uint32_t counted;
    bool around; /* others lay in its iterations */
};

struct sca_series_table {
    struct sca_part_mark *marks;    /* NULL: nothing is kept */
    struct sca_mark_events *events; /* of each mark; NULL: nothing is counted */
    uint32_t *count;                /* of marks, where readers look */
    uint32_t capacity;              /* at least 2 * SCA_SERIES_SECTION_MARKS */
    uint32_t nsections;
    struct sca_part_mark last; /* the end of the last iteration, kept or not */
    struct sca_series_section section[SCA_SERIES_SECTIONS];
};

void sca_series_table_begin(struct sca_series_table *table, struct sca_part_mark *marks,
                            struct sca_mark_events *events, uint32_t *count, uint32_t capacity);
/* Whether that mark would be kept. */
bool sca_series_table_keeps(const struct sca_series_table *table, uint64_t loop, uint32_t number);
/* The loop has come round for the `now->number`-th time; section and begins are set here. True: a
 * mark was kept, at marks[*count - 1]. `events`: as they are now; NULL: not known. */
bool sca_series_table_add(struct sca_series_table *table, uint64_t loop,
                          const struct sca_part_mark *now, const struct sca_mark_events *events);
/* What was kept since then, but for sections that began before: these lose their later marks. */
void sca_series_table_drop_since(struct sca_series_table *table, uint64_t end_ns);
/* The latest sections of these loops. */
void sca_series_table_drop_within(struct sca_series_table *table, bool (*is_within)(uint64_t loop));
/* The sections behind this loop's latest one go: they lie within its iteration. */
void sca_series_table_hold(struct sca_series_table *table, uint64_t loop);
/* Keeps the end of the last iteration, if it is not kept yet. */
void sca_series_table_end(struct sca_series_table *table);

#endif
