#include "image/landing_pads.h"
#include "sca_error.h"
#include "sca_wire.h"

#include <dwarf.h>
#include <stdlib.h>

/* A number as one byte before it says: of fixed width, or LEB128. */
static uint64_t get_encoded(struct sca_reader *r, uint8_t encoding)
{
    unsigned bytes = 8;
    switch (encoding & 0x07) {
    case DW_EH_PE_uleb128: /* signed ones are written by nobody */
        return sca_wire_get_varint(r);
    case DW_EH_PE_udata2:
        bytes = 2;
        break;
    case DW_EH_PE_udata4:
        bytes = 4;
        break;
    default:
        break;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)sca_wire_get_u8(r) << 8 * i;
    unsigned unused = 64 - 8 * bytes;
    return encoding & DW_EH_PE_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static int add(struct sca_landing_pads *pads, struct sca_landing_pad pad)
{
    if (sca_arena_grow(&pads->list, sizeof *pads->list, pads->count, &pads->capacity))
        return SCA_ENOMEM;
    pads->list[pads->count++] = pad;
    return SCA_OK;
}

static int read_calls(struct sca_landing_pads *pads, struct sca_reader *r, uint8_t encoding,
                      uint64_t function, uint64_t base)
{
    size_t length = sca_wire_get_varint(r), end = r->position + length;
    int status = SCA_OK;
    while (!status && !r->failed && r->position < end) {
        uint64_t start = get_encoded(r, encoding), size = get_encoded(r, encoding);
        uint64_t pad = get_encoded(r, encoding);
        sca_wire_get_varint(r); /* what is done there */
        if (!r->failed && pad)
            status = add(pads, (struct sca_landing_pad){function + start, function + start + size,
                                                        base + pad});
    }
    return status;
}

int sca_landing_pads_add(struct sca_landing_pads *pads, const struct sca_code_image *image,
                         uint64_t function, uint64_t table)
{
    const struct sca_code_section *s = sca_code_image_section(image, table);
    struct sca_reader r;
    uint64_t base = function;
    if (!s)
        return SCA_OK;
    sca_wire_reader_init(&r, s->bytes + (table - s->address), s->size - (table - s->address));
    uint8_t encoding = sca_wire_get_u8(&r);
    if (encoding != DW_EH_PE_omit) { /* pads are relative to another place, as to a cold part */
        uint64_t at = table + r.position;
        base = get_encoded(&r, encoding);
        base += (encoding & 0x70) == DW_EH_PE_pcrel ? at : 0;
    }
    if (sca_wire_get_u8(&r) != DW_EH_PE_omit) /* where the types are */
        sca_wire_get_varint(&r);
    encoding = sca_wire_get_u8(&r);
    return r.failed ? SCA_OK : read_calls(pads, &r, encoding, function, base);
}

static int by_low(const void *a, const void *b)
{
    const struct sca_landing_pad *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

void sca_landing_pads_sort(struct sca_landing_pads *pads)
{
    if (pads->count)
        qsort(pads->list, pads->count, sizeof *pads->list, by_low);
}

uint64_t sca_landing_pads_find(const struct sca_landing_pads *pads, uint64_t call)
{
    size_t low = 0, high = pads->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pads->list[middle].low <= call)
            low = middle + 1;
        else
            high = middle;
    }
    return low && call < pads->list[low - 1].high ? pads->list[low - 1].pad : 0;
}
