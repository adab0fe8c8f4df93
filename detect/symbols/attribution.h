/*
 * From an address to the functions and graph vertices it belongs to.
 *
 * Add every module of every run first, call sca_attribution_ready(), then look places up: indices
 * of the graph's functions move while sections are still being added. Places and their strings
 * belong to the attribution until sca_attribution_free(). Each address is worked out once.
 */
#ifndef SCA_DETECT_ATTRIBUTION_H
#define SCA_DETECT_ATTRIBUTION_H

#include "sca_arena.h"
#include "symbols/find_binary.h"
#include "symbols/place.h"
#include "sca_profile.h"
#include "sca_psg.h"

struct sca_attribution {
    struct sca_arena arena;
    struct sca_psg psg;
    uint32_t nmodules;
    struct sca_code *modules;
    struct sca_address_memo *memo;
    uint32_t nnotes;
    const char **notes; /* plain sentences for the report */
    size_t modules_capacity, notes_capacity;
    struct sca_binary_places places; /* where files are looked for; set before adding */
    bool cache; /* structures recovered from code are kept for the next analysis */
};

/* Zero-initialise, then add. `program`: this is the main program, without which there is no
 * analysis (SCA_ENOTFOUND, SCA_EFORMAT); a library that cannot be found or read is a note. A
 * file that changed since the run, of which the run kept nothing, is SCA_EMISMATCH for the program,
 * a note for a library. Equal modules get
 * equal indices. */
int sca_attribution_add(struct sca_attribution *a, const struct sca_module *module, bool program,
                        uint32_t *index);
/* Reads those that are the application's, and notes what the program's graph lacks. No
 * sca_attribution_add() after it. */
int sca_attribution_ready(struct sca_attribution *a);
void sca_attribution_free(struct sca_attribution *a);

/* `offset` and `kind` as in struct sca_node. */
int sca_attribution_lookup(struct sca_attribution *a, uint32_t module, uint64_t offset,
                           uint32_t kind, const struct sca_address_info **out);

/* Whether the code at the place has several symbols, and this is one. */
bool sca_attribution_is_called(const struct sca_attribution *a, uint32_t module, uint64_t offset,
                               uint32_t kind, const char *linkage);

/* The library, or the program's source file or function, that a place of the user's code without
 * graph is in; NULL if it has a graph, or is not the user's to compile, or if no part of the
 * program has one, which sca_attribution_ready() says. */
const char *sca_attribution_ungraphed(const struct sca_attribution *a, uint32_t module,
                                      const struct sca_address_info *place);

/* The distribution's library that a place is in, if the program is the distribution's as well: its
 * work is there, while a user's program is told by its call. Else NULL. */
const char *sca_attribution_system_library(const struct sca_attribution *a, uint32_t module);

int sca_attribution_note(struct sca_attribution *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
