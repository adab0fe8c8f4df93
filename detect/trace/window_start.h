/*
 * The call that came before a window's first. Windows do not say: they begin where an iteration
 * does. Results are sites of the profile.
 */
#ifndef SCA_DETECT_WINDOW_START_H
#define SCA_DETECT_WINDOW_START_H

#include "trace/local_calls.h"

/* Of the rank at hand. A recorded call, from which a detour leads to the window's first; SCA_NONE
 * if that is not known. */
uint32_t sca_window_start_call(const struct sca_detours *detours, const struct sca_window *window);

#endif
