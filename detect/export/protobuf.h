/*
 * Messages of Protocol Buffers, written field by field
 * (https://protobuf.dev/programming-guides/encoding/). A message is a growing buffer; one message
 * goes into another as bytes.
 */
#ifndef SCA_DETECT_PROTOBUF_H
#define SCA_DETECT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_protobuf { /* {0} is empty; free() bytes */
    uint8_t *bytes;
    size_t length, capacity;
    bool failed; /* out of memory: what was added since is lost */
};

void sca_protobuf_varint(struct sca_protobuf *message, uint32_t field, uint64_t value);
void sca_protobuf_fixed64(struct sca_protobuf *message, uint32_t field, uint64_t value);
void sca_protobuf_text(struct sca_protobuf *message, uint32_t field, const char *text);
/* Adds the inner message and empties it. */
void sca_protobuf_message(struct sca_protobuf *message, uint32_t field, struct sca_protobuf *inner);

#endif
