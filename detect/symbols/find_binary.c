#include "symbols/find_binary.h"
#include "symbols/application.h"
#include "sca_error.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOLD = 320 /* of the 511 bytes that a message has */ };

struct file_search {
    const struct sca_binary_places *places;
    const struct sca_module *module;
    bool ask; /* servers */
    struct sca_binary *found;
    int status;      /* of what lies where it ran */
    char told[TOLD]; /* and what is to be said of that */
    bool other;      /* there are files of its name, but of another build */
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- one place ---- */

static struct sca_binary_source source_of(const struct file_search *s, const char *at)
{
    return (struct sca_binary_source){.path = s->module->path,
                                      .build_id = s->module->build_id,
                                      .at = at,
                                      .root = s->places->symfs,
                                      .ask = s->ask};
}

static void try_file(struct file_search *s, const char *at)
{
    const struct sca_binary_source source = source_of(s, at);
    s->other |= sca_binary_open_source(&source, &s->found) == SCA_EMISMATCH;
}

__attribute__((format(printf, 2, 3))) static void try_at(struct file_search *s, const char *format,
                                                         ...)
{
    char path[PATH_MAX];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (!s->found && length > 0 && (size_t)length < sizeof path && !access(path, R_OK))
        try_file(s, path);
}

/* ---- places ---- */

static void try_below(struct file_search *s, const char *root)
{
    const char *path = s->module->path, *id = s->module->build_id;
    if (!root)
        return;
    try_at(s, "%s%s", root, path);
    try_at(s, "%s/%s", root, base_name(path));
    if (strlen(id) < 3)
        return;
    try_at(s, "%s/.build-id/%.2s/%s", root, id, id + 2);
    try_at(s, "%s/usr/lib/.build-id/%.2s/%s", root, id, id + 2);
}

static void try_own_place(struct file_search *s)
{
    const struct sca_binary_source source = source_of(s, NULL);
    if (s->found)
        return;
    s->status = sca_binary_open_source(&source, &s->found);
    if (s->status)
        snprintf(s->told, sizeof s->told, "%s", sca_error_message());
}

static void try_beside(struct file_search *s, const char *run)
{
    const char *name = base_name(s->module->path);
    int length = (int)strlen(run);
    while (length > 1 && run[length - 1] == '/')
        length--;
    try_at(s, "%.*s/%s", length, run, name);
    while (length && run[length - 1] != '/')
        length--;
    try_at(s, "%.*s%s", length, run, name);
}

static const struct sca_kept *kept_of(const struct file_search *s, uint32_t run)
{
    const struct sca_profile *p = s->places->runs[run];
    for (uint32_t i = 0; i < p->nkept; i++)
        if (!strcmp(p->kept[i].path, s->module->path) &&
            !strcmp(p->kept[i].build_id, s->module->build_id))
            return &p->kept[i];
    return NULL;
}

static void try_kept(struct file_search *s, const struct sca_kept *kept)
{
    static const enum sca_binary_extent extents[] = {[SCA_KEPT_NAMES] = SCA_BINARY_NAMES,
                                                     [SCA_KEPT_GRAPH] = SCA_BINARY_GRAPH,
                                                     [SCA_KEPT_LINES] = SCA_BINARY_LINES,
                                                     [SCA_KEPT_ALL] = SCA_BINARY_WHOLE};
    struct sca_binary_source source = source_of(s, NULL);
    if (s->found)
        return;
    source.bytes = sca_kept_file(kept);
    source.size = kept->size;
    source.extent = extents[kept->extent];
    if (source.bytes)
        sca_binary_open_source(&source, &s->found);
}

/* What runs kept of it, the most first. */
static void try_all_kept(struct file_search *s, enum sca_kept_extent most,
                         enum sca_kept_extent least)
{
    for (int extent = (int)most; extent >= (int)least; extent--)
        for (uint32_t r = 0; r < s->places->nruns; r++) {
            const struct sca_kept *kept = kept_of(s, r);
            if (kept && kept->extent == (enum sca_kept_extent)extent)
                try_kept(s, kept);
        }
}

static void try_server(struct file_search *s)
{
    char *path = s->found || !s->ask ? NULL : sca_binary_from_server(s->module->build_id);
    if (path)
        try_at(s, "%s", path);
    free(path);
}

/* ---- all of them ---- */

static void look(struct file_search *s)
{
    bool known = *s->module->build_id;
    try_below(s, s->places->symfs);
    try_own_place(s);
    for (uint32_t r = 0; known && r < s->places->nruns; r++)
        try_beside(s, s->places->runs[r]->directory);
    if (known)
        try_at(s, "%s", base_name(s->module->path));
    try_all_kept(s, SCA_KEPT_ALL, SCA_KEPT_LINES);
    try_server(s);
    try_all_kept(s, SCA_KEPT_GRAPH, SCA_KEPT_NAMES);
}

/* Of a file that cannot be opened at all, that is what is to be said. */
static int explain(const struct file_search *s)
{
    const char *servers = getenv("DEBUGINFOD_URLS"), *id = s->module->build_id;
    if (s->status != SCA_ENOTFOUND && s->status != SCA_EMISMATCH)
        return sca_fail(s->status, "%s", s->told);
    if (!*id)
        return sca_fail(s->status, "%s. --symfs=DIR also searches below DIR", s->told);
    return sca_fail(s->status,
                    "%s. Neither the run's folder, nor the working directory%s%s has one with "
                    "build-id %s%s, and the run kept no copy. --symfs=DIR also searches below DIR",
                    s->told, s->places->symfs ? ", nor --symfs" : "",
                    servers && *servers ? ", nor DEBUGINFOD_URLS" : "", id,
                    s->other ? " (only one of another build)" : "");
}

int sca_find_binary(const struct sca_binary_places *places, const struct sca_module *module,
                    bool program, struct sca_binary **out)
{
    struct file_search s = {.places = places, .module = module};
    s.ask = program || sca_application_is_users_library(module->path);
    look(&s);
    *out = s.found;
    return s.found ? SCA_OK : explain(&s);
}
