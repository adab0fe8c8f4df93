#include "shape.h"

static const char head[] = "#include <mpi.h>\n"
                           "enum { N = 1024, STEPS = 10 };\n"
                           "static double x[N], y[N], sum;\n"
                           "static int left, right;\n";

static const char phase_text[] =
    "__attribute__((noinline)) static void phase_%04u(int odd)\n"
    "{\n"
    "    MPI_Request r[4];\n"
    "    for (int i = 0; i < N; i++)\n"
    "        x[i] = x[i] * 1.0001 + 0.5;\n"
    "    for (int i = 0; i < N; i++)\n"
    "        for (int k = 0; k < 16; k++)\n"
    "            x[i] += x[(i + k) %% N] * 0.25;\n"
    "    MPI_Irecv(y, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);\n"
    "    MPI_Irecv(y, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &r[1]);\n"
    "    MPI_Isend(x, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[2]);\n"
    "    MPI_Isend(x, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &r[3]);\n"
    "    for (int i = 0; i < N; i++)\n"
    "        sum += x[i] / (1 + sum * sum);\n"
    "    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);\n"
    "    if (odd)\n"
    "        for (int i = 0; i < N; i++)\n"
    "            sum += y[i] / (2 + sum * sum);\n"
    "    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "}\n";

static const char main_text[] = "int main(int argc, char **argv)\n"
                                "{\n"
                                "    int rank, ranks;\n"
                                "    MPI_Init(&argc, &argv);\n"
                                "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                "    MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
                                "    left = (rank + ranks - 1) %% ranks;\n"
                                "    right = (rank + 1) %% ranks;\n"
                                "    for (int step = 0; step < STEPS; step++) {\n";

static const char tail[] = "    }\n"
                           "    MPI_Finalize();\n"
                           "    return sum == 1;\n"
                           "}\n";

enum { HEAD_LINES = 4, PHASE_LINES = 20, MAIN_LINES = 9 };

void scale_write_source(FILE *out, uint32_t phases)
{
    fputs(head, out);
    for (uint32_t p = 0; p < phases; p++)
        fprintf(out, phase_text, p);
    fprintf(out, main_text);
    for (uint32_t p = 0; p < phases; p++)
        fprintf(out, "        phase_%04u(argc);\n", p);
    fputs(tail, out);
}

static uint32_t phase_line(uint32_t phase, uint32_t line)
{
    return HEAD_LINES + phase * PHASE_LINES + line;
}

uint32_t scale_loop_line(uint32_t phase, enum scale_loop loop)
{
    static const uint8_t lines[SCALE_LOOPS] = {4, 6, 7, 13, 17};
    return phase_line(phase, lines[loop]);
}

uint32_t scale_body_line(uint32_t phase, enum scale_loop loop)
{
    return scale_loop_line(phase, loop) + 1;
}

uint32_t scale_mpi_line(uint32_t phase, enum scale_call call)
{
    static const uint8_t lines[SCALE_CALLS] = {9, 10, 11, 12, 15, 19};
    return phase_line(phase, lines[call]);
}

uint32_t scale_main_line(uint32_t phases, uint32_t phase)
{
    return HEAD_LINES + phases * PHASE_LINES + MAIN_LINES + phase + 1;
}

const char *scale_call_name(enum scale_call call)
{
    static const char *const names[SCALE_CALLS] = {"MPI_Irecv", "MPI_Irecv",   "MPI_Isend",
                                                   "MPI_Isend", "MPI_Waitall", "MPI_Allreduce"};
    return names[call];
}
