#include "../truth.h"

#include <stdio.h>
#include <time.h>

/* The file system takes its time. */
static void flush(FILE *file)
{
    struct timespec slow = {0, 30000000};
    fflush(file);
    nanosleep(&slow, NULL);
    truth_add(0, 0.03);
}

void checkpoint_write(FILE *file, const double *field, int n)
{
    for (int i = 0; i < n; i++) /* CAUSE */
        fprintf(file, i % 8 == 7 ? "%.12e\n" : "%.12e ", field[i]);
    flush(file);
}
