/*
 * Which function of the program a DIE is, and which vertex of its graph a frame stands at: by unit
 * hash and discriminator; where these are lost, by name and line.
 */
#ifndef SCA_DETECT_GRAPH_MATCH_H
#define SCA_DETECT_GRAPH_MATCH_H

#include "symbols/place.h"
#include "sca_compile_units.h"

struct sca_identity { /* of a function: which unit numbers its vertices, and what it is called */
    const struct sca_dwarf_unit *unit;
    const char *linkage, *name; /* both "": whatever the id says */
};

/* Of a function, inlined or not, that a DIE of `unit` describes. */
struct sca_identity sca_graph_match_identify(const struct sca_units *units,
                                             const struct sca_dwarf_unit *unit, Dwarf_Die *die);

/* Fills the frame's function and vertex, at frame->line; SCA_NO_FUNCTION if it has no graph. */
void sca_graph_match_vertex(struct sca_psg *psg, const struct sca_identity *who, uint32_t id,
                            struct sca_frame *frame);

#endif
