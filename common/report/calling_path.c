#include "sca_calling_path.h"
#include "sca_function_name.h"

#include <string.h>

bool sca_calling_path_is_system_file(const char *file)
{
    static const char *const below[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/",
                                        "/usr/local/include/"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        if (!strncmp(file, below[i], strlen(below[i])))
            return true;
    return strstr(file, "/include/c++/") != NULL;
}

static bool is_root(const struct sca_report_vertex *v, uint32_t u)
{
    return v[u].parent == u;
}

/* The nearest call around, or this one, that stands in the program's own files. */
static uint32_t own_site(const struct sca_report_vertex *v, uint32_t call)
{
    while (!is_root(v, call) &&
           (strcmp(v[call].kind, "call") || sca_calling_path_is_system_file(v[call].file)))
        call = v[call].parent;
    return is_root(v, call) ? UINT32_MAX : call;
}

/* The compiler may call a region's body from a function of its own, which has no line. */
static bool is_same_region(const struct sca_report_vertex *v, uint32_t inner, uint32_t outer)
{
    return !strcmp(v[inner].kind, "call") && v[inner].line == v[outer].line &&
           sca_function_name_is_region(v[inner].name) && sca_function_name_is_region(v[outer].name);
}

uint32_t sca_calling_path_frames(const struct sca_report *report, uint32_t vertex, uint32_t most,
                                 struct sca_calling_frame *out, bool *whole)
{
    const struct sca_report_vertex *v = report->vertices;
    uint32_t n = 0, u = vertex;
    while (!is_root(v, u) && n < most && n < SCA_MOST_FRAMES) {
        bool systems = sca_calling_path_is_system_file(v[u].file); /* what is called there */
        u = v[u].parent;
        if (is_root(v, u))
            out[n++] = (struct sca_calling_frame){u, UINT32_MAX};
        else if (n && is_same_region(v, out[n - 1].vertex, u))
            out[n - 1].vertex = u;
        else if (!strcmp(v[u].kind, "call") && !systems)
            out[n++] = (struct sca_calling_frame){u, own_site(v, u)};
    }
    *whole = is_root(v, u);
    return n;
}
