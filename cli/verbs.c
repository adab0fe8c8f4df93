#include "verbs.h"
#include "build/build.h"
#include "doctor/doctor.h"
#include "plan/settings.h"
#include "results/verbs.h"
#include "run/run.h"

static const struct sca_verb verbs[] = {
    {"build", "compile with the program's structure inside: scalana build make -j4",
     &sca_build_command, sca_build_main, NULL},
    {"run", "run on several numbers of ranks and find the cause", &sca_run_command, sca_run_main,
     NULL},
    {"live", "look at a job while it runs, or hangs", &sca_live_verb_command, sca_live_main,
     "scalana-live"},
    {"report", "analyse a result again, or show another view", &sca_report_command, sca_report_main,
     "scalana-detect"},
    {"view", "show a report and its source on the terminal", &sca_view_command, sca_view_main,
     "scalana-viewer"},
    {"open", "open the page in a browser, or print how to copy it", &sca_open_command,
     sca_open_main, NULL},
    {"diff", "compare two results: did it get better?", &sca_diff_command, sca_diff_main,
     "scalana-detect"},
    {"explain", "say all that is known of a cause or a place, also as JSON", &sca_explain_command,
     sca_explain_main, NULL},
    {"mcp", "serve a result to an assistant program on this machine", &sca_mcp_command,
     sca_mcp_main, NULL},
    {"badge", "draw a badge for a project's first page", &sca_badge_command, sca_badge_main, NULL},
    {"doctor", "check what works here, what is missing, and what fixes it", &sca_doctor_command,
     sca_doctor_main, NULL},
    {0},
};

const struct sca_program sca_scalana = {
    .name = "scalana",
    .summary = "Names the source line that stops an MPI program from scaling.",
    .verbs = verbs,
};
