#include "base/settings.h"
#include "sca_nearest.h"
#include "sca_part.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sca_settings defaults = {.enable = true,
                                             .frequency = 200,
                                             .events = "",
                                             .budget = 2,
                                             .keep = 1024,
                                             .series = true,
                                             .log = SCA_LOG_INFO};

struct sca_settings sca_settings = {.enable = true,
                                    .frequency = 200,
                                    .events = "",
                                    .budget = 2,
                                    .keep = 1024,
                                    .series = true,
                                    .log = SCA_LOG_INFO};

__attribute__((format(printf, 1, 2))) static void warn(const char *format, ...)
{
    char *end = sca_settings.warnings + strlen(sca_settings.warnings);
    va_list args;
    va_start(args, format);
    vsnprintf(end, sizeof sca_settings.warnings - (size_t)(end - sca_settings.warnings), format,
              args);
    va_end(args);
}

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Digits with at most one point: strtod would follow the application's locale. */
static bool decimal(const char *text, double *out)
{
    double value = 0, unit = 1;
    bool point = false, digits = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            digits = true;
            value = 10 * value + (*text - '0');
            unit *= point ? 10 : 1;
        } else {
            return false;
        }
    }
    *out = value / unit;
    return digits && isfinite(*out);
}

/* The variable as a number in [least, most]; warns once and keeps the default otherwise. */
static double number(const char *name, double least, double most, double fallback)
{
    const char *value = value_of(name);
    double x;
    if (!value)
        return fallback;
    if (decimal(value, &x) && x >= least && x <= most)
        return x;
    warn("%s='%.60s' is not a number from %g to %g; using %g\n", name, value, least, most,
         fallback);
    return fallback;
}

static enum sca_log_level log_level(void)
{
    static const char *const names[] = {"quiet", "warn", "info", "debug"};
    const char *value = value_of("SCALANA_LOG");
    if (!value)
        return defaults.log;
    for (int i = 0; i < 4; i++)
        if (!strcmp(value, names[i]))
            return (enum sca_log_level)i;
    warn("SCALANA_LOG='%.60s' is not quiet, warn, info or debug; using info\n", value);
    return defaults.log;
}

/* One of two words; the usual one where it is neither. */
static bool is_first_of(const char *name, const char *first, const char *second, bool usual)
{
    const char *value = value_of(name);
    if (value && !strcmp(value, first))
        return true;
    if (value && !strcmp(value, second))
        return false;
    if (value)
        warn("%s='%.60s' is neither %s nor %s; using %s\n", name, value, second, first,
             usual ? first : second);
    return usual;
}

static unsigned names_in(const char *list)
{
    unsigned n = 0;
    for (list += strspn(list, ","); *list; list += strspn(list, ",")) {
        list += strcspn(list, ",");
        n++;
    }
    return n;
}

static const char *events(void)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_:.,=-";
    const char *value = value_of("SCALANA_EVENTS");
    if (!value)
        return defaults.events;
    if (!value[strspn(value, allowed)] && names_in(value)) {
        if (names_in(value) > SCA_MAX_METRICS)
            warn("SCALANA_EVENTS='%.60s' names more than %d events; counting the first %d\n", value,
                 SCA_MAX_METRICS, SCA_MAX_METRICS);
        return value;
    }
    warn("SCALANA_EVENTS='%.60s' is not a list of event names separated by commas; counting none\n",
         value);
    return defaults.events;
}

extern char **environ;

/* Variables that begin like ours may be anybody's; one that is nearly one of ours is misspelt. */
static void warn_of_misspelt(void)
{
    static const char ours[] =
        "OUTPUT FREQUENCY EVENTS BUDGET KEEP RECORD SERIES SNAPSHOT LOG ENABLE";
    static const char others[] = "RUNTIME LIBRARY ROOT BUILD_LOG STATIC_ASKS PREFIX MPI";
    static const char beginning[] = "SCALANA_";
    char meant[SCA_NEAREST_PHRASE];
    for (char **v = environ; v && *v; v++) {
        if (strncmp(*v, beginning, strlen(beginning)) != 0)
            continue;
        const char *name = *v + strlen(beginning);
        struct sca_nearest nearest = sca_nearest_to(name, strcspn(name, "="));
        sca_nearest_try_all(&nearest, ours);
        sca_nearest_try_all(&nearest, others);
        bool is_own = nearest.name && !nearest.distance;
        if (!is_own && *sca_nearest_phrase(meant, &nearest, "did you mean SCALANA_", "?"))
            warn("%.*s is no setting and has no effect: %s\n", (int)strcspn(*v, "="), *v, meant);
    }
}

/* 90, 90s, 10m, 2h. */
static unsigned long interval(void)
{
    enum { MOST_DIGITS = 6 };
    const char *value = value_of("SCALANA_SNAPSHOT");
    static const char units[] = "smh";
    unsigned long n = 0, unit = 1;
    size_t digits = value ? strspn(value, "0123456789") : 0;
    if (!value)
        return 0;
    const char *letter = value[digits] ? strchr(units, value[digits]) : units;
    for (const char *at = units; letter && at < letter; at++)
        unit *= 60;
    bool ended = !value[digits] || !value[digits + 1];
    for (size_t i = 0; i < digits && digits <= MOST_DIGITS; i++)
        n = 10 * n + (unsigned long)(value[i] - '0');
    if (letter && ended && digits && digits <= MOST_DIGITS)
        return n * unit;
    warn("SCALANA_SNAPSHOT='%.60s' is no time such as 90s, 10m or 2h; taking none\n", value);
    return 0;
}

void sca_settings_read(void)
{
    sca_settings = defaults;
    sca_settings.enable = is_first_of("SCALANA_ENABLE", "1", "0", true);
    sca_settings.output = value_of("SCALANA_OUTPUT");
    sca_settings.frequency = (unsigned)number("SCALANA_FREQUENCY", 0, 10000, defaults.frequency);
    sca_settings.steady = value_of("SCALANA_FREQUENCY") != NULL;
    sca_settings.events = events();
    sca_settings.budget = number("SCALANA_BUDGET", 0.1, 100, defaults.budget);
    sca_settings.strict = value_of("SCALANA_BUDGET") != NULL;
    sca_settings.keep = (unsigned)number("SCALANA_KEEP", 0, 1 << 20, defaults.keep);
    sca_settings.full = is_first_of("SCALANA_RECORD", "full", "sample", false);
    sca_settings.series = is_first_of("SCALANA_SERIES", "on", "off", true);
    sca_settings.snapshot_s = interval();
    sca_settings.log = log_level();
    warn_of_misspelt();
}
