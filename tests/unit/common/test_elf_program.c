#include "check_main.h"
#include "sca_elf_program.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 << 20 };

/* All that can be asked of a program, for faults of memory. How many libraries it names. */
static unsigned ask_all(const struct sca_elf_program *program)
{
    static const char *const sections[] = {".comment", ".dynstr", ".bss", ".no-such"};
    uint64_t at = 0, size, sum = 0;
    unsigned count = 0;
    const char *linker = sca_elf_program_interpreter(program);
    sum += linker ? strlen(linker) : 0;
    for (const char *name; (name = sca_elf_program_needed(program, &at)); count++)
        sum += strlen(name);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const unsigned char *bytes = sca_elf_program_section(program, sections[i], &size);
        sum += bytes && size ? bytes[size - 1] : 0;
    }
    return sum ? count : 0;
}

START_TEST(this_program_names_its_libraries)
{
    struct sca_elf_program program;
    uint64_t at = 0;
    bool libc = false;
    ck_assert_int_eq(sca_elf_program_open(&program, "/proc/self/exe"), SCA_OK);
    ck_assert_ptr_nonnull(sca_elf_program_interpreter(&program));
    for (const char *name; (name = sca_elf_program_needed(&program, &at));)
        libc |= !strncmp(name, "libc.so", 7);
    ck_assert(libc);
    ck_assert_uint_gt(ask_all(&program), 0);
    sca_elf_program_close(&program);
}
END_TEST

START_TEST(what_is_no_program_is_refused)
{
    struct sca_elf_program program;
    ck_assert_int_eq(sca_elf_program_open(&program, "/no/such"), SCA_EIO);
    ck_assert_int_eq(sca_elf_program_open(&program, "/tmp"), SCA_EFORMAT);
    ck_assert_int_eq(sca_elf_program_open(&program, "/dev/null"), SCA_EFORMAT);
    ck_assert_int_eq(sca_elf_program_open(&program, "/etc/passwd"), SCA_EFORMAT);
    ck_assert_ptr_null(program.bytes);
}
END_TEST

/* Of the program's first bytes each in turn, and of cuts at many places. */
START_TEST(damage_gives_less_and_no_fault)
{
    struct sca_elf_program program;
    ck_assert_int_eq(sca_elf_program_open(&program, "/proc/self/exe"), SCA_OK);
    size_t size = program.size < MOST ? program.size : MOST;
    uint8_t *copy = malloc(size);
    ck_assert_ptr_nonnull(copy);
    for (size_t i = 64; i < 4096; i++) {
        memcpy(copy, program.bytes, size);
        copy[i - 64] ^= 0xff;
        copy[i] = 0xff;
        ask_all(&(struct sca_elf_program){copy, size});
    }
    free(copy);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 16) {
        copy = malloc(cut + 1);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, program.bytes, cut);
        ask_all(&(struct sca_elf_program){copy, cut});
        free(copy);
    }
    sca_elf_program_close(&program);
}
END_TEST

SCA_SUITE("elf_program", this_program_names_its_libraries, what_is_no_program_is_refused,
          damage_gives_less_and_no_fault)
