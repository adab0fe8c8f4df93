#include "report/report_behaviour.h"

struct putting_behaviour { /* how numbers and texts are written */
    cJSON *object;
    cJSON *(*make_number)(double value);
    cJSON *(*make_string)(const char *text);
};

static void put(const struct putting_behaviour *p, const char *name, double value)
{
    cJSON_AddItemToObject(p->object, name, p->make_number(value));
}

static void put_text(const struct putting_behaviour *p, const char *name, const char *text)
{
    cJSON_AddItemToObject(p->object, name, p->make_string(text));
}

static void put_ranks(const struct putting_behaviour *p, const uint32_t *ranks, uint32_t n)
{
    cJSON *array = cJSON_AddArrayToObject(p->object, "ranks");
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(ranks[i]));
}

static void put_class(const struct putting_behaviour *p, const struct sca_report_class *k)
{
    put_text(p, "role", k->role);
    put(p, "graph", k->graph);
    put_ranks(p, k->ranks, k->nranks);
    put(p, "computation_s", k->own_mean_s);
    put(p, "min_computation_s", k->own_least_s);
    put(p, "max_computation_s", k->own_most_s);
    put(p, "sd_computation_s", k->own_sd_s);
    put(p, "mpi_s", k->mpi_mean_s);
    put(p, "mpi_calls", k->calls);
    put(p, "slower", k->slower);
    put(p, "min_peers", k->least_peers);
    put(p, "max_peers", k->most_peers);
}

static void put_leaver(const struct putting_behaviour *p, const struct sca_report_leaver *l)
{
    put(p, "rank", l->rank);
    put(p, "from_iteration", l->iteration);
    put(p, "at_s", l->at_s);
    put(p, "before", l->before);
    put(p, "after", l->after);
}

static void put_advice(const struct putting_behaviour *p, const struct sca_report_advice *a)
{
    put_text(p, "kind", a->kind);
    put_text(p, "text", a->text);
    put_text(p, "estimate", a->estimate);
    put(p, "vertex", a->vertex);
    put_ranks(p, a->ranks, a->nranks);
    put(p, "gain_core_s", a->gain_core_s);
    put(p, "gain_share", a->gain_share);
}

static cJSON *add_object(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

void sca_report_behaviour_put(cJSON *root, const struct sca_report *report,
                              cJSON *(*make_number)(double value),
                              cJSON *(*make_string)(const char *text))
{
    const struct sca_report_behaviour *b = &report->behaviour;
    struct putting_behaviour p = {NULL, make_number, make_string};
    if (!b->nclasses)
        return;
    cJSON *classes = cJSON_AddArrayToObject(root, "rank_classes");
    for (uint32_t i = 0; i < b->nclasses; i++) {
        p.object = add_object(classes);
        put_class(&p, &b->classes[i]);
    }
    cJSON_AddItemToObject(root, "rank_classes_left_out", make_number(b->nclasses_left_out));
    cJSON *left = cJSON_AddArrayToObject(root, "left_class");
    for (uint32_t i = 0; i < b->nleavers; i++) {
        p.object = add_object(left);
        put_leaver(&p, &b->leavers[i]);
    }
    cJSON *advice = cJSON_AddArrayToObject(root, "advice");
    for (uint32_t i = 0; i < report->nadvice; i++) {
        p.object = add_object(advice);
        put_advice(&p, &report->advice[i]);
    }
}

/* ---- reading ---- */

static uint32_t ranks_of(const struct sca_report *report)
{
    return report->nruns ? report->runs[report->nruns - 1].ranks : 0;
}

static void get_class(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_class *k = out;
    (void)index;
    k->role = sca_report_fields_string(in, o, "role", "");
    k->graph = sca_report_fields_u32(in, o, "graph", 1);
    k->ranks = sca_report_fields_ranks(in, o, ranks_of(in->report), &k->nranks);
    k->own_mean_s = sca_report_fields_double(in, o, "computation_s");
    k->own_least_s = sca_report_fields_double(in, o, "min_computation_s");
    k->own_most_s = sca_report_fields_double(in, o, "max_computation_s");
    k->own_sd_s = sca_report_fields_measured(in, o, "sd_computation_s");
    k->mpi_mean_s = sca_report_fields_double(in, o, "mpi_s");
    k->calls = sca_report_fields_double(in, o, "mpi_calls");
    k->slower = sca_report_fields_u32(in, o, "slower", 0);
    k->least_peers = sca_report_fields_u32(in, o, "min_peers", 0);
    k->most_peers = sca_report_fields_u32(in, o, "max_peers", 0);
}

static void get_leaver(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_leaver *l = out;
    (void)index;
    l->rank = sca_report_fields_index(in, o, "rank", ranks_of(in->report));
    l->iteration = sca_report_fields_double(in, o, "from_iteration");
    l->at_s = sca_report_fields_double(in, o, "at_s");
    l->before = sca_report_fields_double(in, o, "before");
    l->after = sca_report_fields_double(in, o, "after");
}

static void get_advice(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_advice *a = out;
    (void)index;
    a->kind = sca_report_fields_string(in, o, "kind", "");
    a->text = sca_report_fields_string(in, o, "text", "");
    a->estimate = sca_report_fields_string(in, o, "estimate", "");
    a->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    a->ranks = sca_report_fields_ranks(in, o, ranks_of(in->report), &a->nranks);
    a->gain_core_s = sca_report_fields_double(in, o, "gain_core_s");
    a->gain_share = sca_report_fields_double(in, o, "gain_share");
}

void sca_report_behaviour_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    struct sca_report_behaviour *b = &report->behaviour;
    b->classes = sca_report_fields_list(in, root, "rank_classes", sizeof *b->classes, get_class,
                                        &b->nclasses);
    b->nclasses_left_out = sca_report_fields_u32(in, root, "rank_classes_left_out", 0);
    b->leavers = sca_report_fields_list(in, root, "left_class", sizeof *b->leavers, get_leaver,
                                        &b->nleavers);
    report->advice = sca_report_fields_list(in, root, "advice", sizeof *report->advice, get_advice,
                                            &report->nadvice);
}
