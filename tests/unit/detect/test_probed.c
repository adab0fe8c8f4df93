/* Receives behind a probe are complete when it is. */
#include "trace/probed.h"
#include "check_main.h"

enum { EVENTS = 4 };

/* Four calls, the last of which receives; in which event the message is taken to have come. */
static uint32_t received_in(const char *second, const char *third)
{
    struct sca_site sites[] = {{.function = "MPI_Isend"},
                               {.function = second},
                               {.function = third},
                               {.function = "MPI_Recv"}};
    const struct sca_profile profile = {.nsites = EVENTS, .sites = sites};
    const uint32_t calls[EVENTS + 1] = {3, 0, 1, 2, 3};
    struct sca_replay_trace_op ops[] = {{.event = 0, .kind = SCA_OP_SEND},
                                        {.event = 3, .kind = SCA_OP_RECV_POST, .number = 7},
                                        {.event = 3, .kind = SCA_OP_RECV, .number = 7}};
    struct sca_event_sequence sequence = {.nevents = EVENTS, .nops = 3, .sites = calls, .ops = ops};
    sca_probed_receives(&profile, &sequence);
    uint32_t event = SCA_NO_EVENT;
    for (uint32_t i = 0; i < sequence.nops; i++) {
        ck_assert(i == 0 || ops[i - 1].event <= ops[i].event);
        if (ops[i].kind == SCA_OP_RECV)
            event = ops[i].event;
        if (ops[i].kind == SCA_OP_RECV_POST)
            ck_assert_uint_eq(ops[i].event, 3);
    }
    return event;
}

START_TEST(a_message_has_come_when_the_probe_is_left)
{
    ck_assert_uint_eq(received_in("MPI_Probe", "MPI_Get_count"), 1);
    ck_assert_uint_eq(received_in("MPI_Barrier", "MPI_Probe"), 2);
}
END_TEST

START_TEST(a_receive_waits_itself_where_no_probe_is_or_others_were_asked)
{
    ck_assert_uint_eq(received_in("MPI_Barrier", "MPI_Get_count"), 3);
    ck_assert_uint_eq(received_in("MPI_Probe", "MPI_Send"), 3);
    ck_assert_uint_eq(received_in("MPI_Iprobe", "MPI_Get_count"), 3);
}
END_TEST

SCA_SUITE("probed", a_message_has_come_when_the_probe_is_left,
          a_receive_waits_itself_where_no_probe_is_or_others_were_asked)
