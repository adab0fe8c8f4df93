#include "inspect/inspect.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct loaded {
    struct sca_psg psg;
    struct sca_structure structure; /* empty: the graph is the compiler's */
    struct sca_program program;
};

static void unload(struct loaded *loaded)
{
    sca_progress_end();
    sca_psg_program_free(&loaded->program);
    sca_psg_free(&loaded->psg);
    sca_structure_free(&loaded->structure);
}

static int recover(struct loaded *loaded, const char *path)
{
    sca_psg_free(&loaded->psg);
    int status = sca_structure_of(path, &loaded->structure);
    return status
               ? status
               : sca_psg_add(&loaded->psg, loaded->structure.psg, loaded->structure.psg_size, path);
}

/* A file with no graph of its own is looked at once more, by its code. What is no program, such as
 * an object, keeps the first message. */
static int load_graph(struct loaded *loaded, const char *path, bool from_code)
{
    char message[512];
    int status = from_code ? SCA_ENOTFOUND : sca_elf_load(&loaded->psg, path);
    if (status != SCA_ENOTFOUND)
        return status;
    snprintf(message, sizeof message, "%s", sca_error_message());
    int second = recover(loaded, path);
    if (second && !from_code)
        return sca_fail(status, "%s", message);
    if (!second && !from_code)
        fprintf(stderr,
                "scalana-static: %s has no usable graph of scalana-static; this graph is recovered "
                "from its machine code\n",
                path);
    return second;
}

static int load(struct loaded *loaded, const char *path, const struct sca_inspect_choice *choice)
{
    *loaded = (struct loaded){0};
    sca_progress_watch("reading %s", path);
    int status = load_graph(loaded, path, choice->recover);
    if (!status)
        status = sca_psg_link(&loaded->psg,
                              choice->depth < 0 ? sca_psg_max_loop_depth(&loaded->psg)
                                                : (uint32_t)choice->depth,
                              &loaded->program);
    if (status)
        unload(loaded);
    return status;
}

/* Functions, loops and calls, as they are before contraction. */
static void count_vertices(const struct sca_psg *psg, uint32_t count[SCA_COMP + 1])
{
    for (uint32_t f = 0; f < psg->nfunctions; f++)
        for (uint32_t v = 0; v < psg->functions[f].nvertices; v++)
            count[psg->functions[f].vertices[v].kind]++;
}

int sca_inspect_structure(const char *path, const char *file)
{
    struct loaded l;
    uint32_t count[SCA_COMP + 1] = {0};
    int status = load(&l, path, &(struct sca_inspect_choice){-1, true});
    if (status)
        return status;
    count_vertices(&l.psg, count);
    if (file)
        status = sca_structure_save(&l.structure, file);
    sca_progress_end();
    if (!status)
        printf("%s: %u functions, %u loops, %u of them with only a nearby line, %u calls, %u MPI "
               "calls\n",
               path, count[SCA_ROOT], l.structure.loops, l.structure.near, count[SCA_CALL],
               count[SCA_MPI]);
    unload(&l);
    return status;
}

static const char *count_text(char *buffer, size_t size, uint64_t count)
{
    if (count == UINT64_MAX)
        return "> 1.8e19";
    snprintf(buffer, size, "%" PRIu64, count);
    return buffer;
}

/* The columns of the paper's Table II, for the full expansion from main. */
int sca_inspect_stats(const char *path, const struct sca_inspect_choice *choice)
{
    static const char *const titles[] = {"#VBC", "#VAC", "Loop", "Branch", "Comp", "MPI"};
    struct loaded loaded;
    struct sca_psg_stats stats;
    char text[32];
    int status = load(&loaded, path, choice);
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

int sca_inspect_dump(const char *path, const struct sca_inspect_choice *choice, const char *format)
{
    struct loaded loaded;
    int status = load(&loaded, path, choice);
    if (status)
        return status;
    if (isatty(STDOUT_FILENO)) /* into a file, it takes its time too */
        sca_progress_end();
    if (!strcmp(format, "dot"))
        sca_dump_dot(&loaded.program);
    else if (!strcmp(format, "json"))
        sca_dump_json(&loaded.psg, &loaded.program,
                      loaded.structure.nrows ? &loaded.structure : NULL);
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
