/* Topologies of a run, from a file, and folded to maps. */
#include "topology/fold.h"
#include "topology/topologies.h"
#include "topology/topology_file.h"
#include "topology/topology_words.h"
#include "sca_error.h"
#include "check_main.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_topology topology;
static struct sca_fold fold;

static void begin(void)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
}

static void finish(void)
{
    sca_workspace_free(&space);
}

/* ---- what the runtime wrote ---- */

static void check_split(const char *text, uint32_t ndims, const char *name, const char *names)
{
    char copy[64], joined[64] = "";
    const char *dims[8];
    strcpy(copy, text);
    ck_assert_int_eq(sca_topology_words_split(copy, ndims, dims), *names != '\0');
    ck_assert_str_eq(copy, name);
    for (uint32_t d = 0; d < ndims && *names; d++)
        sprintf(joined + strlen(joined), "%s%s", d ? "|" : "", dims[d]);
    ck_assert_str_eq(joined, names);
}

START_TEST(names_of_dimensions_stand_in_brackets_at_the_end)
{
    check_split("grid (x,y,z)", 3, "grid", "x|y|z");
    check_split("grid(x, y, z)  ", 3, "grid", "x|y|z");
    check_split("a (b) grid (row col)", 2, "a (b) grid", "row|col");
    check_split("grid (x,y)", 3, "grid (x,y)", "");
    check_split("grid (x,,y)", 2, "grid", "x|y");
    check_split("grid", 2, "grid", "");
    check_split("(x,y)", 2, "", "x|y");
    check_split("grid ()", 1, "grid ()", "");
    check_split("x,y)", 2, "x,y)", "");
    check_split("a\nb (x)", 1, "a b", "x");
    check_split("", 1, "", "");
}
END_TEST

