/*
 * Many ranks may end early together: one of them says the line for all, and none of the others goes
 * before it has, for launchers kill whoever is left once the first has gone. On the thread that
 * ends the run, or at exit of the process; allocates nothing.
 */
#ifndef SCA_PROF_FAREWELL_H
#define SCA_PROF_FAREWELL_H

#include "base/settings.h"

/* Says `line`, unless another rank has said its own. Leaves `why` in the file "incomplete" of the
 * run directory. Waits half a second at most for who is about to speak. */
void sca_farewell(const char *directory, enum sca_log_level level, const char *line,
                  const char *why);

#endif
