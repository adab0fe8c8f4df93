#include "check_main.h"
#include "sca_error.h"
#include "sca_run_meta.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>

static void put_file(const char *folder, const char *text)
{
    char path[TEMP_FOLDER + 32];
    snprintf(path, sizeof path, "%s/%s", folder, SCA_RUN_META_FILE);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_was_written_is_read)
{
    struct sca_run_meta meta = {0}, read;
    char folder[TEMP_FOLDER];
    temp_folder(folder);
    ck_assert_int_eq(sca_run_meta_put(&meta, "git", "1"), SCA_OK);
    ck_assert_int_eq(sca_run_meta_put(&meta, "note", "a \"b\"\n\xc3\xa9"), SCA_OK);
    ck_assert_int_eq(sca_run_meta_put(&meta, "git", "2"), SCA_OK);
    ck_assert_int_eq(sca_run_meta_write(&meta, folder), SCA_OK);
    sca_run_meta_read(&read, folder);
    ck_assert_uint_eq(read.count, 2);
    ck_assert_str_eq(read.notes[0].key, "git");
    ck_assert_str_eq(read.notes[0].value, "2");
    ck_assert_str_eq(read.notes[1].value, "a \"b\"\n\xc3\xa9");
    sca_run_meta_free(&meta);
    sca_run_meta_free(&read);
    temp_folder_drop(folder);
    ck_assert_int_eq(sca_run_meta_write(&meta, folder), SCA_EIO);
}
END_TEST

START_TEST(what_is_damaged_has_no_notes)
{
    static const char *const texts[] = {"", "{", "[]", "7", "{\"a\": 1}", "{\"a\": \"b\""};
    struct sca_run_meta read;
    char folder[TEMP_FOLDER];
    temp_folder(folder);
    sca_run_meta_read(&read, folder); /* no file */
    ck_assert_uint_eq(read.count, 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_file(folder, texts[i]);
        sca_run_meta_read(&read, folder);
        ck_assert_uint_eq(read.count, 0);
    }
    temp_folder_drop(folder);
}
END_TEST

SCA_SUITE("run_meta", what_was_written_is_read, what_is_damaged_has_no_notes)
