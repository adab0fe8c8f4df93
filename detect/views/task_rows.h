/*
 * Task activity graphs as rows of a table: activities, computation between them, loops that it
 * enters and leaves, requests, messages.
 */
#ifndef SCA_DETECT_TASK_ROWS_H
#define SCA_DETECT_TASK_ROWS_H

#include "activity/task_graph.h"
#include "activity/task_messages.h"
#include "views/view_input.h"

struct sca_task_rows {
    const struct sca_view_input *in;
    const struct sca_task_graph *graph; /* whose rows come next */
    const char *class_name;             /* of its ranks; NULL: it is one rank */
    struct sca_table *out;
    bool no_extremes, unknown_counts, not_whole; /* what the rows had, for the notes */
};

void sca_task_rows_columns(struct sca_table *out);
/* All of a finished graph, each kind below a line of its own. */
void sca_task_rows_add(struct sca_task_rows *rows);
/* Message edges; `other` names the other end, as "rank 3". */
void sca_task_rows_heading(struct sca_task_rows *rows, const char *text);
void sca_task_rows_message(struct sca_task_rows *rows, const struct sca_task_message *message,
                           const char *label, double pairs);
void sca_task_rows_note(struct sca_task_rows *rows);

/* Activities that the program names (scalana/region.h), of all ranks that have them. */
void sca_task_rows_phases(struct sca_task_rows *rows);
/* Calls of a collective; bytes as its members count them. */
void sca_task_rows_collective(struct sca_task_rows *rows, uint32_t vertex, double calls,
                              double bytes, const char *label);

#endif
