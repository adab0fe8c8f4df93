#include "screen.h"
#include "sca_error.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum { COLOUR_MARKED = 1, COLOUR_WARNING, COLOUR_HEADER, ESCAPE_MS = 25 };

static int attributes[SCA_STYLES];

/* Without colours bold, reverse and underline carry the difference. */
static void choose_styles(void)
{
    attributes[SCA_DIM] = A_NORMAL;
    attributes[SCA_TITLE] = A_REVERSE;
    attributes[SCA_HEADER] = A_BOLD;
    attributes[SCA_MARKED] = A_BOLD;
    attributes[SCA_WARNING] = A_BOLD;
    attributes[SCA_SELECTED] = A_REVERSE;
    if (getenv("NO_COLOR") || !has_colors() || start_color() == ERR)
        return;
    int ground = use_default_colors() == OK ? -1 : COLOR_BLACK;
    init_pair(COLOUR_MARKED, COLOR_RED, (short)ground);
    init_pair(COLOUR_WARNING, COLOR_YELLOW, (short)ground);
    init_pair(COLOUR_HEADER, COLOR_CYAN, (short)ground);
    attributes[SCA_MARKED] |= (int)COLOR_PAIR(COLOUR_MARKED);
    attributes[SCA_WARNING] |= (int)COLOR_PAIR(COLOUR_WARNING);
    attributes[SCA_HEADER] |= (int)COLOR_PAIR(COLOUR_HEADER);
}

static void draw(struct sca_view *view, struct sca_lines *page)
{
    sca_view_draw(view, page);
    erase();
    for (size_t i = 0; i < page->count; i++) {
        const struct sca_line *line = &page->line[i];
        size_t length = strlen(line->text), beside = line->beside ? line->beside : length;
        attrset(attributes[line->style]);
        mvaddnstr((int)i, 0, line->text, (int)(beside < length ? beside : length));
        attrset(attributes[line->beside_style]);
        if (beside < length)
            addstr(line->text + beside);
    }
    attrset(A_NORMAL);
    refresh();
}

static int translate(int key)
{
    static const struct {
        int from, to;
    } keys[] = {
        {KEY_UP, SCA_KEY_UP},         {KEY_DOWN, SCA_KEY_DOWN},
        {KEY_LEFT, SCA_KEY_LEFT},     {KEY_RIGHT, SCA_KEY_RIGHT},
        {KEY_PPAGE, SCA_KEY_PAGE_UP}, {KEY_NPAGE, SCA_KEY_PAGE_DOWN},
        {KEY_HOME, SCA_KEY_HOME},     {KEY_END, SCA_KEY_END},
        {KEY_ENTER, SCA_KEY_ENTER},   {'\n', SCA_KEY_ENTER},
        {'\r', SCA_KEY_ENTER},        {KEY_BACKSPACE, SCA_KEY_BACKSPACE},
        {127, SCA_KEY_BACKSPACE},     {'\b', SCA_KEY_BACKSPACE},
        {'\t', SCA_KEY_TAB},          {KEY_BTAB, SCA_KEY_BACKTAB},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].from == key)
            return keys[i].to;
    return key < 256 ? key : 0; /* function keys we have no use for */
}

static void mouse(struct sca_view *view)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return;
    if (event.bstate & BUTTON4_PRESSED)
        sca_view_mouse(view, event.y, event.x, SCA_WHEEL_UP);
    else if (event.bstate & BUTTON5_PRESSED)
        sca_view_mouse(view, event.y, event.x, SCA_WHEEL_DOWN);
    else if (event.bstate & BUTTON1_DOUBLE_CLICKED)
        sca_view_mouse(view, event.y, event.x, SCA_DOUBLE_CLICK);
    else if (event.bstate & (BUTTON1_CLICKED | BUTTON1_PRESSED))
        sca_view_mouse(view, event.y, event.x, SCA_CLICK);
}

/* Returns false when the terminal is gone. */
static bool wait_and_act(struct sca_view *view)
{
    errno = 0;
    int key = getch();
    if (key == ERR)
        return errno == EINTR;
    if (key == KEY_RESIZE)
        sca_view_resize(view, LINES, COLS);
    else if (key == KEY_MOUSE)
        mouse(view);
    else if (key == 'L' - '@')
        clearok(curscr, TRUE);
    else if (translate(key))
        sca_view_key(view, translate(key));
    return true;
}

static void prepare(void)
{
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    mousemask(BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    choose_styles();
}

/* newterm() would only return NULL; this finds out why. */
static int check_terminal(void)
{
    int status;
    const char *name = getenv("TERM");
    if (setupterm(NULL, STDOUT_FILENO, &status) == ERR)
        return sca_fail(SCA_EINVAL, "unknown terminal type '%s' (TERM)", name ? name : "");
    bool able = cursor_address != NULL;
    del_curterm(cur_term);
    return able ? SCA_OK
                : sca_fail(SCA_EINVAL, "terminal type '%s' cannot place its cursor (TERM)", name);
}

int sca_screen_run(struct sca_view *view)
{
    struct sca_lines page = {0};
    FILE *keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
    if (!keys)
        return sca_fail(SCA_EINVAL, "no terminal to read keys from");
    int status = check_terminal();
    SCREEN *terminal = status ? NULL : newterm(NULL, stdout, keys);
    if (!status && !terminal)
        status = sca_fail(SCA_EINVAL, "cannot use this terminal");
    if (terminal) {
        prepare();
        sca_view_resize(view, LINES, COLS);
        do
            draw(view, &page);
        while (!view->quit && wait_and_act(view));
        endwin();
        delscreen(terminal);
    }
    sca_lines_free(&page);
    if (keys != stdin)
        fclose(keys);
    return status;
}
