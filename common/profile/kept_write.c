#include "profile/kept.h"

void sca_kept_put_head(struct sca_writer *w, const struct sca_kept_head *head)
{
    sca_wire_put_varint(w, SCA_KEPT_VERSION);
    sca_wire_put_string(w, head->path);
    sca_wire_put_string(w, head->build_id);
    sca_wire_put_varint(w, head->extent);
    sca_wire_put_varint(w, head->size);
    sca_wire_put_varint(w, head->nranges);
}

void sca_kept_put_range(struct sca_writer *w, uint64_t offset, const void *bytes, size_t length)
{
    sca_wire_put_varint(w, offset);
    sca_wire_put_varint(w, length);
    sca_wire_put_bytes(w, bytes, length);
}