START_TEST(words_are_read_or_refused)
{
    struct sca_topology_words w;
    ck_assert(sca_topology_words_read("cart 4,2 periodic 1,0 at 3,1 name b (x at 9)", &w));
    ck_assert_uint_eq(w.ndims, 2);
    ck_assert_int_eq(w.place[0], 3);
    ck_assert_str_eq(w.name, "b (x at 9)");
    ck_assert(sca_topology_words_read("dist_graph in 2 out 3 name mesh", &w));
    ck_assert_int_eq(w.place[1], 3);
    ck_assert_str_eq(w.name, "mesh");
    static const char *const wrong[] = {"",           "cart",
                                        "cart 2",     "cart 2 periodic 1 at 2",
                                        "graph",      "cart 2,2 periodic 1 at 0,0",
                                        "graph in 2", "cart 2 periodic 1 at x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!sca_topology_words_read(wrong[i], &w), "%s", wrong[i]);
}
END_TEST

enum { RANKS = 4, COMMS = 4 };

static struct sca_topologies gather(const char *words[RANKS][COMMS])
{
    static uint32_t all[COMMS] = {0, 1, 2, 3};
    static struct sca_rank ranks[RANKS];
    static struct sca_comm comms[COMMS] = {{.id = 1, .size = 4, .kind = "MPI_COMM_WORLD"},
                                           {.id = 2, .size = 4, .kind = "MPI_Cart_create"},
                                           {.id = 3, .size = 4, .kind = "MPI_Graph_create"},
                                           {.id = 4, .size = 2, .kind = "MPI_Cart_sub"}};
    static struct sca_profile profile = {
        .nranks = RANKS, .ncomms = COMMS, .ranks = ranks, .comms = comms};
    struct sca_topologies list;
    for (int i = 0; i < RANKS; i++)
        ranks[i] = (struct sca_rank){
            .present = words[i][0], .ncomms = COMMS, .comms = all, .topologies = words[i]};
    sca_topologies_make(&space, &profile, &list);
    return list;
}

START_TEST(all_topologies_of_a_run_are_told)
{
    const char *words[RANKS][COMMS] = {
        {"", "cart 2,2 periodic 1,0 at 1,1 name g (x,y)", "graph degree 1",
         "cart 2 periodic 0 at 1"},
        {"", "cart 2,2 periodic 1,0 at 1,0 name g (x,y)", "graph degree 2",
         "cart 2 periodic 0 at 0"},
        {"", "cart 2,2 periodic 1,0 at 0,1 name g (x,y)", "graph degree 2", ""},
        {"", "cart 2,2 periodic 1,0 at 0,0 name g (x,y)", "graph degree 1", ""}};
    begin();
    struct sca_topologies list = gather(words);
    ck_assert_uint_eq(list.n, 3);
    ck_assert_str_eq(list.of[0].name, "g");
    ck_assert_str_eq(list.of[0].kind, "cartesian");
    ck_assert_str_eq(list.of[0].dimension_names[1], "y");
    ck_assert(list.of[0].periodic[0] && !list.of[0].periodic[1]);
    ck_assert_int_eq(sca_topology_place(&list.of[0], 1)[0], 1);
    ck_assert(!sca_topology_is_row_major(&list.of[0]));
    ck_assert_str_eq(list.of[1].name, "MPI_Graph_create");
    ck_assert_uint_eq(list.of[1].dims[0], 4);
    ck_assert_int_eq(sca_topology_place(&list.of[1], 3)[0], 3);
    ck_assert_str_eq(list.of[2].name, "MPI_Cart_sub");
    ck_assert_uint_eq(list.of[2].members, 2);
    ck_assert_ptr_null(sca_topology_place(&list.of[2], 3));
    finish();
}
END_TEST

/* A chain 1 - 0 - 2 - 3, as an undirected graph and as a directed one that does not come back. */
START_TEST(members_of_a_graph_stand_by_their_hops)
{
    const char *words[RANKS][COMMS] = {
        {"", "", "graph degree 2 to 1,2 name chain", "dist_graph in 1 out 1 to 2"},
        {"", "", "graph degree 1 to 0 name chain", "dist_graph in 0 out 1 to 0"},
        {"", "", "graph degree 2 to 0,3 name chain", "dist_graph in 1 out 1 to 3"},
        {"", "", "graph degree 1 to 2 name chain", "dist_graph in 1 out 0"}};
    static const int32_t chain[RANKS][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}},
                         away[RANKS][2] = {{0, 0}, {3, 0}, {1, 0}, {2, 0}};
    begin();
    struct sca_topologies list = gather(words);
    ck_assert_uint_eq(list.n, 2);
    ck_assert_str_eq(list.of[0].dimension_names[0], "hops");
    ck_assert_uint_eq(list.of[0].dims[0], 3);
    ck_assert_uint_eq(list.of[0].dims[1], 2);
    ck_assert_uint_eq(list.of[1].dims[0], 4);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_int_eq(memcmp(sca_topology_place(&list.of[0], r), chain[r], sizeof *chain), 0);
        ck_assert_int_eq(memcmp(sca_topology_place(&list.of[1], r), away[r], sizeof *away), 0);
    }
    words[2][2] = "graph degree 40 name chain"; /* too many to be told */
    list = gather(words);
    ck_assert_uint_eq(list.of[0].ndims + list.of[1].ndims, 3);
    finish();
}
END_TEST

/* A duplicate says nothing of its own; a rank that left nothing has no place. */
START_TEST(the_same_places_are_told_once)
{
    const char *words[RANKS][COMMS] = {
        {"", "cart 4 periodic 0 at 0", "cart 4 periodic 0 at 0 name line", ""},
        {"", "cart 4 periodic 0 at 1", "cart 4 periodic 0 at 1 name line", ""},
        {"", "cart 4 periodic 0 at 2", "cart 4 periodic 0 at 2 name line", "nonsense"},
        {NULL, "", "", ""}};
    begin();
    struct sca_topologies list = gather(words);
    ck_assert_uint_eq(list.n, 1);
    ck_assert_str_eq(list.of[0].name, "line");
    ck_assert_uint_eq(list.of[0].members, 3);
    finish();
}
END_TEST

/* ---- a file ---- */

static char folder[TEMP_FOLDER], path[TEMP_FOLDER + 16];

static int read_file(const char *text, uint32_t nranks)
{
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/mine.csv", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    int status = sca_topology_file_read(&space, path, nranks, &topology);
    temp_folder_drop(folder);
    return status;
}

START_TEST(a_file_tells_ranks_and_coordinates)
{
    begin();
    ck_assert_int_eq(read_file("# of mine\nrank,row,col\n1, 0,1\n\n0 0 0 # first\n2\t5\t1", 3), 0);
    ck_assert_str_eq(topology.name, "mine.csv");
    ck_assert_str_eq(topology.dimension_names[0], "row");
    ck_assert_uint_eq(topology.dims[0], 6);
    ck_assert_uint_eq(topology.dims[1], 2);
    ck_assert_int_eq(sca_topology_place(&topology, 2)[0], 5);
    ck_assert_int_eq(read_file("0 1\r\n1 0\r\n", 2), 0);
    ck_assert_str_eq(topology.dimension_names[0], "");
    finish();
}
END_TEST

