/*
 * What is on the screen and what a key does to it, without any terminal: keys go in, a screenful
 * of lines comes out. screen.c shows it; tests look at it directly.
 *
 * Above is a list, of root causes or of all vertices as a tree; below is a pane about the selected
 * one. Keys go to the part that has the focus. Owns all but the report and the sources.
 */
#ifndef SCA_VIEW_H
#define SCA_VIEW_H

#include "panes.h"
#include "time_panes.h"
#include "tree.h"

enum sca_key { /* other keys are their characters */
               SCA_KEY_ESCAPE = 0x1b,
               SCA_KEY_UP = 0x110000,
               SCA_KEY_DOWN,
               SCA_KEY_LEFT,
               SCA_KEY_RIGHT,
               SCA_KEY_PAGE_UP,
               SCA_KEY_PAGE_DOWN,
               SCA_KEY_HOME,
               SCA_KEY_END,
               SCA_KEY_ENTER,
               SCA_KEY_BACKSPACE,
               SCA_KEY_TAB,
               SCA_KEY_BACKTAB
};

enum sca_click { SCA_CLICK, SCA_DOUBLE_CLICK, SCA_WHEEL_UP, SCA_WHEEL_DOWN };
enum sca_prompt { SCA_NO_PROMPT, SCA_ASK_SEARCH, SCA_ASK_MAPPING };
enum { SCA_HISTORY = 32, SCA_LEAST_ROWS = 12, SCA_LEAST_COLUMNS = 50, SCA_WIDE_COLUMNS = 120 };

struct sca_place { /* where Escape goes back to */
    enum sca_pane_kind kind;
    uint32_t shown;
    size_t cursor, top;
    bool below;
};

struct sca_layout { /* rows of the screen */
    int list_first, list_rows, path_first, path_rows, divider, pane_first, pane_rows;
};

struct sca_view {
    struct sca_model model;
    struct sca_tree tree;
    struct sca_sources *sources;
    struct sca_pane pane, side; /* side: beside it on a wide screen, for reading alone */
    enum sca_pane_kind kind;
    bool in_tree, below, help, quit; /* below: the pane has the focus */
    struct {
        uint32_t row, top;
    } list[2];      /* of causes, of the tree */
    uint32_t shown; /* the vertex the pane is about, or SCA_NO_VERTEX */
    size_t cursor;  /* line of the pane, when it has the focus */
    struct sca_time_look time;
    int skip; /* columns of source scrolled away */
    struct sca_place history[SCA_HISTORY];
    int nhistory;
    enum sca_prompt prompt;
    char input[256], needle[256], message[256];
    int rows, columns;
    struct sca_layout layout;
};

int sca_view_open(struct sca_view *view, const struct sca_report *report,
                  struct sca_sources *sources);
void sca_view_close(struct sca_view *view);
void sca_view_resize(struct sca_view *view, int rows, int columns);
void sca_view_key(struct sca_view *view, int key);
void sca_view_mouse(struct sca_view *view, int row, int column, enum sca_click click);
/* Exactly view->rows lines, none wider than view->columns. */
void sca_view_draw(struct sca_view *view, struct sca_lines *screen);

/* ---- between view*.c ---- */

/* Columns of the pane: all, or half where another stands beside it. */
int sca_view_pane_columns(const struct sca_view *view);
uint32_t sca_view_count(const struct sca_view *view);  /* rows of the list */
uint32_t sca_view_vertex(const struct sca_view *view); /* selected, or SCA_NO_VERTEX */
uint32_t sca_view_cause(const struct sca_view *view);  /* of the selected, or the same */
void sca_view_select(struct sca_view *view, long row); /* clamped */
void sca_view_show(struct sca_view *view, enum sca_pane_kind kind); /* fills the pane anew */
void sca_view_show_again(struct sca_view *view);         /* the same, with the cursor where it is */
void sca_view_scroll(struct sca_view *view, long lines); /* the pane, not its cursor */
void sca_view_move_cursor(struct sca_view *view, long line); /* clamped, kept in sight */
void sca_view_search(struct sca_view *view, int direction, bool here);
void sca_view_arrange(struct sca_view *view);
void sca_view_list(const struct sca_view *view, struct sca_lines *screen);
void sca_view_help(const struct sca_view *view, struct sca_lines *screen);
void sca_view_tabs(const struct sca_view *view, struct sca_lines *screen);
/* The pane whose tab is at this column of the divider, or -1. */
int sca_view_tab_at(const struct sca_view *view, int column);
/* Appends where in its vertex the selected cause is, if the report knows but that. */
void sca_view_between(const struct sca_view *view, struct sca_lines *line);

#endif
