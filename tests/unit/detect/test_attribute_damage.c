/* Binaries that are cut off or changed give an error or fewer names, never a crash or a hang. */
#include "symbols/attribution.h"
#include "sca_error.h"
#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    unsigned char *bytes;
    size_t size;
    char copy[64];
} binary;

static bool load(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_PROGRAMS, name);
    FILE *in = fopen(path, "rb");
    if (!in)
        return false;
    fseek(in, 0, SEEK_END);
    binary.size = (size_t)ftell(in);
    rewind(in);
    binary.bytes = malloc(binary.size);
    ck_assert_uint_eq(fread(binary.bytes, 1, binary.size, in), binary.size);
    fclose(in);
    strcpy(binary.copy, "/tmp/scalana-damaged-XXXXXX");
    close(mkstemp(binary.copy));
    return true;
}

static void unload(void)
{
    unlink(binary.copy);
    free(binary.bytes);
}

/* Everything a run does with a binary, on its first `size` bytes. */
static int look_around(size_t size)
{
    struct sca_attribution a = {0};
    struct sca_module module = {binary.copy, ""};
    uint32_t index;
    FILE *out = fopen(binary.copy, "wb");
    ck_assert_uint_eq(fwrite(binary.bytes, 1, size, out), size);
    fclose(out);
    int status = sca_attribution_add(&a, &module, true, &index);
    if (!status)
        status = sca_attribution_ready(&a);
    for (uint64_t at = 0x1100; !status && at < 0x1700; at += 13) {
        const struct sca_address_info *place;
        status = sca_attribution_lookup(&a, index, at, SCA_NODE_PC, &place);
        for (uint32_t i = 0; !status && i < place->nframes; i++)
            ck_assert_ptr_nonnull(place->frames[i].name);
    }
    if (status)
        ck_assert_str_ne(sca_error_message(), "");
    sca_attribution_free(&a);
    return status;
}

static void cut(const char *name)
{
    if (!load(name))
        return;
    ck_assert_int_eq(look_around(binary.size), SCA_OK);
    ck_assert_int_eq(look_around(0), SCA_EFORMAT);
    for (size_t i = 1; i < 100; i++)
        look_around(binary.size * i / 100);
    for (size_t i = 1; i < 64; i++)
        look_around(i);
    unload();
}

/* The same changes every time: a failure can be repeated. */
static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Headers stand at the front, debug information, graph and section table behind the code. */
static void change(const char *name, unsigned rounds)
{
    uint64_t state = 42;
    if (!load(name))
        return;
    for (unsigned round = 0; round < rounds; round++) {
        size_t places[8];
        unsigned char saved[8];
        for (int i = 0; i < 8; i++) {
            uint64_t random = next(&state);
            bool front = round % 4 == 0;
            size_t behind = binary.size - 0x3000;
            places[i] = front ? random % 1024 : 0x3000 + random % behind;
            saved[i] = binary.bytes[places[i]];
            binary.bytes[places[i]] = (unsigned char)next(&state);
        }
        look_around(binary.size);
        for (int i = 7; i >= 0; i--)
            binary.bytes[places[i]] = saved[i];
    }
    unload();
}

START_TEST(cut_binaries_are_no_crash)
{
    cut("nested_o2");
    cut("graph_nested_o3");
}
END_TEST

START_TEST(changed_binaries_are_no_crash)
{
    change("nested_sections", 400);
    change("graph_nested_o3", 400);
    change("halo_stripped", 400);
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("attribute_damage");
    TCase *c = tcase_create("damage");
    tcase_add_test(c, cut_binaries_are_no_crash);
    tcase_add_test(c, changed_binaries_are_no_crash);
    suite_add_tcase(s, c);
    return s;
}
