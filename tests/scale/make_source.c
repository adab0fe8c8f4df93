/* make_source PHASES FILE: the C source of the program that make_run makes runs of. */
#include "shape.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned long phases = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    if (!phases || phases > SCALE_MOST_PHASES) {
        fprintf(stderr, "usage: make_source PHASES FILE (1 to %d phases)\n", SCALE_MOST_PHASES);
        return 2;
    }
    FILE *out = fopen(argv[2], "w");
    if (!out) {
        perror(argv[2]);
        return EXIT_FAILURE;
    }
    scale_write_source(out, (uint32_t)phases);
    return fclose(out) ? EXIT_FAILURE : EXIT_SUCCESS;
}
