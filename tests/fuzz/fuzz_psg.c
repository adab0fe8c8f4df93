/* The section .scalana.psg: read, linked, contracted and counted. */
#include "sca_psg.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sca_psg psg = {0};
    struct sca_program program;
    struct sca_psg_stats stats;
    uint32_t function, vertex;
    if (sca_psg_add(&psg, data, size, "fuzz") == 0) {
        for (uint32_t u = 0; u < psg.nunits; u++)
            sca_psg_find(&psg, &psg.units[u], u, &function, &vertex);
        for (uint32_t depth = 0; depth <= 10; depth += 5)
            if (sca_psg_link(&psg, depth, &program) == 0) {
                sca_psg_stats(&program, &stats);
                sca_psg_program_free(&program);
            }
    }
    sca_psg_free(&psg);
    return 0;
}
