/* What a rank writes down of a communicator that joins worlds. */
#include "calls/worlds.h"
#include "check_main.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct sca_communicator between = {.inter = true, .peers = 3, .foreign = true};
static char text[256];

static const char *told(const struct sca_communicator *comm, const struct sca_worlds_meeting *how)
{
    sca_worlds_describe(comm, how, text, sizeof text);
    return text;
}

START_TEST(who_is_not_the_root_tells_sizes_alone)
{
    ck_assert_str_eq(told(&between, NULL), "worlds inter 3");
    ck_assert_str_eq(told(&between, &(struct sca_worlds_meeting){.key = 5, .took_ns = 7}),
                     "worlds inter 3");
    ck_assert_str_eq(told(&(struct sca_communicator){.peers = 5}, NULL), "worlds intra 0");
}
END_TEST

START_TEST(the_root_tells_key_and_moment)
{
    unsigned long long key, took;
    double at;
    told(&between, &(struct sca_worlds_meeting){.key = 255, .tells = true, .took_ns = 7});
    ck_assert_int_eq(sscanf(text, "worlds inter 3 key %llx met %lf after %llu", &key, &at, &took),
                     3);
    ck_assert_uint_eq(key, 255);
    ck_assert_uint_eq(took, 7);
    ck_assert_double_gt(at, 1e9); /* since 1970 */
    told(&between, &(struct sca_worlds_meeting){.tells = true});
    ck_assert_int_eq(sscanf(text, "worlds inter 3 met %lf after %llu", &at, &took), 2);
}
END_TEST

START_TEST(a_child_names_its_parent)
{
    const struct sca_worlds_meeting how = {.parent = 10, .order = 2};
    ck_assert_str_eq(told(&between, &how), "worlds inter 3 of 000000000000000a as 2");
}
END_TEST

START_TEST(blanks_behind_a_port_do_not_count)
{
    uint64_t key = sca_worlds_text_key("port 7", 6);
    ck_assert_uint_ne(key, 0);
    ck_assert_uint_eq(sca_worlds_text_key("port 7    ", 10), key);
    ck_assert_uint_ne(sca_worlds_text_key("port 8", 6), key);
}
END_TEST

/* ends[0] connects, ends[1] accepts. */
static void connect_pair(int ends[2])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&at, &length), 0);
    ck_assert_int_eq(connect(ends[0], (struct sockaddr *)&at, sizeof at), 0);
    ends[1] = accept(listener, NULL, NULL);
    close(listener);
}

START_TEST(both_ends_of_a_socket_know_the_same)
{
    int one[2], other[2];
    connect_pair(one);
    connect_pair(other);
    uint64_t key = sca_worlds_socket_key(one[0]);
    ck_assert_uint_ne(key, 0);
    ck_assert_uint_eq(sca_worlds_socket_key(one[1]), key);
    ck_assert_uint_ne(sca_worlds_socket_key(other[0]), key);
    for (int i = 0; i < 2; i++) {
        close(one[i]);
        close(other[i]);
    }
}
END_TEST

START_TEST(a_socket_without_addresses_has_no_key)
{
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ck_assert_uint_eq(sca_worlds_socket_key(ends[0]), 0);
    close(ends[0]);
    close(ends[1]);
    ck_assert_uint_eq(sca_worlds_socket_key(-1), 0);
}
END_TEST

SCA_SUITE("worlds_told", who_is_not_the_root_tells_sizes_alone, the_root_tells_key_and_moment,
          a_child_names_its_parent, blanks_behind_a_port_do_not_count,
          both_ends_of_a_socket_know_the_same, a_socket_without_addresses_has_no_key)
