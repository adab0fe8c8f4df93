/*
 * The tables of one rank in few bytes: by column, each as wide as its values need, and columns that
 * are equal to those of ranks before stored once. Ranks of an SPMD program resemble each other, so
 * most of what is left are their times. Exact: unpacking gives back what was packed, but for what
 * no tool asks for (sca_profile_load_packed()).
 */
#ifndef SCA_RANK_PACK_H
#define SCA_RANK_PACK_H

#include "base/region.h"
#include "profile/packed_fields.h"
#include "sca_profile.h"

enum { SCA_PACK_RECENT = 8 };

struct sca_packer {
    struct sca_region *region; /* what is packed lives here */
    uint64_t *values;          /* of the column at hand */
    size_t room;
    struct sca_region scratch; /* one rank's windows */
    struct {
        const uint8_t *bytes[SCA_PACK_RECENT];
        size_t length[SCA_PACK_RECENT];
        uint32_t next;
    } recent[SCA_PACKED_COLUMNS];
};

/* Replaces the rank's tables by packed ones; its arrays are NULL afterwards, and those of its
 * windows. What they were in is the caller's to free. SCA_ENOMEM: the rank is as it was. */
int sca_rank_pack(struct sca_packer *packer, struct sca_rank *rank);
void sca_rank_pack_free(struct sca_packer *packer);

#endif
