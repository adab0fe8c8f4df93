/* show_places BINARY: file addresses on stdin, in hexadecimal; for each a line of the address and
 * then what it is part of, innermost first: KIND:LINE of every vertex around it, or NAME() of a
 * function that has no graph. */
#include "symbols/attribution.h"
#include "sca_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void show_frame(const struct sca_attribution *a, const struct sca_frame *frame)
{
    if (frame->function == SCA_NO_FUNCTION) {
        printf(" %s()", frame->name);
        return;
    }
    const struct sca_vertex *vertices = a->psg.functions[frame->function].vertices;
    for (uint32_t v = frame->vertex;; v = vertices[v].parent) {
        printf(" %s:%" PRIu32, sca_psg_kind_name(vertices[v].kind), vertices[v].line);
        if (!v)
            return;
    }
}

static int show_all(struct sca_attribution *a, uint32_t module)
{
    uint64_t address;
    while (scanf("%" SCNx64, &address) == 1) {
        const struct sca_address_info *place;
        int status = sca_attribution_lookup(a, module, address, SCA_NODE_PC, &place);
        if (status)
            return status;
        printf("%" PRIx64, address);
        for (uint32_t i = place->nframes; i-- > 0;)
            show_frame(a, &place->frames[i]);
        putchar('\n');
    }
    return SCA_OK;
}

int main(int argc, char **argv)
{
    struct sca_attribution a = {0};
    struct sca_module module = {argc == 2 ? argv[1] : "", ""};
    uint32_t index = 0;
    int status = sca_attribution_add(&a, &module, true, &index);
    if (!status)
        status = sca_attribution_ready(&a);
    if (!status)
        status = show_all(&a, index);
    if (status)
        fprintf(stderr, "show_places: %s\n", sca_error_message());
    sca_attribution_free(&a);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
