#include "sca_verbs.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 256 };

static const struct sca_verb *find(const struct sca_program *program, const char *name)
{
    for (const struct sca_verb *v = program->verbs; v->name; v++)
        if (!strcmp(v->name, name))
            return v;
    return NULL;
}

static void list_names(const struct sca_program *program, char *text, size_t size)
{
    size_t used = 0;
    for (const struct sca_verb *v = program->verbs; v->name && used < size; v++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 v == program->verbs ? ""
                                 : v[1].name         ? ", "
                                                     : " or ",
                                 v->name);
}

static int refuse(const struct sca_program *program, const char *name)
{
    char names[NAMES] = "";
    list_names(program, names, sizeof names);
    if (name)
        fprintf(stderr, "%s: unknown verb '%s': choose %s (see --help)\n", program->name, name,
                names);
    else
        fprintf(stderr, "%s: no verb given: choose %s (see --help)\n", program->name, names);
    return SCA_EXIT_USAGE;
}

static int help(const struct sca_program *program)
{
    printf("Usage: %s VERB [OPTION]... [ARGUMENT]...\n%s\n\nVerbs:\n", program->name,
           program->summary);
    for (const struct sca_verb *v = program->verbs; v->name; v++)
        printf("  %-8s  %s\n", v->name, v->help);
    printf("\n%s help VERB describes a verb and its options.\n", program->name);
    return SCA_EXIT_OK;
}

static int json(const struct sca_program *program)
{
    printf("{\"name\": \"%s\", \"version\": \"%s\", \"summary\": ", program->name, SCA_VERSION);
    sca_options_json_text(program->summary);
    printf(",\n \"verbs\": [\n");
    for (const struct sca_verb *v = program->verbs; v->name; v++) {
        printf("{\"verb\": \"%s\", \"passes_to\": \"%s\", \"help\": ", v->name,
               v->passes_to ? v->passes_to : "");
        sca_options_json_text(v->help);
        fputs(",\n \"command\": ", stdout);
        sca_options_json(v->command);
        puts(v[1].name ? "}," : "}");
    }
    puts("]}");
    return SCA_EXIT_OK;
}

static int help_of(const struct sca_program *program, const char *name)
{
    const struct sca_verb *v = name ? find(program, name) : NULL;
    if (!name)
        return help(program);
    if (!v)
        return refuse(program, name);
    return v->run(2, (char *[]){(char *)name, (char *)"--help", NULL});
}

int sca_verbs_main(const struct sca_program *program, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word)
        return refuse(program, NULL);
    if (!strcmp(word, "help"))
        return help_of(program, argv[2]);
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        return help(program);
    if (!strcmp(word, "--help=json"))
        return json(program);
    if (!strcmp(word, "--version"))
        return printf("%s %s\n", program->name, SCA_VERSION) < 0;
    const struct sca_verb *v = find(program, word);
    return v ? v->run(argc - 1, argv + 1) : refuse(program, word);
}
