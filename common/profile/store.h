/*
 * profile.sca: the container of a finished run (doc/FORMATS.md section 3).
 *
 * Writing is done by rank 0 inside Finalize: no allocation, everything lies in memory of the
 * caller's. Reading is for the tools: it checks every byte by its checksum before using it.
 */
#ifndef SCA_STORE_H
#define SCA_STORE_H

#include "sca_wire.h"

#include <stdbool.h>

#define SCA_STORE_MAGIC   "SCALANA"
#define SCA_STORE_VERSION 7u
#define SCA_STORE_OLDEST  3u /* that is read: none before was released */

enum {
    SCA_STORE_HEADER = 20,    /* magic, version, ranks, checksum: the same in every version */
    SCA_CHUNK_HEADER = 28,    /* tag, coding, raw length, stored length, checksum */
    SCA_STORE_GROUP = 1 << 19 /* bytes of images in a group, more only where one alone has more */
};
enum sca_chunk_tag {
    SCA_CHUNK_META = 0x4154454d,   /* "META": key NUL value NUL ... */
    SCA_CHUNK_RANKS = 0x4b4e4152,  /* "RANK": a group of rank images, column by column */
    SCA_CHUNK_CODE = 0x45444f43,   /* "CODE": what is kept of a file that took part (kept.h) */
    SCA_CHUNK_SERIES = 0x49524553, /* "SERI": what each iteration took (series_marks.h) */
    SCA_CHUNK_END = 0x20444e45     /* "END ": number of chunks before it */
};
/* How a section of a group lies since version 7. */
enum sca_section_form { SCA_FORM_BYTES = 0, SCA_FORM_PLANES = 1 };
enum sca_chunk_coding { SCA_CODING_RAW = 0, SCA_CODING_DEFLATE = 1 };

struct sca_store_image {
    const void *bytes;
    size_t length;
};

/* Scratch and output that always suffice for images of `total` bytes together. */
size_t sca_store_scratch(size_t total, uint32_t nranks);
size_t sca_store_bound(size_t total, uint32_t nranks, size_t meta_length);
/* Piece by piece, so that whoever writes need not hold all images: begin, then the ranks in groups
 * of any size, rising, then end with the number of chunks since the beginning. The caller may take
 * out's bytes away in between (length = 0). Scratch as for the images of the call. */
void sca_store_begin(struct sca_writer *out, uint32_t nranks, const void *meta, size_t meta_length,
                     void *scratch, size_t scratch_size);
void sca_store_group(struct sca_writer *out, const struct sca_store_image *images, uint32_t first,
                     uint32_t n, void *scratch, size_t scratch_size);
void sca_store_end(struct sca_writer *out, uint32_t chunks, void *scratch, size_t scratch_size);
/* Kept code, if it packs into the room that `out` has; false leaves `out` as it was. Scratch as for
 * no images. */
bool sca_store_code(struct sca_writer *out, const void *content, size_t length, void *scratch,
                    size_t scratch_size);
/* The series, which takes SCA_CHUNK_HEADER more at most. */
void sca_store_series(struct sca_writer *out, const void *content, size_t length, void *scratch,
                      size_t scratch_size);
/* Writes the whole file into out; out->failed when something did not fit or an image is not one. */
void sca_store_write(struct sca_writer *out, const struct sca_store_image *images, uint32_t nranks,
                     const void *meta, size_t meta_length, void *scratch, size_t scratch_size);

/* One chunk, checked and still compressed. */
struct sca_chunk {
    uint32_t tag, coding;
    uint64_t raw_length;
    size_t at; /* offset in the file, for messages */
    const uint8_t *stored;
    size_t stored_length;
};
/* The header: SCA_OK and *nranks, else SCA_EFORMAT or SCA_EVERSION. path is for messages. */
int sca_store_open(const char *path, struct sca_reader *file, uint32_t *nranks);
/* The next chunk, its checksum verified. */
int sca_store_next(const char *path, struct sca_reader *file, struct sca_chunk *out);
/* Fills raw_length bytes. */
int sca_store_unpack(const char *path, const struct sca_chunk *chunk, void *raw);

#endif
