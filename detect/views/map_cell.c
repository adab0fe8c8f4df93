#include "views/map_cell.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 6 };

/* ---- the scale ---- */

/* Seconds become smaller units, other numbers larger ones; three digits stay before the point. */
static const char *choose_unit(const char *unit, double most, char *buffer, size_t size,
                               double *factor)
{
    static const char *const smaller[] = {"s", "ms", "us", "ns"};
    static const char *const larger[] = {"", "k", "M", "G", "T", "P"};
    unsigned step = 0;
    *factor = 1;
    if (!strcmp(unit, "s")) {
        for (; most > 0 && most * *factor < 1 && step + 1 < 4; step++)
            *factor *= 1000;
        return smaller[step];
    }
    for (; most * *factor >= 999.5 && step + 1 < 6; step++)
        *factor /= 1000;
    snprintf(buffer, size, "%s%s%s", larger[step], step ? " " : "", unit);
    return buffer;
}

static int decimals_of(double shown)
{
    return shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
}

static bool all_whole(const struct sca_map_layer *layer, const struct sca_fold *f, double factor)
{
    size_t places = (size_t)f->rows.length * f->columns.length;
    for (size_t i = 0; i < places; i++)
        if (f->ranks[i] != SCA_NONE) {
            double value = layer->by_rank[f->ranks[i]] * factor;
            if (!isnan(value) && value != trunc(value))
                return false;
        }
    return true;
}

void sca_map_scale_make(const struct sca_map_layer *layer, const struct sca_fold *f,
                        struct sca_map_scale *out)
{
    char buffer[40], text[64];
    size_t places = (size_t)f->rows.length * f->columns.length;
    *out = (struct sca_map_scale){.width = 1};
    for (size_t i = 0; i < places; i++)
        if (f->ranks[i] != SCA_NONE)
            out->most = fmax(out->most, fabs(layer->by_rank[f->ranks[i]]));
    const char *unit = choose_unit(layer->unit, out->most, buffer, sizeof buffer, &out->factor);
    out->decimals = all_whole(layer, f, out->factor) ? 0 : decimals_of(out->most * out->factor);
    snprintf(out->title, sizeof out->title, "%.40s (%.18s)", layer->name, unit);
    for (size_t i = 0; i < places; i++) {
        double value = f->ranks[i] == SCA_NONE ? (double)NAN : layer->by_rank[f->ranks[i]];
        int width = snprintf(text, sizeof text, "%.*f", out->decimals, value * out->factor);
        out->width = !isnan(value) && width > out->width ? width : out->width;
    }
}

/* ---- the cell ---- */

static int level_of(const struct sca_map_scale *scale, double value)
{
    int level = scale->most > 0 ? (int)(fabs(value) / scale->most * LEVELS) : 0;
    return level < LEVELS ? level : LEVELS - 1;
}

void sca_map_cell_put(FILE *out, const struct sca_map_scale *scale, double value, bool numbers,
                      bool colour)
{
    static const char signs[] = " '+*#@";
    static const int inks[LEVELS] = {0, 230, 223, 216, 209, 203}; /* pale to red, of 256 */
    if (isnan(value)) {
        fprintf(out, "%*s", numbers ? scale->width + 1 : 1, "");
        return;
    }
    int level = level_of(scale, value);
    if (colour && level)
        fprintf(out, "\033[30;48;5;%dm", inks[level]);
    if (numbers)
        fprintf(out, "%*.*f", scale->width, scale->decimals, value * scale->factor);
    fputc(!numbers && !level ? '.' : signs[level], out);
    if (colour && level)
        fputs("\033[0m", out);
}
