#include "inspect/inspect.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct loaded {
    struct sca_psg psg;
    struct sca_program program;
};

static int load(struct loaded *loaded, const char *path, long depth)
{
    *loaded = (struct loaded){0};
    sca_progress_watch("reading %s", path);
    int status = sca_elf_load(&loaded->psg, path);
    if (!status)
        status = sca_psg_link(&loaded->psg,
                              depth < 0 ? sca_psg_max_loop_depth(&loaded->psg) : (uint32_t)depth,
                              &loaded->program);
    if (status)
        sca_psg_free(&loaded->psg);
    if (status)
        sca_progress_end();
    return status;
}

static void unload(struct loaded *loaded)
{
    sca_progress_end();
    sca_psg_program_free(&loaded->program);
    sca_psg_free(&loaded->psg);
}

static const char *count_text(char *buffer, size_t size, uint64_t count)
{
    if (count == UINT64_MAX)
        return "> 1.8e19";
    snprintf(buffer, size, "%" PRIu64, count);
    return buffer;
}

/* The columns of the paper's Table II, for the full expansion from main. */
int sca_inspect_stats(const char *path, long depth)
{
    static const char *const titles[] = {"#VBC", "#VAC", "Loop", "Branch", "Comp", "MPI"};
    struct loaded loaded;
    struct sca_psg_stats stats;
    char text[32];
    int status = load(&loaded, path, depth);
    if (status)
        return status;
    sca_psg_stats(&loaded.program, &stats);
    sca_progress_end();
    const uint64_t values[] = {stats.before,   stats.after, stats.loops,
                               stats.branches, stats.comps, stats.mpis};
    printf("%-24s", "Program");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        printf(" %10s", titles[i]);
    const char *slash = strrchr(path, '/');
    printf("\n%-24s", slash ? slash + 1 : path);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        printf(" %10s", count_text(text, sizeof text, values[i]));
    printf("\n");
    unload(&loaded);
    return SCA_OK;
}

int sca_inspect_dump(const char *path, long depth, const char *format)
{
    struct loaded loaded;
    int status = load(&loaded, path, depth);
    if (status)
        return status;
    if (isatty(STDOUT_FILENO)) /* into a file, it takes its time too */
        sca_progress_end();
    if (!strcmp(format, "dot"))
        sca_dump_dot(&loaded.program);
    else if (!strcmp(format, "json"))
        sca_dump_json(&loaded.psg, &loaded.program);
    else
        sca_dump_text(&loaded.program);
    unload(&loaded);
    return SCA_OK;
}

void sca_inspect_merged_lines(const struct sca_program_function *f, uint32_t v, uint32_t *first,
                              uint32_t *last)
{
    const struct sca_vertex *vertices = f->local->vertices;
    *first = vertices[v].line;
    *last = vertices[v].end_line;
    for (uint32_t other = v + 1; f->kind[v] == SCA_COMP && other < f->local->nvertices; other++) {
        if (f->kept[other] != v || vertices[other].file != vertices[v].file)
            continue;
        *first = vertices[other].line < *first ? vertices[other].line : *first;
        *last = vertices[other].end_line > *last ? vertices[other].end_line : *last;
    }
}

const char *sca_inspect_vertex_label(const struct sca_program_function *f, uint32_t v,
                                     bool contracted)
{
    const struct sca_vertex *vertex = &f->local->vertices[v];
    enum sca_vertex_kind kind = contracted ? f->kind[v] : vertex->kind;
    if (kind == SCA_ROOT)
        return f->local->name;
    if (kind == SCA_CALL && (vertex->flags & SCA_VF_INDIRECT))
        return "(indirect)";
    return kind == SCA_CALL || kind == SCA_MPI ? vertex->callee : sca_psg_kind_name(kind);
}
