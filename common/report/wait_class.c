#include "sca_report.h"

#include <string.h>

const char *sca_wait_class_meaning(const char *wait_class)
{
    static const char *const meanings[][2] = {
        {"late-sender", "the send starts late"},
        {"wrong-order", "a message sent earlier is received later"},
        {"late-receiver", "a synchronous send waits for its receive"},
        {"late-broadcast", "the root arrives late"},
        {"early-reduce", "the root arrives before the others"},
        {"wait-at-nxn", "all wait for the last to arrive"},
        {"wait-at-barrier", "all wait for the last to arrive"},
        {"wait-at-scan", "a lower rank arrives late"},
        {"late-post", "the target's MPI_Win_post comes late"},
        {"late-complete", "the origin's MPI_Win_complete comes late"},
        {"lock-contention", "another rank has the window's lock"},
        {"other-world", "waits for ranks of another MPI_COMM_WORLD"},
    };
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (!strcmp(wait_class, meanings[i][0]))
            return meanings[i][1];
    return "";
}
