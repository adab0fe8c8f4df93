/* Pictures of graphs made by hand: contraction, columns, and calls longer than on other ranks. */
#include "pictures/picture_contract.h"
#include "pictures/picture_write.h"
#include "pictures/share_colour.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { START, FIRST, SECOND, ENTRY, HOT, EXIT, LAST, END, NODES };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_picture picture;

static void add(uint32_t group, uint32_t at, enum sca_figure figure, double share)
{
    struct sca_picture_node *n = sca_picture_add_node(&picture, group);
    n->id = at;
    n->vertex = figure == SCA_FIGURE_LOOP ? ENTRY : at;
    n->place = (struct sca_picture_place){at, at == EXIT, 0};
    n->figure = figure;
    n->activity = "call";
    n->label = n->brief = "a<b";
    n->share = share;
    n->seconds = 10 * share;
    n->count = 2;
}

/* Two groups that do the same; the loop's call takes `hot` in the second one. */
static void begin(double hot)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    sca_picture_begin(&space, &picture);
    for (uint32_t g = 0; g < 2; g++) {
        sca_picture_add_group(
            &picture, &(struct sca_picture_group){
                          .name = "group", .ranks = "0", .role = "", .nranks = 1, .seconds = 10});
        for (uint32_t i = START; i < NODES; i++)
            add(g, i,
                i == START || i == END    ? SCA_FIGURE_END
                : i == ENTRY || i == EXIT ? SCA_FIGURE_LOOP
                                          : SCA_FIGURE_CALL,
                i == HOT && g ? hot : 0.001);
        for (uint32_t i = START; i < END; i++) {
            struct sca_picture_edge *e = sca_picture_add_edge(&picture, SCA_LINK_COMPUTATION,
                                                              g * NODES + i, g * NODES + i + 1);
            e->count = 1;
            e->seconds = 0.01;
            e->share = 0.001;
        }
    }
    struct sca_picture_edge *message =
        sca_picture_add_edge(&picture, SCA_LINK_MESSAGE, FIRST, NODES + SECOND);
    message->count = 7;
    sca_picture_arrange(&picture);
}

static double seconds(void)
{
    double sum = 0;
    for (uint32_t i = 0; i < picture.nnodes; i++)
        sum += picture.nodes[i].seconds;
    for (uint32_t i = 0; i < picture.nedges; i++)
        sum += picture.edges[i].kind == SCA_LINK_COMPUTATION ? picture.edges[i].seconds : 0;
    return sum;
}

START_TEST(what_takes_little_becomes_one_in_all_groups)
{
    begin(0.5);
    double before = seconds();
    ck_assert_uint_eq(picture.ncolumns, NODES);
    sca_picture_contract(&picture, 0.01);
    /* start, two as one, entry, hot, exit, last, end */
    ck_assert_uint_eq(picture.nnodes, 2 * (NODES - 1));
    ck_assert_uint_eq(picture.ncolumns, NODES - 1);
    const struct sca_picture_node *rest = &picture.nodes[1];
    ck_assert(rest->figure == SCA_FIGURE_REST);
    ck_assert_uint_eq(rest->united, 2);
    ck_assert_double_eq(rest->count, 4);
    ck_assert_double_eq_tol(seconds(), before, 1e-9);
    for (uint32_t i = 0; i < picture.nnodes; i++)
        ck_assert_uint_eq(picture.nodes[i].column, i % (NODES - 1));
    sca_workspace_free(&space);
}
END_TEST

START_TEST(messages_are_between_what_was_contracted)
{
    begin(0.5);
    sca_picture_contract(&picture, 0.01);
    uint32_t found = 0;
    for (uint32_t i = 0; i < picture.nedges; i++) {
        const struct sca_picture_edge *e = &picture.edges[i];
        if (e->kind != SCA_LINK_MESSAGE)
            continue;
        found++;
        ck_assert_double_eq(e->count, 7);
        ck_assert_uint_eq(e->from, 1);
        ck_assert_uint_eq(e->to, NODES - 1 + 1);
    }
    ck_assert_uint_eq(found, 1);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(a_loop_without_anything_goes_too)
{
    begin(0.001);
    sca_picture_contract(&picture, 0.01);
    ck_assert_uint_eq(picture.nnodes, 2 * 3); /* start, all others, end */
    sca_workspace_free(&space);
    begin(0.001);
    sca_picture_contract(&picture, 0);
    ck_assert_uint_eq(picture.nnodes, 2 * NODES);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_waits_longer_than_the_others_is_marked)
{
    begin(0.5);
    sca_picture_mark_abnormal(&picture, 1.3);
    for (uint32_t i = 0; i < picture.nnodes; i++)
        ck_assert_int_eq(picture.nodes[i].abnormal, i == NODES + HOT);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(text_is_escaped_as_the_format_asks)
{
    char *text = NULL;
    size_t length = 0;
    begin(0.5);
    FILE *out = open_memstream(&text, &length);
    sca_picture_put_svg(out, &picture, true);
    fclose(out);
    ck_assert_ptr_null(strstr(text, "a<b"));
    ck_assert_ptr_nonnull(strstr(text, "a&#60;b"));
    free(text);
    sca_workspace_free(&space);
}
END_TEST

/* Texts up to the next figure, within its box: there no arrow crosses them. */
static uint32_t texts_in_box(const char *box)
{
    const char *end = strchr(strstr(box, "</rect>"), '\n');
    double top = 0, height = 0, base = 0;
    uint32_t n = 0;
    ck_assert_int_eq(
        sscanf(box, "<rect x=\"%*f\" y=\"%lf\" width=\"36\" height=\"%lf\"", &top, &height), 2);
    for (const char *at = box; (at = strstr(at, "<text x=")) && at < end; at++, n++) {
        ck_assert_int_eq(sscanf(at, "<text x=\"%*f\" y=\"%lf\"", &base), 1);
        ck_assert(base > top && base < top + height);
    }
    return n;
}

START_TEST(what_is_said_of_a_call_stands_in_its_box)
{
    char *text = NULL;
    size_t length = 0;
    uint32_t boxes = 0;
    begin(0.5);
    picture.nodes[NODES + HOT].count = 1234567;
    FILE *out = open_memstream(&text, &length);
    sca_picture_put_svg(out, &picture, true);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, ">1.23M</text>"));
    for (char *at = text; (at = strstr(at, "<rect x=")); at++)
        if (strstr(at, "width=\"36\"") == strstr(at, "width=")) {
            ck_assert_uint_eq(texts_in_box(at), 2); /* share and count */
            boxes++;
        }
    ck_assert_uint_eq(boxes, 2 * 4);
    free(text);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(colours_go_from_blue_to_red)
{
    char colour[8];
    ck_assert_str_eq(sca_share_colour(colour, 0), "#0000ff");
    ck_assert_str_eq(sca_share_colour(colour, (double)NAN), "#0000ff");
    ck_assert_str_eq(sca_share_colour(colour, 0.25), "#00ff00");
    ck_assert_str_eq(sca_share_colour(colour, 1), "#ff0000");
    ck_assert_str_eq(sca_share_colour(colour, 7), "#ff0000");
    ck_assert(!sca_share_colour_is_light(0) && sca_share_colour_is_light(0.3));
}
END_TEST

SCA_SUITE("picture", what_takes_little_becomes_one_in_all_groups,
          messages_are_between_what_was_contracted, what_is_said_of_a_call_stands_in_its_box,
          a_loop_without_anything_goes_too, who_waits_longer_than_the_others_is_marked,
          text_is_escaped_as_the_format_asks, colours_go_from_blue_to_red)
