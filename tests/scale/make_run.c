/* make_run: a run directory of any size, with a known cause, without running anything. */
#include "parts.h"
#include "rank_tables.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_profile.h"
#include "profile/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    struct scale_plan plan;
    uint32_t windows, missing, jumping;
    bool no_samples, killed;
};

static int number(const char *value, unsigned long least, unsigned long most, uint32_t *to)
{
    unsigned long n = 0;
    int status = sca_options_parse_uint(value, least, most, &n);
    *to = (uint32_t)n;
    return status;
}

static int set_ranks(void *r, const char *value)
{
    return number(value, 1, SCA_MAX_RANKS, &((struct request *)r)->plan.ranks);
}

static int set_phases(void *r, const char *value)
{
    return number(value, 1, SCALE_MOST_PHASES, &((struct request *)r)->plan.phases);
}

static int set_steps(void *r, const char *value)
{
    return number(value, 1, 1000000, &((struct request *)r)->plan.steps);
}

static int set_windows(void *r, const char *value)
{
    return number(value, 0, 64, &((struct request *)r)->windows);
}

static int set_seed(void *r, const char *value)
{
    unsigned long n = 0;
    int status = sca_options_parse_uint(value, 0, UINT32_MAX, &n);
    ((struct request *)r)->plan.seed = n;
    return status;
}

static int set_core_seconds(void *r, const char *value)
{
    return sca_options_parse_double(value, 1e-6, 1e12, &((struct request *)r)->plan.core_seconds);
}

static int set_factor(void *r, const char *value)
{
    return sca_options_parse_double(value, 0, 1e6, &((struct request *)r)->plan.factor);
}

static int set_reference(void *r, const char *value)
{
    return number(value, 1, SCA_MAX_RANKS, &((struct request *)r)->plan.reference);
}

static int set_groups(void *r, const char *value)
{
    return number(value, 1, SCALE_MOST_PHASES, &((struct request *)r)->plan.groups);
}

static int set_affected(void *r, const char *value)
{
    struct scale_plan *plan = &((struct request *)r)->plan;
    plan->affected = 1;
    return sscanf(value, "%u+%u", &plan->rank, &plan->affected) >= 1
               ? SCA_OK
               : sca_fail(SCA_EINVAL, "--at-rank=%s: FIRST or FIRST+COUNT", value);
}

static int set_loop(void *r, const char *value)
{
    struct scale_plan *plan = &((struct request *)r)->plan;
    bool fine = sscanf(value, "%u:%u", &plan->phase, &plan->loop) == 2 && plan->loop < SCALE_LOOPS;
    return fine ? SCA_OK : sca_fail(SCA_EINVAL, "--at-loop=%s: PHASE:LOOP, loop 0 to 4", value);
}

static int set_cause(void *r, const char *value)
{
    static const char *const names[] = {"none", "imbalance", "serial", "undivided"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(value, names[i])) {
            ((struct request *)r)->plan.cause = (enum scale_cause)i;
            return SCA_OK;
        }
    return sca_fail(SCA_EINVAL, "--cause=%s: none, imbalance, serial or undivided", value);
}

static int set_missing(void *r, const char *value)
{
    ((struct request *)r)->killed = true;
    return number(value, 0, SCA_MAX_RANKS, &((struct request *)r)->missing);
}

static int set_jumping(void *r, const char *value)
{
    return number(value, 0, SCA_MAX_RANKS, &((struct request *)r)->jumping);
}

static int set_no_samples(void *r, const char *value)
{
    (void)value;
    ((struct request *)r)->no_samples = true;
    return SCA_OK;
}

