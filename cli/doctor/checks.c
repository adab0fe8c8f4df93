#include "doctor/checks.h"
#include "machine/system_file.h"
#include "sca_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *format_text(const char *format, va_list args)
{
    char *text = NULL;
    return sca_must(vasprintf(&text, format, args) < 0 ? NULL : text);
}

static void add(struct sca_checks *c, const char *name, enum sca_check_state state, char *text)
{
    c->items = sca_must(realloc(c->items, (c->count + 1) * sizeof *c->items));
    c->items[c->count++] = (struct sca_check){name, state, text, sca_words_format("%s", "")};
}

void sca_checks_works(struct sca_checks *c, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, name, SCA_CHECK_WORKS, format_text(format, args));
    va_end(args);
}

void sca_checks_lacks(struct sca_checks *c, const char *name, enum sca_check_state state,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, name, state, format_text(format, args));
    va_end(args);
}

void sca_checks_mend(struct sca_checks *c, const char *format, ...)
{
    struct sca_check *last = &c->items[c->count - 1];
    va_list args;
    va_start(args, format);
    free(last->mend);
    last->mend = format_text(format, args);
    va_end(args);
}

void sca_checks_mend_package(struct sca_checks *c, const char *package, const char *what)
{
    if (sca_system_file_exists(c->root, "/usr/bin/apt-get"))
        sca_checks_mend(c, "apt-get install %s", package);
    else
        sca_checks_mend(c, "install %s, or load its module", what);
}

void sca_checks_free(struct sca_checks *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->items[i].text);
        free(c->items[i].mend);
    }
    free(c->items);
    *c = (struct sca_checks){0};
}

bool sca_checks_blind(const struct sca_checks *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].state == SCA_CHECK_BLIND)
            return true;
    return false;
}
