#include "report/report_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length of the valid sequence at p, 0 if there is none. Refuses overlong forms and surrogates. */
static size_t sequence(const unsigned char *p)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *p < 0x80 ? 1 : (*p & 0xe0) == 0xc0 ? 2 : (*p & 0xf0) == 0xe0 ? 3 : 4;
    if (length == 1)
        return 1;
    if (length == 4 && (*p & 0xf8) != 0xf0)
        return 0;
    uint32_t code = *p & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    return length;
}

bool sca_utf8_valid(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        size_t length = sequence(p);
        if (!length)
            return false;
        p += length;
    }
    return true;
}

char *sca_utf8_repair(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *p = (const unsigned char *)text;
    char *copy = malloc(3 * strlen(text) + 1), *out = copy;
    if (!copy)
        return NULL;
    while (*p) {
        size_t length = sequence(p);
        memcpy(out, length ? (const char *)p : replacement, length ? length : 3);
        out += length ? length : 3;
        p += length ? length : 1;
    }
    *out = '\0';
    return copy;
}