static const struct {
    const char *text, *says;
} bad_files[] = {
    {"", "no line for ranks 0, 1, 2 (3 of 3 ranks)"},
    {"0 0\n2 1\n", "no line for rank 1 (1 of 3 ranks)"},
    {"0 0\n1 1\n2 1\n", "mine.csv:3: rank 2 has the coordinates of rank 1 (line 2)"},
    {"0 0\n1 1\n1 2\n", "mine.csv:3: line 2 also has rank 1"},
    {"0 0\n3 1\n", "mine.csv:2: expected ranks 0 to 2"},
    {"0 0\n-1 1\n", "mine.csv:2: expected ranks 0 to 2"},
    {"0 0\n1 1.5\n", "mine.csv:2: a coordinate is not a whole number from 0 on"},
    {"0 0\n1 -1\n", "mine.csv:2: a coordinate is not a whole number from 0 on"},
    {"0 0 0\n1 1\n", "mine.csv:2: 1 coordinates, but the lines above have 2"},
    {"rank,x,y\n0 0\n", "mine.csv:2: 1 coordinates, but the lines above have 2"},
    {"rank,x,x\n0 0 0\n", "mine.csv:1: two dimensions have one name"},
    {"0\n", "mine.csv:1: expected a rank and its coordinates"},
    {"{\"rank\": 0}\n", "mine.csv:1: expected ranks 0 to 2"},
    {"0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
     "mine.csv:1: 33 dimensions; a map has at most 32"},
};

START_TEST(a_bad_file_is_refused_with_its_line)
{
    begin();
    ck_assert_int_eq(read_file(bad_files[_i].text, 3), SCA_EFORMAT);
    ck_assert_msg(strstr(sca_error_message(), bad_files[_i].says) != NULL, "%s",
                  sca_error_message());
    finish();
}
END_TEST

START_TEST(a_missing_file_is_said)
{
    begin();
    ck_assert_int_eq(sca_topology_file_read(&space, "/no/such", 2, &topology), SCA_ENOTFOUND);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "/no/such: neither a topology"));
    finish();
}
END_TEST

/* ---- folding ---- */

static void make(uint32_t ndims, const uint32_t *dims, const char *const *names)
{
    uint32_t nranks = 1;
    begin();
    for (uint32_t d = 0; d < ndims; d++)
        nranks *= dims[d];
    sca_topologies_new(&space, nranks, ndims, &topology);
    topology.name = "t";
    for (uint32_t d = 0; d < ndims; d++) {
        topology.dims[d] = dims[d];
        topology.dimension_names[d] = names ? names[d] : "";
    }
    sca_topology_count_off(&topology);
    ck_assert(sca_topology_is_row_major(&topology));
}

static uint32_t rank_at(uint32_t row, uint32_t column)
{
    return fold.ranks[(size_t)row * fold.columns.length + column];
}

static const uint32_t four[4] = {2, 3, 4, 5};
static const char *const xyzt[4] = {"x", "y", "z", "t"};

START_TEST(by_default_a_map_is_nearly_square)
{
    make(4, four, xyzt);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_OK);
    ck_assert_uint_eq(fold.rows.length, 2 * 3);
    ck_assert_uint_eq(fold.columns.length, 4 * 5);
    for (uint32_t rank = 0; rank < topology.nranks; rank++)
        ck_assert_uint_eq(rank_at(rank / 20, rank % 20), rank);
    ck_assert_uint_eq(sca_fold_coordinate(&fold, &fold.columns, 0, 17), 3);
    ck_assert_uint_eq(sca_fold_coordinate(&fold, &fold.columns, 1, 17), 2);
    finish();
}
END_TEST

START_TEST(dimensions_are_folded_and_sliced_as_wished)
{
    make(4, four, xyzt);
    ck_assert_int_eq(sca_fold_make(&space, &topology, "t,x/2", "y=1", &fold), SCA_OK);
    ck_assert_uint_eq(fold.rows.length, 5 * 2);
    ck_assert_uint_eq(fold.columns.length, 4);
    ck_assert_uint_eq(fold.shown, 40);
    for (uint32_t t = 0; t < 5; t++)
        for (uint32_t x = 0; x < 2; x++)
            for (uint32_t z = 0; z < 4; z++)
                ck_assert_uint_eq(rank_at(t * 2 + x, z), ((x * 3 + 1) * 4 + z) * 5 + t);
    finish();
}
END_TEST

