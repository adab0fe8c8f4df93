#include "export/trace_names.h"
#include "report/report_text.h"
#include "sca_error.h"
#include "sca_psg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t sca_trace_names_vertex(const struct sca_ppg_run *run, uint32_t site)
{
    uint32_t vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

void sca_trace_names_label(const struct sca_ppg *ppg, uint32_t vertex, char text[SCA_TRACE_NAME])
{
    const struct sca_ppg_vertex *v = &ppg->vertices[vertex];
    const char *slash = strrchr(v->file, '/');
    const char *what = *v->name ? v->name : sca_psg_kind_name(v->kind);
    snprintf(text, SCA_TRACE_NAME, "%.200s:%u %.200s", slash ? slash + 1 : v->file, v->line, what);
    if (!*v->file)
        snprintf(text, SCA_TRACE_NAME, "%.200s", what);
    char *repaired = sca_utf8_valid(text) ? NULL : sca_utf8_repair(text);
    if (repaired)
        snprintf(text, SCA_TRACE_NAME, "%.*s", SCA_TRACE_NAME / 2, repaired);
    free(repaired);
}

int sca_trace_names_pieces(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const char *format, const char *path, struct sca_pieces *pieces)
{
    jmp_buf out_of_memory;
    space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_pieces_find(space, run, true, pieces);
    if (pieces->count)
        return SCA_OK;
    return sca_fail(SCA_ENOTFOUND, "--export=%s:%s: %s recorded no iterations that all ranks kept",
                    format, path, run->profile->directory);
}
