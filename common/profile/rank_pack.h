/*
 * The tables of one rank in few bytes: by column, each as wide as its values need, and columns that
 * are equal to those of ranks before stored once. Ranks of an SPMD program resemble each other, so
 * most of what is left are their times. Exact: unpacking gives back what was packed, but for what
 * no tool asks for (sca_profile_load_packed()).
 */
#ifndef SCA_RANK_PACK_H
#define SCA_RANK_PACK_H

#include "base/region.h"
#include "sca_profile.h"

enum { SCA_PACKED_COLUMNS = 53, SCA_PACK_RECENT = 8 };

struct sca_packed_column {
    const uint8_t *bytes;
    uint64_t base;       /* added to each */
    uint8_t width, form; /* bytes per value, 0: all are the base; form: rank_pack.c */
};

struct sca_packed {
    uint32_t nevents, nops; /* of all windows, one behind the other */
    struct sca_packed_column columns[SCA_PACKED_COLUMNS];
};

struct sca_packer {
    struct sca_region *region; /* what is packed lives here */
    uint64_t *values;          /* of the column at hand */
    size_t room;
    struct {
        const uint8_t *bytes[SCA_PACK_RECENT];
        size_t length[SCA_PACK_RECENT];
        uint32_t next;
    } recent[SCA_PACKED_COLUMNS];
};

/* Replaces the rank's tables by packed ones; its arrays are NULL afterwards, and those of its
 * windows. What they were in is the caller's to free. SCA_ENOMEM: the rank is as it was. */
int sca_rank_pack(struct sca_packer *packer, struct sca_rank *rank);
void sca_packer_free(struct sca_packer *packer);

#endif