static int set_killed(void *r, const char *value)
{
    (void)value;
    ((struct request *)r)->killed = true;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "ranks", .argument = "N", .help = "(16)", .set = set_ranks},
    {.name = "phases",
     .argument = "N",
     .help = "those of the program, 12 vertices each (84)",
     .set = set_phases},
    {.name = "groups",
     .argument = "N",
     .help = "of ranks, each with phases of its own, which N divides (1)",
     .set = set_groups},
    {.name = "steps", .argument = "N", .help = "(100)", .set = set_steps},
    {.name = "core-seconds",
     .argument = "S",
     .help = "computation of all ranks together (10 per rank)",
     .set = set_core_seconds},
    {.name = "cause",
     .argument = "KIND",
     .help = "none, imbalance, serial, undivided (none)",
     .set = set_cause},
    {.name = "at-loop",
     .argument = "PHASE:LOOP",
     .help = "where (the middle phase, its inner loop 2)",
     .set = set_loop},
    {.name = "at-rank",
     .argument = "FIRST[+COUNT]",
     .help = "which ranks (1)",
     .set = set_affected},
    {.name = "factor", .argument = "X", .help = "how much more (20)", .set = set_factor},
    {.name = "reference",
     .argument = "N",
     .help = "undivided: as much as there was per rank on N ranks (16)",
     .set = set_reference},
    {.name = "windows",
     .argument = "N",
     .help = "recorded windows (8, 4 from 91 ranks on)",
     .set = set_windows},
    {.name = "killed", .help = "a run that was killed: a file per rank", .set = set_killed},
    {.name = "missing",
     .argument = "RANK",
     .help = "that, and one is not there",
     .set = set_missing},
    {.name = "no-samples", .help = "nothing was sampled", .set = set_no_samples},
    {.name = "clock-jumps",
     .argument = "RANK",
     .help = "its clock jumped by an hour",
     .set = set_jumping},
    {.name = "seed", .argument = "N", .help = "(1)", .set = set_seed},
    {0},
};

static const struct sca_command command = {
    .name = "make_run",
    .usage = "make_run [OPTION]... PROGRAM DIRECTORY",
    .summary = "Writes DIRECTORY/profile.sca as a run of PROGRAM would leave it. PROGRAM comes\n"
               "from: make_source PHASES p.c; scalana-static mpicc -O1 -g p.c -o PROGRAM",
    .options = options,
};

static int complain(int status)
{
    fprintf(stderr, "make_run: %s\n", sca_error_message());
    return status;
}

static void put_meta(struct scale_rows *meta, const char *key, const char *value)
{
    scale_rows_add(meta, SCA_T_META, key, (uint32_t)strlen(key) + 1);
    scale_rows_add(meta, SCA_T_META, value, (uint32_t)strlen(value) + 1);
}

static void fill_meta(const struct scale_run *run, struct scale_rows *meta)
{
    const char *slash = strrchr(run->program, '/');
    char ranks[16], id[65] = "";
    snprintf(ranks, sizeof ranks, "%u", run->plan->ranks);
    for (uint32_t i = 0; i < run->places->build_id_size; i++)
        snprintf(id + 2 * (size_t)i, 3, "%02x", run->places->build_id[i]);
    put_meta(meta, "program", slash ? slash + 1 : run->program);
    put_meta(meta, "path", run->program);
    put_meta(meta, "build_id", id);
    put_meta(meta, "ranks", ranks);
    put_meta(meta, "hosts", "1");
    put_meta(meta, "host", "localhost");
    put_meta(meta, "mpi", "generated");
    put_meta(meta, "version", SCA_VERSION);
    put_meta(meta, "start", "2025-01-01T00:00:00Z");
    put_meta(meta, "sampling", "generated");
    put_meta(meta, "frequency", "200");
    put_meta(meta, "clock", "tsc");
    put_meta(meta, "oversubscribed", "0");
}

static struct sca_store_image encode(const struct sca_tables *tables)
{
    struct sca_writer w;
    sca_wire_writer_init(&w, NULL, 0);
    sca_image_encode(tables, &w);
    void *bytes = malloc(w.length);
    if (!bytes)
        abort();
    sca_wire_writer_init(&w, bytes, w.length);
    sca_image_encode(tables, &w);
    return (struct sca_store_image){bytes, w.length};
}

static struct sca_store_image *all_images(const struct scale_run *run)
{
    struct sca_store_image *images = calloc(run->plan->ranks, sizeof *images);
    struct scale_rows rows[SCA_T_COUNT] = {{0}};
    for (uint32_t r = 0; images && r < run->plan->ranks; r++) {
        struct sca_tables tables = scale_rank_tables(run, r, rows);
        images[r] = encode(&tables);
    }
    for (int t = 0; t < SCA_T_COUNT; t++)
        free(rows[t].bytes);
    return images;
}

