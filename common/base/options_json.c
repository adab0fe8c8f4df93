/* The options table as JSON. Its texts are ours: only quotes and line ends need care. */
#include "sca_options.h"

#include <stdio.h>

void sca_options_json_text(const char *text)
{
    putchar('"');
    for (; text && *text; text++) {
        if (*text == '\n')
            fputs("\\n", stdout);
        else if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void put_field(const char *name, const char *text, const char *end)
{
    sca_options_json_text(name);
    fputs(": ", stdout);
    sca_options_json_text(text);
    fputs(end, stdout);
}

static void put_option(const struct sca_option *o, const char *end)
{
    fputs("  {", stdout);
    put_field("name", o->name, ", ");
    put_field("letter", (char[]){o->letter, 0}, ", ");
    put_field("argument", o->argument, ", ");
    put_field("help", o->help, ", ");
    put_field("choices", o->choices, ", ");
    put_field("detail", o->detail, "}");
    puts(end);
}

void sca_options_json(const struct sca_command *command)
{
    static const struct sca_option help = {.name = "help", .letter = 'h', .help = "this text"};
    static const struct sca_option version = {.name = "version", .help = "the version"};
    putchar('{');
    put_field("name", command->name, ",\n ");
    put_field("version", SCA_VERSION, ",\n ");
    put_field("usage", command->usage, ",\n ");
    put_field("summary", command->summary, ",\n ");
    put_field("operand", command->operand, ",\n ");
    puts("\"options\": [");
    for (const struct sca_option *o = command->options; o->name; o++)
        put_option(o, ",");
    put_option(&help, ",");
    put_option(&version, "]}");
}
