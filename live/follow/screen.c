#include "look/look.h"
#include "follow/screen.h"
#include "follow/keys.h"
#include "hosts/stop.h"
#include "sca_error.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <term.h>
#include <time.h>
#include <unistd.h>

enum { COLOUR_ALARM = 1, COLOUR_NOTE, COLOUR_HEADER, ESCAPE_MS = 25, SLOW = 10 };

static int attributes[SCA_PAGE_STYLES];

/* Without colours bold and reverse carry the difference. */
static void choose_styles(void)
{
    attributes[SCA_PAGE_TITLE] = A_REVERSE;
    attributes[SCA_PAGE_HEADER] = A_BOLD;
    attributes[SCA_PAGE_ALARM] = A_BOLD;
    attributes[SCA_PAGE_NOTE] = A_BOLD;
    attributes[SCA_PAGE_SELECTED] = A_REVERSE;
    if (getenv("NO_COLOR") || !has_colors() || start_color() == ERR)
        return;
    int ground = use_default_colors() == OK ? -1 : COLOR_BLACK;
    init_pair(COLOUR_ALARM, COLOR_RED, (short)ground);
    init_pair(COLOUR_NOTE, COLOR_YELLOW, (short)ground);
    init_pair(COLOUR_HEADER, COLOR_CYAN, (short)ground);
    attributes[SCA_PAGE_ALARM] |= (int)COLOR_PAIR(COLOUR_ALARM);
    attributes[SCA_PAGE_NOTE] |= (int)COLOR_PAIR(COLOUR_NOTE);
    attributes[SCA_PAGE_HEADER] |= (int)COLOR_PAIR(COLOUR_HEADER);
}

static void draw(const struct sca_keyed *keyed)
{
    struct sca_page page;
    sca_page_make(&keyed->shown, LINES > 0 ? (uint32_t)LINES : 1, COLS > 0 ? (uint32_t)COLS : 1,
                  &page);
    erase();
    for (uint32_t i = 0; i < page.n; i++) {
        attrset(attributes[page.line[i].style]);
        mvaddstr((int)i, 0, page.line[i].text);
    }
    attrset(A_NORMAL);
    refresh();
    sca_page_free(&page);
}

static int translate(int key)
{
    switch (key) {
    case KEY_UP:
        return SCA_LIVE_UP;
    case KEY_DOWN:
        return SCA_LIVE_DOWN;
    case KEY_PPAGE:
        return SCA_LIVE_PAGE_UP;
    case KEY_NPAGE:
        return SCA_LIVE_PAGE_DOWN;
    case KEY_ENTER:
    case '\n':
    case '\r':
        return SCA_LIVE_ENTER;
    case KEY_BACKSPACE:
    case 127:
    case '\b':
        return SCA_LIVE_BACKSPACE;
    default:
        return key < 256 ? key : 0;
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* When to look again: looks take at most a tenth of a core. */
static double next_look(const struct sca_session *s, double interval_s)
{
    double slow = SLOW * (s->look.took_s - s->look.gathered_s);
    return s->look.at_s + (interval_s > slow ? interval_s : slow);
}

static void look_again(struct sca_session *s, struct sca_keyed *k)
{
    if (sca_session_look(s, true)) {
        snprintf(k->message, sizeof k->message, "%.500s", scalana_error_message());
        k->shown.frozen = true;
    }
    sca_keys_refresh(k, s);
}

/* Waits for a key until the next look is due; false when the terminal is gone. */
static bool wait_and_act(struct sca_session *s, struct sca_keyed *k, double interval_s)
{
    bool looks = !k->shown.frozen && sca_look_goes_on(&s->look);
    double left = looks ? next_look(s, interval_s) - now() : -1;
    errno = 0;
    timeout(!looks ? -1 : left > 0 ? (int)(left * 1000) + 1 : 0);
    int key = getch();
    if (key == ERR && !looks)
        return errno == EINTR;
    if (key != ERR && key != KEY_RESIZE && translate(key))
        sca_keys_press(k, s, translate(key));
    if (!k->quit && looks && now() >= next_look(s, interval_s))
        look_again(s, k);
    return true;
}

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

static void prepare(void)
{
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    choose_styles();
}

int sca_screen_follow(struct sca_session *session, double interval_s)
{
    struct sca_keyed keyed;
    int status = check_terminal();
    SCREEN *terminal = status ? NULL : newterm(NULL, stdout, stdin);
    if (!status && !terminal)
        status = sca_fail(SCA_EINVAL, "cannot use this terminal");
    if (!terminal)
        return status;
    prepare();
    sca_keys_begin(&keyed, session);
    do
        draw(&keyed);
    while (!keyed.quit && !sca_stop_asked() && wait_and_act(session, &keyed, interval_s));
    endwin();
    delscreen(terminal);
    return status;
}
