#include "source.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const long most_bytes = 64l << 20;

void sca_source_open(struct sca_sources *sources, const char *report_path)
{
    const char *slash = strrchr(report_path, '/');
    struct stat info;
    sources->report_directory =
        slash ? strndup(report_path, (size_t)(slash - report_path) + 1) : strdup("./");
    if (!stat(report_path, &info))
        sources->written = info.st_mtime;
}

static void forget(struct sca_sources *sources)
{
    free(sources->recorded);
    free(sources->found);
    free(sources->bytes);
    free(sources->line);
    sources->recorded = sources->found = sources->bytes = NULL;
    sources->line = NULL;
    sources->nlines = 0;
}

void sca_source_close(struct sca_sources *sources)
{
    forget(sources);
    for (int i = 0; i < sources->nmappings; i++) {
        free(sources->mapping[i].from);
        free(sources->mapping[i].to);
    }
    free(sources->report_directory);
    *sources = (struct sca_sources){0};
}

static size_t without_slashes(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

int sca_source_map(struct sca_sources *sources, const char *mapping)
{
    const char *sign = strchr(mapping, '=');
    if (!sign || sign == mapping || !sign[1])
        return sca_fail(SCA_EINVAL, "'%s' is not OLD=NEW", mapping);
    if (sources->nmappings == SCA_MAX_MAPPINGS)
        return sca_fail(SCA_EINVAL, "more than %d path mappings", SCA_MAX_MAPPINGS);
    size_t length = without_slashes(mapping, (size_t)(sign - mapping));
    int i = sources->nmappings++;
    sources->mapping[i].from = strndup(mapping, length);
    sources->mapping[i].to = strndup(sign + 1, without_slashes(sign + 1, strlen(sign + 1)));
    forget(sources);
    return SCA_OK;
}

static bool is_file(const char *path)
{
    struct stat info;
    return path && !stat(path, &info) && S_ISREG(info.st_mode);
}

static char *joined(const char *directory, const char *rest)
{
    char *path = NULL;
    if (asprintf(&path, "%s%s", directory, rest) < 0)
        return NULL;
    return path;
}

static char *if_file(char *path)
{
    if (is_file(path))
        return path;
    free(path);
    return NULL;
}

/* Later mappings are newer wishes, so they come first. */
static char *find_mapped(const struct sca_sources *sources, const char *recorded)
{
    for (int i = sources->nmappings; i-- > 0;) {
        const char *from = sources->mapping[i].from, *to = sources->mapping[i].to;
        size_t length = from ? strlen(from) : 0;
        if (!to || !length || strncmp(recorded, from, length))
            continue;
        const char *rest = recorded + length;
        if (from[length - 1] == '/') /* only "/" itself still ends so */
            rest--;
        else if (*rest && *rest != '/')
            continue;
        char *path = if_file(joined(to, rest));
        if (path)
            return path;
    }
    return NULL;
}

/* The longest end of the path that exists below the directory: a/b/c.f, b/c.f, c.f. */
static char *find_below(const char *directory, const char *recorded)
{
    for (const char *rest = recorded; rest; rest = strchr(rest, '/')) {
        rest += strspn(rest, "/");
        char *path = *rest ? if_file(joined(directory, rest)) : NULL;
        if (path)
            return path;
    }
    return NULL;
}

static char *find(const struct sca_sources *sources, const char *recorded)
{
    char *path = find_mapped(sources, recorded);
    if (!path && *recorded == '/')
        path = if_file(strdup(recorded));
    if (!path && sources->report_directory)
        path = find_below(sources->report_directory, recorded);
    return path ? path : find_below("", recorded);
}

static int read_bytes(struct sca_sources *sources, size_t *length)
{
    struct stat info;
    FILE *file = fopen(sources->found, "re");
    if (!file || fstat(fileno(file), &info) || info.st_size > most_bytes) {
        if (file)
            fclose(file);
        return SCA_ENOTFOUND;
    }
    sources->changed = info.st_mtime;
    sources->bytes = malloc((size_t)info.st_size + 1);
    *length = sources->bytes ? fread(sources->bytes, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    return sources->bytes ? SCA_OK : SCA_ENOTFOUND;
}

static int split_lines(struct sca_sources *sources, size_t length)
{
    size_t count = 2;
    for (size_t i = 0; i < length; i++)
        count += sources->bytes[i] == '\n';
    sources->line = malloc(count * sizeof *sources->line);
    if (!sources->line)
        return SCA_ENOTFOUND;
    sources->line[0] = 0;
    for (size_t i = 0; i < length; i++)
        if (sources->bytes[i] == '\n')
            sources->line[++sources->nlines] = i + 1;
    if (sources->line[sources->nlines] < length)
        sources->line[++sources->nlines] = length;
    return SCA_OK;
}

int sca_source_load(struct sca_sources *sources, const char *recorded)
{
    size_t length;
    if (sources->recorded && !strcmp(sources->recorded, recorded))
        return sources->line ? SCA_OK : SCA_ENOTFOUND;
    forget(sources);
    sources->recorded = strdup(recorded);
    sources->found = *recorded ? find(sources, recorded) : NULL;
    if (!sources->found || read_bytes(sources, &length))
        return SCA_ENOTFOUND;
    return split_lines(sources, length);
}
