#include "sca_function_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const region_marks[] = {".omp_outlined", "._omp_fn."};

const char *sca_function_name_region_mark(const char *name)
{
    const char *mark = NULL;
    for (size_t i = 0; !mark && i < sizeof region_marks / sizeof *region_marks; i++)
        mark = strstr(name, region_marks[i]);
    return mark;
}

bool sca_function_name_is_region(const char *name)
{
    return sca_function_name_region_mark(name) != NULL;
}

bool sca_function_name_is_task(const char *name)
{
    static const char mark[] = ".omp_task_entry.";
    return !strncmp(name, mark, sizeof mark - 1);
}

const char *sca_function_name_written(char *buffer, const char *name)
{
    if (sca_function_name_is_task(name))
        name = "OpenMP task";
    const char *mark = sca_function_name_region_mark(name);
    snprintf(buffer, SCA_FUNCTION_NAME, "%.*s", mark ? (int)(mark - name) : SCA_FUNCTION_NAME - 1,
             name);
    size_t length = strlen(buffer);
    while (mark && length && strchr(" [(", buffer[length - 1])) /* "relax(int) [._omp_fn.0]" */
        buffer[--length] = '\0';
    if (mark && (!strcmp(buffer, "_QQmain") || !strcmp(buffer, "MAIN__"))) /* Fortran's program */
        snprintf(buffer, SCA_FUNCTION_NAME, "main");
    return buffer;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text), tail = strlen(with);
    return length >= tail && !strcmp(text + length - tail, with);
}

/* What a statement of Fortran's input and output becomes; "" else. */
static const char *fortran_statement(const char *name)
{
    static const struct {
        const char *begin, *said;
    } statements[] = {{"_gfortran_st_write", "write statement"},
                      {"_gfortran_st_read", "read statement"},
                      {"_gfortran_st_open", "open statement"},
                      {"_gfortran_st_close", "close statement"},
                      {"_gfortran_st_flush", "flush statement"},
                      {"_FortranAioOutput", "formatted write"},
                      {"_FortranAioInput", "formatted read"},
                      {"_FortranAioBeginExternalFormattedOutput", "formatted write"},
                      {"_FortranAioBeginExternalListOutput", "formatted write"},
                      {"_FortranAioEndIoStatement", "end of an I/O statement"}};
    if (begins(name, "_gfortran_transfer_"))
        return ends(name, "_write") ? "formatted or unformatted write"
                                    : "formatted or unformatted read";
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (begins(name, statements[i].begin))
            return statements[i].said;
    return "";
}

/* "libgfortran.so.5+0x26a030": the library's name without what is behind it; 0: it is none. */
static size_t unnamed_in_library(const char *name)
{
    const char *so = strstr(name, ".so"), *plus = so ? strstr(so, "+0x") : NULL;
    return plus && isxdigit((unsigned char)plus[3]) ? (size_t)(so - name) : 0;
}

/* "__exp_fma", "__memcpy_avx_unaligned_erms": glibc has a function several times, for processors.
 * Length of "exp"; 0: it is no such name. */
static size_t made_for_processors(const char *name)
{
    static const char *const marks[] = {"_fma", "_avx", "_sse", "_ssse", "_evex"};
    if (!begins(name, "__"))
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = strstr(name + 3, marks[i]);
        if (mark)
            return (size_t)(mark - name) - 2;
    }
    return 0;
}

const char *sca_function_name_of_library(char *buffer, const char *name)
{
    const char *statement = fortran_statement(name);
    size_t library = unnamed_in_library(name), plain = made_for_processors(name);
    if (*statement)
        snprintf(buffer, SCA_FUNCTION_NAME, "%s (%s)", statement,
                 begins(name, "_gfortran") ? "libgfortran" : "flang's library");
    else if (library)
        snprintf(buffer, SCA_FUNCTION_NAME, "internal function of %.*s", (int)library, name);
    else if (plain)
        snprintf(buffer, SCA_FUNCTION_NAME, "%.*s", (int)plain, name + 2);
    else
        snprintf(buffer, SCA_FUNCTION_NAME, "%s", name);
    return buffer;
}