static const struct {
    const char *fold, *slice, *says;
} wishes[] = {
    {"x/y", NULL,
     "--fold=x/y: a dimension is neither folded nor sliced; topology t has x (0 to 1)"},
    {"x,x/y,z,t", NULL, "a dimension is named twice"},
    {"x,q/y,z,t", NULL, "ROWS/COLUMNS"},
    {"x/y/z,t", NULL, "ROWS/COLUMNS"},
    {"x,4/y,z,t", NULL, "ROWS/COLUMNS"},
    {"x,y/z,t", "t=0", "a dimension is also sliced"},
    {NULL, "t=5", "--slice=t=5: there is no such slice"},
    {NULL, "t", "DIMENSION=NUMBER"},
    {NULL, "q=1", "DIMENSION=NUMBER"},
    {NULL, "t=-1", "DIMENSION=NUMBER"},
    {NULL, "t=1,", "DIMENSION=NUMBER"},
    {NULL, "t=1,t=2", "a dimension is named twice"},
};

START_TEST(a_wish_that_does_not_fit_is_refused)
{
    make(4, four, xyzt);
    ck_assert_int_eq(sca_fold_make(&space, &topology, wishes[_i].fold, wishes[_i].slice, &fold),
                     SCA_EINVAL);
    ck_assert_msg(strstr(sca_error_message(), wishes[_i].says) != NULL, "%s", sca_error_message());
    finish();
}
END_TEST

START_TEST(one_dimension_goes_on_in_the_next_row)
{
    const uint32_t ten = 10, many = 1000;
    make(1, &ten, NULL);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_OK);
    ck_assert(fold.wrapped);
    ck_assert_uint_eq(fold.rows.length, 3);
    ck_assert_uint_eq(rank_at(2, 1), 9);
    ck_assert_uint_eq(rank_at(2, 2), SCA_NONE);
    finish();
    make(1, &many, NULL);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_OK);
    ck_assert_uint_eq(fold.columns.length, 32);
    finish();
}
END_TEST

START_TEST(twenty_dimensions_are_folded)
{
    uint32_t dims[20];
    for (int d = 0; d < 20; d++)
        dims[d] = d % 2 ? 1 : 2;
    make(20, dims, NULL);
    ck_assert_uint_eq(topology.nranks, 1024);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_OK);
    ck_assert_uint_eq(fold.rows.length, 32);
    ck_assert_uint_eq(fold.columns.length, 32);
    ck_assert_uint_eq(rank_at(31, 31), 1023);
    finish();
}
END_TEST

START_TEST(too_many_places_are_said)
{
    begin();
    ck_assert_int_eq(read_file("0 0 0\n1 100000 100000\n", 2), SCA_OK);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "100001 x 100001 places are too many"));
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, "0=0", &fold), SCA_OK);
    ck_assert_uint_eq(fold.shown, 1);
    finish();
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("topologies");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, names_of_dimensions_stand_in_brackets_at_the_end);
    tcase_add_test(cases, words_are_read_or_refused);
    tcase_add_test(cases, all_topologies_of_a_run_are_told);
    tcase_add_test(cases, members_of_a_graph_stand_by_their_hops);
    tcase_add_test(cases, the_same_places_are_told_once);
    tcase_add_test(cases, a_file_tells_ranks_and_coordinates);
    tcase_add_loop_test(cases, a_bad_file_is_refused_with_its_line, 0,
                        sizeof bad_files / sizeof *bad_files);
    tcase_add_test(cases, a_missing_file_is_said);
    tcase_add_test(cases, by_default_a_map_is_nearly_square);
    tcase_add_test(cases, dimensions_are_folded_and_sliced_as_wished);
    tcase_add_loop_test(cases, a_wish_that_does_not_fit_is_refused, 0,
                        sizeof wishes / sizeof *wishes);
    tcase_add_test(cases, one_dimension_goes_on_in_the_next_row);
    tcase_add_test(cases, twenty_dimensions_are_folded);
    tcase_add_test(cases, too_many_places_are_said);
    suite_add_tcase(s, cases);
    return s;
}
