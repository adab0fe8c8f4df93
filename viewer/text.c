#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { TAB = 4, LONGEST = 12 /* bytes one input character may become: "<U+10FFFF>" */ };

static bool unicode;
static const struct sca_glyphs ascii_glyphs = {
    "#", ".", "..", "-", "->", "<-", "|",
    "-", "+", ">",  "x", 2,    "v",  {"_", ".", ":", "-", "=", "+", "*", "#"}};
static const struct sca_glyphs unicode_glyphs = {
    "█", "·", "…", "─", "→", "←", "│",
    "▾", "▸", "▶", "×", 1,   "▼", {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}};

void sca_text_setup(bool utf8)
{
    unicode = utf8;
}

const struct sca_glyphs *sca_text_glyphs(void)
{
    return unicode ? &unicode_glyphs : &ascii_glyphs;
}

/* The character at p and its length in bytes; length 0: not UTF-8. */
static uint32_t decode(const unsigned char *p, size_t *length)
{
    size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 0;
    uint32_t code = n == 1 ? *p : *p & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            n = 0;
        else
            code = code << 6 | (p[i] & 0x3fu);
    }
    *length = n && *p < 0xf5 && code <= 0x10ffff ? n : 0;
    return code;
}

static bool invisible(uint32_t code)
{
    return (code >= 0x80 && code < 0xa0) || code == 0xad || code == 0x61c || code == 0xfeff ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code >= 0xe0000;
}

/* Writes what is shown for a character; returns the number of bytes. */
static int show(char *out, uint32_t code, const unsigned char *bytes, size_t length)
{
    if (!length)
        return sprintf(out, "\\x%02x", *bytes);
    if (code < 0x20 || code == 0x7f)
        return sprintf(out, "^%c", (int)(code ^ 0x40));
    if (invisible(code))
        return sprintf(out, "<U+%04X>", code);
    if (code >= 0x80 && (!unicode || wcwidth((wchar_t)code) < 0)) {
        *out = '?';
        return 1;
    }
    memcpy(out, bytes, length);
    return (int)length;
}

char *sca_text_clean(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    char *clean = malloc(strlen(text) * LONGEST + 1), *out = clean;
    if (!clean)
        return NULL;
    while (*p) {
        size_t length;
        uint32_t code = decode(p, &length);
        out += show(out, code, p, length);
        p += length ? length : 1;
    }
    *out = '\0';
    return clean;
}

/* The width of the character at *p of cleaned text, and steps over it. */
static int step(const char **p)
{
    size_t length;
    uint32_t code = decode((const unsigned char *)*p, &length);
    *p += length ? length : 1;
    int width = code < 0x80 ? 1 : wcwidth((wchar_t)code);
    return width < 0 ? 1 : width;
}

int sca_text_width(const char *text)
{
    int width = 0;
    while (*text)
        width += step(&text);
    return width;
}

/* The greatest prefix of at most width columns, in bytes. */
static size_t prefix(const char *text, int width)
{
    const char *p = text;
    while (*p) {
        const char *next = p;
        width -= step(&next);
        if (width < 0)
            break;
        p = next;
    }
    return (size_t)(p - text);
}

/* Where the greatest suffix of at most width columns begins. */
static size_t suffix(const char *text, int width)
{
    int excess = sca_text_width(text) - width;
    const char *p = text;
    while (*p && excess > 0)
        excess -= step(&p);
    return (size_t)(p - text);
}

char *sca_text_fit(const char *text, int width, enum sca_cut cut)
{
    int room = width - sca_text_glyphs()->ellipsis_width;
    if (sca_text_width(text) <= width)
        return strdup(text);
    if (room <= 0)
        return strndup(text, prefix(text, width > 0 ? width : 0));
    int tail = cut == SCA_CUT_END ? 0 : cut == SCA_CUT_START ? room : room / 2;
    char *fitted = NULL;
    if (asprintf(&fitted, "%.*s%s%s", (int)prefix(text, room - tail), text,
                 sca_text_glyphs()->ellipsis, text + suffix(text, tail)) < 0)
        return NULL;
    return fitted;
}

char *sca_text_skip(const char *text, int columns)
{
    return strdup(text + prefix(text, columns));
}

/* Drops what stands between `open` and its partner, in place: "f<int>(a)" to "f<>(a)". */
static void empty_brackets(char *name, char open, char close)
{
    char *out = name;
    int depth = 0;
    for (const char *p = name; *p; p++) {
        if (*p == close && depth)
            depth--;
        if (!depth)
            *out++ = *p;
        if (*p == open)
            depth++;
    }
    if (!depth) /* unbalanced, as in operator<: leave it */
        *out = '\0';
}

char *sca_text_name(const char *name, int width)
{
    char *shorter = strdup(name);
    if (shorter && sca_text_width(shorter) > width && !strstr(name, "operator")) {
        empty_brackets(shorter, '(', ')');
        if (sca_text_width(shorter) > width)
            empty_brackets(shorter, '<', '>');
    }
    char *fitted = shorter ? sca_text_fit(shorter, width, SCA_CUT_MIDDLE) : NULL;
    free(shorter);
    return fitted;
}

static bool is_utf8(const char *line, size_t length)
{
    const unsigned char *p = (const unsigned char *)line, *end = p + length;
    while (p < end) {
        size_t n;
        decode(p, &n);
        if (!n || n > (size_t)(end - p))
            return false;
        p += n;
    }
    return true;
}

/* Reads one byte as a Latin-1 character: its UTF-8 form in bytes. */
static uint32_t latin1(unsigned char byte, unsigned char *bytes, size_t *length)
{
    bytes[0] = byte < 0x80 ? byte : 0xc0 | byte >> 6;
    bytes[1] = 0x80 | (byte & 0x3f);
    *length = byte < 0x80 ? 1 : 2;
    return byte;
}

char *sca_text_source(const char *line, size_t length)
{
    const unsigned char *p = (const unsigned char *)line, *end = p + length;
    bool utf8 = is_utf8(line, length);
    char *clean = malloc(length * LONGEST + 1), *out = clean;
    int column = 0;
    while (clean && p < end) {
        unsigned char bytes[2];
        size_t n = 1;
        char *start = out;
        if (*p == '\t') {
            out += sprintf(out, "%*s", TAB - column % TAB, "");
        } else if (utf8) {
            uint32_t code = decode(p, &n);
            out += show(out, code, p, n);
        } else {
            size_t encoded;
            uint32_t code = latin1(*p, bytes, &encoded);
            out += show(out, code, bytes, encoded);
        }
        *out = '\0';
        column += sca_text_width(start);
        p += n;
    }
    if (clean)
        *out = '\0';
    return clean;
}
