#include "sca_options.h"
#include "sca_error.h"
#include "sca_nearest.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 28 };

static const struct sca_option *find_long(const struct sca_command *command, const char *name,
                                          size_t length)
{
    for (const struct sca_option *o = command->options; o->name; o++)
        if (strlen(o->name) == length && !strncmp(o->name, name, length))
            return o;
    return NULL;
}

static const struct sca_option *find_letter(const struct sca_command *command, char letter)
{
    for (const struct sca_option *o = command->options; o->name; o++)
        if (o->letter && o->letter == letter)
            return o;
    return NULL;
}

/* Is value the word of so many bytes, or does it go on where the word lets it? */
static bool is_choice(const char *value, const char *word, size_t length)
{
    bool open_end = word[length - 1] == ':';
    return !strncmp(value, word, length) && (open_end ? value[length] : !value[length]);
}

/* "auto, strong or weak" */
static void list_choices(const char *choices, char *text, size_t size)
{
    size_t used = 0;
    for (const char *word = choices; *word && used < size;) {
        size_t length = strcspn(word, " ");
        const char *next = word + length + strspn(word + length, " ");
        bool last = *next && !next[strcspn(next, " ")];
        used += (size_t)snprintf(text + used, size - used, "%.*s%s", (int)length, word,
                                 last    ? " or "
                                 : *next ? ", "
                                         : "");
        word = next;
    }
}

static int check_choice(const struct sca_option *o, const char *value)
{
    char text[256] = "", meant[SCA_NEAREST_PHRASE];
    struct sca_nearest nearest = sca_nearest_to(value, strlen(value));
    for (const char *word = o->choices; word && *word;) {
        size_t length = strcspn(word, " ");
        if (is_choice(value, word, length))
            return SCA_OK;
        word += length + strspn(word + length, " ");
    }
    if (!o->choices)
        return SCA_OK;
    list_choices(o->choices, text, sizeof text);
    sca_nearest_try_all(&nearest, o->choices);
    sca_nearest_phrase(meant, &nearest, "did you mean ", "? ");
    return sca_fail(SCA_EINVAL, "--%s=%s: %s%s %s", o->name, value, meant,
                    *meant ? "Choose" : "choose", text);
}

static int is_word(const char *arg, const char *word)
{
    return !strcmp(arg, word);
}

/* Whoever reads a value does not know whose it is: the message gets the option's name. */
static int set(const struct sca_option *o, void *context, const char *value)
{
    char message[256];
    int status = o->set(context, value);
    if (status >= 0)
        return status;
    snprintf(message, sizeof message, "%s", sca_error_message());
    return strncmp(message, "--", 2) ? sca_fail(status, "--%s: %s", o->name, message) : status;
}

static int refuse_unknown(const struct sca_command *command, const char *arg)
{
    char meant[SCA_NEAREST_PHRASE] = "";
    size_t dashes = strspn(arg, "-");
    struct sca_nearest nearest = sca_nearest_to(arg + dashes, strcspn(arg + dashes, "="));
    for (const struct sca_option *o = command->options; o->name; o++)
        sca_nearest_try(&nearest, o->name, strlen(o->name));
    sca_nearest_try_all(&nearest, "help version");
    sca_nearest_phrase(meant, &nearest, ": did you mean --", "?");
    return sca_fail(SCA_EINVAL, "unknown option %s%s (see --help)", arg, meant);
}

/* Applies argv[i] (and perhaps argv[i + 1]); returns how many words it took, or an error. */
static int apply(const struct sca_command *command, void *context, int argc, char **argv, int i)
{
    const char *arg = argv[i], *value = NULL;
    const struct sca_option *o;
    if (arg[1] == '-') {
        size_t length = strcspn(arg + 2, "=");
        o = find_long(command, arg + 2, length);
        value = arg[2 + length] ? arg + 3 + length : NULL;
    } else {
        o = find_letter(command, arg[1]);
        value = arg[2] ? arg + 2 : NULL;
    }
    if (!o)
        return refuse_unknown(command, arg);
    if (!o->argument && value)
        return sca_fail(SCA_EINVAL, "option --%s takes no value", o->name);
    int words = 1;
    if (o->argument && !value) {
        if (i + 1 >= argc)
            return sca_fail(SCA_EINVAL, "option --%s needs %s", o->name, o->argument);
        value = argv[i + 1];
        words = 2;
    }
    int status = value ? check_choice(o, value) : SCA_OK;
    if (status == SCA_OK)
        status = set(o, context, value);
    return status < 0 ? status : words;
}

int sca_options_parse(const struct sca_command *command, void *context, int argc, char **argv,
                      int *operands)
{
    int kept = 0, ended = 0;
    for (int i = 1; i < argc;) {
        if (ended || argv[i][0] != '-' || !argv[i][1]) {
            ended |= command->stop_at_operand;
            argv[1 + kept++] = argv[i++];
        } else if (is_word(argv[i], "--")) {
            ended = 1;
            i++;
        } else if (is_word(argv[i], "--help") || is_word(argv[i], "-h")) {
            sca_options_help(command);
            return SCA_PARSE_DONE;
        } else if (is_word(argv[i], "--help=json")) {
            sca_options_json(command);
            return SCA_PARSE_DONE;
        } else if (is_word(argv[i], "--version")) {
            printf("%s %s\n", command->name, SCA_VERSION);
            return SCA_PARSE_DONE;
        } else {
            int words = apply(command, context, argc, argv, i);
            if (words < 0)
                return words;
            i += words;
        }
    }
    *operands = kept;
    return SCA_PARSE_RUN;
}

/* Words from the column on, which the line has reached, as many lines of 80 as it takes. */
static void print_wrapped(const char *text, int column)
{
    int at = column;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > WIDTH)
            printf("\n%*s", at = column, "");
        at += printf("%s%.*s", at > column ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void print_option(char letter, const char *name, const char *argument, const char *help)
{
    char left[64];
    int n =
        snprintf(left, sizeof left, "  %c%c%s --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
                 letter ? "," : " ", name, argument ? "=" : "", argument ? argument : "");
    printf("%-*s", HELP_COLUMN, left);
    if (n >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    print_wrapped(help, HELP_COLUMN);
}

void sca_options_help(const struct sca_command *command)
{
    printf("Usage: %s\n", command->usage);
    print_wrapped(command->summary, 0);
    puts("\nOptions:");
    for (const struct sca_option *o = command->options; o->name; o++)
        print_option(o->letter, o->name, o->argument, o->help);
    print_option('h', "help", NULL, "this text");
    print_option(0, "version", NULL, "the version");
}

int sca_options_parse_uint(const char *value, unsigned long least, unsigned long most,
                           unsigned long *out)
{
    char *end = NULL;
    errno = 0;
    unsigned long n = strtoul(value, &end, 10);
    if (errno || end == value || *end || value[0] == '-' || n < least || n > most)
        return sca_fail(SCA_EINVAL, "'%s' is not a whole number from %lu to %lu", value, least,
                        most);
    *out = n;
    return SCA_OK;
}

int sca_options_parse_double(const char *value, double least, double most, double *out)
{
    char *end = NULL;
    double x = strtod(value, &end);
    if (end == value || *end || !isfinite(x) || x < least || x > most)
        return sca_fail(SCA_EINVAL, "'%s' is not a number from %g to %g", value, least, most);
    *out = x;
    return SCA_OK;
}
