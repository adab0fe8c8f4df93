/*
 * What the lower half of the screen can show. Each function fills an empty pane for a vertex or a
 * cause, in lines of at most `width` columns; the caller owns the pane and clears it.
 */
#ifndef SCA_PANES_H
#define SCA_PANES_H

#include "source.h"
#include "lines.h"
#include "model.h"

enum sca_pane_kind {
    SCA_SOURCE,
    SCA_CHAIN,
    SCA_BARS,
    SCA_CURVE,
    SCA_ACCOUNT,
    SCA_METRICS,
    SCA_COMMUNICATION, /* and all below: of the whole run */
    SCA_BEHAVIOUR,
    SCA_SERIES,
    SCA_TIMELINE,
    SCA_LOCKS,
    SCA_PANES
};

struct sca_pane {
    struct sca_lines lines;
    size_t fixed; /* so many first lines stay while the others scroll */
    size_t top;   /* the line to start from */
};

const char *sca_panes_name(enum sca_pane_kind kind);
/* That shows it. */
char sca_panes_key(enum sca_pane_kind kind);
/* Of the whole run, whatever is selected? */
bool sca_panes_is_whole(enum sca_pane_kind kind);
/* The file with the vertex's lines marked; `skip` columns are scrolled away to the left. */
void sca_source_pane(struct sca_pane *pane, const struct sca_model *model,
                     struct sca_sources *sources, uint32_t vertex, int skip, int width);
/* Who waits for the cause, hop by hop; for a vertex that is none, the causes it suffers from. */
void sca_chain_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t cause,
                    uint32_t vertex, int width);
/* Of the chosen metric, with what is below the vertex or alone; if none is, of its time. */
void sca_bars_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex,
                   bool below, int width);
void sca_curve_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex,
                    int width);
/* Of the whole run, whatever is selected. */
void sca_communication_pane(struct sca_pane *pane, const struct sca_model *model, int width);
/* Which threads wait for whose locks. */
void sca_locks_pane(struct sca_pane *pane, const struct sca_model *model, int width);
/* Classes of ranks, ranks that left theirs, and advice. */
void sca_behaviour_pane(struct sca_pane *pane, const struct sca_model *model, int width);
void sca_account_pane(struct sca_pane *pane, const struct sca_model *model, int width);

#endif
