/* fuzz_seeds PROFILE FILE_DETECT FILE_DETECT_2 FILE_PROFILE: what two fuzzers start from, taken
 * from a real run; the second for detect is analysed together with another run. */
#include "container.h"

#include <stdio.h>
#include <stdlib.h>

static void write_seed(const char *path, uint8_t first, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputc(first, file) == EOF || fwrite(bytes, 1, length, file) != length ||
        fclose(file)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    uint32_t ranks = 0;
    size_t length = 0;
    if (argc != 5) {
        fprintf(stderr, "usage: fuzz_seeds PROFILE FILE_DETECT FILE_DETECT_2 FILE_PROFILE\n");
        return 2;
    }
    void *group = fuzz_read_group(argv[1], &ranks, &length);
    write_seed(argv[2], (uint8_t)(ranks - 1), group, length);
    write_seed(argv[3], (uint8_t)(ranks - 1 + 16), group, length);
    write_seed(argv[4], (uint8_t)(4 * ranks + 1), group, length);
    free(group);
    return EXIT_SUCCESS;
}
