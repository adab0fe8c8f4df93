/*
 * The loaded bytes of a binary by address, and what the slots are called that the loader fills: how
 * a call through the procedure linkage table gets its name.
 *
 * Belongs to whoever called sca_code_image_read(), until sca_code_image_free(); the binary must
 * outlive it. Bytes lie in the mapped file. Read-only once read: any number of threads may look.
 */
#ifndef STRUCTURE_CODE_IMAGE_H
#define STRUCTURE_CODE_IMAGE_H

#include "decode/decoder.h"
#include "sca_binary.h"

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

struct sca_code_section {
    uint64_t address;
    uint64_t size;
    const uint8_t *bytes;
    bool code;  /* executable */
    bool stubs; /* a procedure linkage table */
};

struct sca_code_slot {
    uint64_t address;
    const char *name; /* linkage name of what the loader puts there; NULL: an address */
    uint64_t value;   /* that address */
};

struct sca_code_image {
    const struct sca_decoder *decoder;
    uint64_t entry;                    /* where the system starts the program, 0 if unknown */
    struct sca_code_section *sections; /* by address */
    size_t nsections, sections_capacity;
    struct sca_code_slot *slots; /* by address */
    size_t nslots, slots_capacity;
};

/* SCA_EFORMAT: of a machine without decoder. SCA_ENOMEM. */
int sca_code_image_read(struct sca_binary *binary, struct sca_code_image *out);
void sca_code_image_free(struct sca_code_image *image);

/* The section of an address, NULL if nothing is loaded there. */
const struct sca_code_section *sca_code_image_section(const struct sca_code_image *image,
                                                      uint64_t address);
/* From the address to the end of its section; false if no code lies there. */
bool sca_code_image_code(const struct sca_code_image *image, uint64_t address,
                         struct sca_code_bytes *out);
/* `width` bytes of constant data, little-endian; false if they are not in the file. */
bool sca_code_image_data(const struct sca_code_image *image, uint64_t address, unsigned width,
                         uint64_t *value);
/* What a call to the address or through the slot leads to outside of the file, NULL if unknown. */
const char *sca_code_image_stub(const struct sca_code_image *image, uint64_t address);
const char *sca_code_image_slot(const struct sca_code_image *image, uint64_t slot);

#endif
