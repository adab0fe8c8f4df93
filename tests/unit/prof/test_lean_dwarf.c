/* Debug information of one unit: a function, a variable in it, and a type. */
#include "finish/lean_dwarf.h"
#include "check_main.h"

#include <stdbool.h>
#include <string.h>

/* Codes 1: unit (name: string, language: data1), 2: function (name, type: ref4, low_pc: addr, frame
 * base: exprloc), 3: variable (name, sibling: ref1, type: ref4, location: exprloc, line: udata),
 * 4: base type (name: strp, size: data2). */
static const uint8_t kinds[] = {
    1, 0x11, 1, 0x03, 0x08, 0x13, 0x0b, 0,    0,                                  /* */
    2, 0x2e, 1, 0x03, 0x08, 0x49, 0x13, 0x11, 0x01, 0x40, 0x18, 0,    0,          /* */
    3, 0x34, 0, 0x03, 0x08, 0x01, 0x11, 0x49, 0x13, 0x02, 0x18, 0x3b, 0x0f, 0, 0, /* */
    4, 0x24, 0, 0x03, 0x0e, 0x0b, 0x05, 0,    0,    0};
static const uint8_t unit[] = {
    0, 0,   0,   0,   4,    0,  0, 0, 0, 0, 8, /* length, version, kinds, size of an address */
    1, 'u', '.', 'c', 0,    12,                /* */
    2, 'g', 'o', 0,   9,    9,  9, 9, 1, 2, 3,    4,    5,    6,    7, 8, 1, 0x9c, /* */
    3, 'x', 'y', 0,   0x31, 9,  9, 9, 9, 2, 0x91, 0x70, 0x85, 0x03,                /* */
    0, 4,   7,   7,   7,    7,  8, 8, 0};
static const uint8_t lean[] = {0, 0,   0,   0,   4,    0,  0, 0, 0, 0, 8, /* */
                               1, 'u', '.', 'c', 0,    12,                /* */
                               2, 'g', 'o', 0,   0,    0,  0, 0, 1, 2, 3, 4, 5,    6,
                               7, 8,   1,   0,                                           /* */
                               3, ' ', ' ', 0,   0x31, 0,  0, 0, 0, 2, 0, 0, 0x80, 0x00, /* */
                               0, 4,   0,   0,   0,    0,  0, 0, 0};

static uint8_t info[2 * sizeof unit];
static uint32_t places[SCA_LEAN_CODES];

static struct sca_lean_dwarf two_units(void)
{
    for (int i = 0; i < 2; i++) {
        memcpy(info + i * sizeof unit, unit, sizeof unit);
        info[i * sizeof unit] = sizeof unit - 4;
    }
    return (struct sca_lean_dwarf){.info = info,
                                   .info_size = sizeof info,
                                   .abbrev = kinds,
                                   .abbrev_size = sizeof kinds,
                                   .places = places};
}

static bool is(const uint8_t *at, const uint8_t *wanted)
{
    return !memcmp(at + 4, wanted + 4, sizeof unit - 4);
}

START_TEST(functions_stay_and_variables_are_cleared_in_place)
{
    struct sca_lean_dwarf d = two_units();
    sca_lean_dwarf(&d);
    ck_assert_uint_eq(d.units, 2);
    ck_assert(is(info, lean));
    ck_assert(is(info + sizeof unit, lean));
}
END_TEST

START_TEST(a_unit_that_is_not_understood_stays)
{
    struct sca_lean_dwarf d = two_units();
    size_t code = sizeof unit - 8; /* of the type */
    info[code] = 5;
    sca_lean_dwarf(&d);
    info[code] = 4;
    ck_assert(is(info, unit));
    ck_assert(is(info + sizeof unit, lean));
}
END_TEST

START_TEST(damage_does_no_harm)
{
    for (size_t bit = 0; bit < 8 * sizeof info; bit++) {
        struct sca_lean_dwarf d = two_units();
        info[bit / 8] ^= (uint8_t)(1 << bit % 8);
        sca_lean_dwarf(&d);
        d = two_units();
        d.info_size = bit / 8;
        sca_lean_dwarf(&d);
    }
    for (size_t n = 0; n < sizeof kinds; n++) {
        struct sca_lean_dwarf d = two_units();
        d.abbrev_size = n;
        sca_lean_dwarf(&d);
    }
}
END_TEST

SCA_SUITE("lean_dwarf", functions_stay_and_variables_are_cleared_in_place,
          a_unit_that_is_not_understood_stays, damage_does_no_harm)
