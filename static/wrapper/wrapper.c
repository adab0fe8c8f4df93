#include "wrapper/wrapper.h"
#include "sca_error.h"
#include "sca_psg.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_two(struct sca_words *command, const char *first, const char *second)
{
    sca_words_add(command, first);
    sca_words_add(command, second);
}

static void add_depth(struct sca_words *command, bool fortran, const char *plugin,
                      unsigned long depth)
{
    const char *pass_on = fortran ? "-Xflang" : "-Xclang";
    /* Loaded early, the plugin's own options are known when -mllvm is read. */
    add_two(command, pass_on, "-load");
    add_two(command, pass_on, plugin);
    add_two(command, "-mllvm", sca_words_format("-scalana-max-loop-depth=%lu", depth));
}

/* Clang gives DWARF 5 checksums of some files and not of others, once it has preprocessed to a file
 * or where there are #line directives; its assembler warns when it reads that as text. */
static void add_line_table(struct sca_words *command, const struct compiler *c,
                           const struct request *r)
{
    if (r->keeps_text && c->language != LANG_FORTRAN)
        sca_words_add(command, "-gdwarf-4");
    sca_words_add(command, "-g1");
}

static void add_compile(struct sca_words *command, const struct compiler *c,
                        const struct request *r, const char *plugin, unsigned long depth)
{
    bool fortran = c->language == LANG_FORTRAN;
    if (!fortran)
        sca_words_add(command, "--start-no-unused-arguments");
    if (!r->debug && !r->debug_off_last)
        add_line_table(command, c, r);
    sca_words_add(command, sca_words_format("-fpass-plugin=%s", plugin));
    if (depth != SCA_PSG_DEFAULT_DEPTH)
        add_depth(command, fortran, plugin, depth);
    if (!fortran)
        sca_words_add(command, "--end-no-unused-arguments");
}

/* With LTO the optimizer runs in the linker. Only lld can load a plugin for it. */
static void add_link(struct sca_words *command, const struct request *r, const char *plugin)
{
    if (r->links && r->lto && r->lld)
        sca_words_add(command, sca_words_format("-Wl,--load-pass-plugin=%s", plugin));
}

/* ccache takes a plugin for the option that names it: a new one must not find old objects. */
static void tell_caches(const char *plugin)
{
    static const char variable[] = "CCACHE_EXTRAFILES";
    const char *before = getenv(variable);
    setenv(variable, before && *before ? sca_words_format("%s:%s", before, plugin) : plugin, 1);
}

static void add_all(struct sca_words *command, const struct sca_words *more)
{
    for (size_t i = 0; i < more->count; i++)
        sca_words_add(command, more->list[i]);
}

/* What must have the last word. */
static void add_behind(struct sca_words *command, const struct compiler *c, const struct request *r)
{
    if (r->debug_off_last)
        add_line_table(command, c, r);
    add_all(command, &r->taken_back);
}

static void compose(struct sca_words *command, const struct compiler *c, const struct request *r,
                    char **arguments, unsigned long depth)
{
    char *plugin = sca_plugins_find(c->version);
    bool compiles = r->compiles && !r->untouched;
    if (c->plain.count)
        add_all(command, &c->plain);
    else
        sca_words_add(command, c->command);
    if (compiles) {
        add_compile(command, c, r, plugin, depth);
        tell_caches(plugin);
    }
    if (!r->untouched)
        add_link(command, r, plugin);
    for (; *arguments; arguments++)
        if (!c->plain.count || !sca_scan_chooses_compiler(*arguments))
            sca_words_add(command, *arguments);
    if (compiles)
        add_behind(command, c, r);
    add_all(command, &c->after);
}

static int cannot_run(char *const *command)
{
    fprintf(stderr, "scalana-static: %s: %s\n", command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static int usage_error(void)
{
    fprintf(stderr, "scalana-static: %s\n", sca_error_message());
    return SCA_EXIT_USAGE;
}

int sca_wrapper_run(char **arguments, unsigned long max_loop_depth)
{
    struct request request;
    struct compiler compiler;
    struct sca_words command = {0};
    for (; sca_compiler_is_launcher(arguments[0]) && arguments[1]; arguments++)
        sca_words_add(&command, arguments[0]);
    arguments[0] = sca_system_pass_over(arguments[0]);
    sca_scan_request(&request, arguments + 1);
    if (request.refused) {
        sca_fail(SCA_EINVAL,
                 "%s uses the line table's discriminators, which ScalAna needs: remove this option",
                 request.refused);
        return usage_error();
    }
    if (sca_compiler_find(&compiler, arguments[0], &request))
        return usage_error();
    switch (sca_answer_in_place(&compiler, arguments + 1)) {
    case ANSWER_GIVEN:
        return fflush(stdout) ? SCA_EXIT_FAILED : SCA_EXIT_OK;
    case ANSWER_BY_WRAPPER:
        execvp(arguments[0], arguments);
        return cannot_run(arguments);
    case ANSWER_NONE:
        break;
    }
    compose(&command, &compiler, &request, arguments + 1, max_loop_depth);
    sca_build_log_note(&request, arguments + 1);
    struct explanation foreign = {0};
    if (compiler.language == LANG_FORTRAN && request.compiles && !request.untouched)
        foreign = sca_fortran_prepare(&compiler, &request, &command);
    if (foreign.text)
        return sca_fortran_run_and_explain(command.list, &foreign);
    execvp(command.list[0], command.list);
    return cannot_run(command.list);
}