static int save(const char *directory, const struct sca_writer *out)
{
    char path[4096];
    if (mkdir(directory, 0777) && errno != EEXIST)
        return sca_fail(SCA_EIO, "%s: %s", directory, strerror(errno));
    snprintf(path, sizeof path, "%s/%s", directory, SCA_PROFILE_FILE);
    FILE *file = fopen(path, "wb");
    bool fine = file && fwrite(out->data, 1, out->length, file) == out->length;
    fine = file && !fclose(file) && fine;
    return fine ? SCA_OK : sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
}

static int write_store(const struct scale_run *run, const struct scale_rows *meta,
                       const char *directory)
{
    uint32_t ranks = run->plan->ranks;
    struct sca_store_image *images = all_images(run);
    size_t total = 0;
    for (uint32_t r = 0; images && r < ranks; r++)
        total += images[r].length;
    size_t room = sca_store_scratch(total, ranks),
           bound = sca_store_bound(total, ranks, meta->count);
    void *scratch = malloc(room), *bytes = malloc(bound);
    if (!images || !scratch || !bytes)
        abort();
    struct sca_writer out;
    sca_wire_writer_init(&out, bytes, bound);
    sca_store_write(&out, images, ranks, meta->bytes, meta->count, scratch, room);
    int status = out.failed ? sca_fail(SCA_EINVAL, "encoding failed") : save(directory, &out);
    for (uint32_t r = 0; r < ranks; r++)
        free((void *)images[r].bytes);
    free(images);
    free(scratch);
    free(bytes);
    return status;
}

static int write_run(const struct scale_run *run, const struct request *r, const char *directory)
{
    struct scale_rows meta = {0};
    fill_meta(run, &meta);
    int status = r->killed ? scale_write_parts(run, &meta, directory, r->missing)
                           : write_store(run, &meta, directory);
    free(meta.bytes);
    return status;
}

static void complete(struct request *r)
{
    struct scale_plan *plan = &r->plan;
    if (plan->phase == SCA_NONE)
        plan->phase = plan->phases / 2;
    if (plan->core_seconds <= 0)
        plan->core_seconds = 10.0 * plan->ranks;
    if (r->windows == SCA_NONE)
        r->windows = plan->ranks > 90 ? 4 : 8;
    scale_plan_ready(plan);
}

int main(int argc, char **argv)
{
    struct request r = {.plan = {.ranks = 16,
                                 .phases = 84,
                                 .steps = 100,
                                 .seed = 1,
                                 .groups = 1,
                                 .phase = SCA_NONE,
                                 .loop = SCALE_INNER,
                                 .rank = 1,
                                 .affected = 1,
                                 .factor = 20,
                                 .reference = 16},
                        .windows = SCA_NONE,
                        .missing = SCA_NONE,
                        .jumping = SCA_NONE};
    int operands = 0, parsed = sca_options_parse(&command, &r, argc, argv, &operands);
    if (parsed == SCA_PARSE_DONE)
        return EXIT_SUCCESS;
    if (parsed == SCA_PARSE_RUN && operands != 2)
        parsed = sca_fail(SCA_EINVAL, "a program and a directory (see --help)");
    if (parsed >= 0 && (r.plan.phases % r.plan.groups || r.plan.ranks < r.plan.groups))
        parsed = sca_fail(SCA_EINVAL, "--groups divides the phases, and each has a rank");
    if (parsed < 0)
        return complain(2);
    complete(&r);
    struct scale_places places;
    char program[4096];
    if (!realpath(argv[1], program)) {
        sca_fail(SCA_EIO, "%s: %s", argv[1], strerror(errno));
        return complain(EXIT_FAILURE);
    }
    scale_places_read(program, r.plan.phases, &places);
    struct scale_run run = {.program = program,
                            .plan = &r.plan,
                            .places = &places,
                            .no_samples = r.no_samples,
                            .jumping = r.jumping};
    scale_choose_windows(&run, r.windows);
    int status = write_run(&run, &r, argv[2]);
    free(run.windows);
    free(places.phases);
    free(r.plan.longest);
    return status == SCA_OK ? EXIT_SUCCESS : complain(EXIT_FAILURE);
}
