/* Collectors: who has not the token is refused, and how they are started. */
#include "check_main.h"
#include "hosts/allowance.h"
#include "hosts/host.h"
#include "hosts/launch.h"
#include "hosts/speech.h"
#include "net/address.h"
#include "sca_copy.h"
#include "sca_error.h"
#include "sca_words.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

static void begin(void)
{
    temp_folder(folder);
}

static void end(void)
{
    temp_folder_drop(folder);
}

/* ---- codes ---- */

static void is_code(const char *bytes, const char *expected)
{
    uint8_t key[SCA_HMAC_BYTES], code[SCA_HMAC_BYTES];
    char text[2 * SCA_HMAC_BYTES + 1];
    for (int i = 0; i < SCA_HMAC_BYTES; i++)
        key[i] = (uint8_t)i;
    size_t half = strlen(bytes) / 2;
    const struct sca_hmac_part parts[] = {{bytes, half}, {bytes + half, strlen(bytes) - half}};
    sca_hmac(key, parts, 2, code);
    for (int i = 0; i < SCA_HMAC_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", code[i]);
    ck_assert_str_eq(text, expected);
}

/* Expected by the hmac module of Python. */
START_TEST(codes_are_as_others_make_them)
{
    char many[201] = "";
    memset(many, 'x', 200);
    is_code("what is said", "511d4f4c479fa9b34a476dc9475d3937ca1cba0a83f65df31d9b057a5cabaf1e");
    is_code(many, "7b48ae507721b7feb27d8403d20568ca6d1e003dba73751f869cae6163653c59");
}
END_TEST

/* ---- channels ---- */

struct pair {
    struct sca_token token, other;
    struct sca_channel listener, connector;
};

static void join(struct pair *p, bool same)
{
    int ends[2];
    ck_assert_int_eq(sca_token_make(&p->token), SCA_OK);
    ck_assert_int_eq(sca_token_make(&p->other), SCA_OK);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    sca_channel_begin(&p->listener, ends[0], true, &p->token);
    sca_channel_begin(&p->connector, ends[1], false, same ? &p->token : &p->other);
}

static void work(struct pair *p)
{
    for (int i = 0; i < 6; i++) {
        sca_channel_work(&p->listener);
        sca_channel_work(&p->connector);
    }
}

static void part(struct pair *p)
{
    sca_channel_end(&p->listener);
    sca_channel_end(&p->connector);
}

START_TEST(who_has_the_token_is_heard)
{
    struct pair p;
    struct sca_channel_message m;
    struct sca_speech_hello said = {.host = "node7", .port = 4711}, heard;
    join(&p, true);
    work(&p);
    ck_assert_int_eq(p.listener.state, SCA_CHANNEL_OPEN);
    ck_assert_int_eq(p.connector.state, SCA_CHANNEL_OPEN);
    sca_speech_put_hello(&p.connector, &said);
    sca_speech_put_number(&p.listener, SCA_SAYS_WELCOME, 9);
    work(&p);
    ck_assert(sca_channel_next(&p.listener, &m));
    ck_assert(sca_speech_get_hello(&m, &heard));
    ck_assert_str_eq(heard.host, "node7");
    ck_assert_uint_eq(heard.port, 4711);
    ck_assert(sca_channel_next(&p.connector, &m));
    ck_assert_int_eq(m.type, SCA_SAYS_WELCOME);
    ck_assert(!sca_channel_next(&p.connector, &m));
    part(&p);
}
END_TEST

/* Neither side goes on, and nothing of the secret has been said. */
START_TEST(another_token_is_refused)
{
    struct pair p;
    struct sca_channel_message m;
    join(&p, false);
    work(&p);
    ck_assert_int_eq(p.listener.state, SCA_CHANNEL_CLOSED);
    ck_assert_str_eq(p.listener.why, "it has not the token");
    ck_assert(!sca_channel_next(&p.listener, &m));
    ck_assert_int_ne(p.connector.state, SCA_CHANNEL_OPEN);
    part(&p);
}
END_TEST

/* A stranger who sends these bytes; why it is refused, "" while it is waited for. */
static void stranger(const void *bytes, size_t length, const char *why)
{
    struct pair p;
    struct sca_channel_message m;
    join(&p, true);
    ck_assert_int_eq(send(p.connector.fd, bytes, length, 0), (ssize_t)length);
    for (int i = 0; i < 4; i++)
        sca_channel_work(&p.listener);
    ck_assert_str_eq(p.listener.why, why);
    ck_assert_int_ne(p.listener.state, SCA_CHANNEL_OPEN);
    ck_assert(!sca_channel_next(&p.listener, &m));
    ck_assert_uint_le(p.listener.in.room, 200); /* and takes no memory */
    part(&p);
}

START_TEST(strangers_are_refused)
{
    uint8_t noise[4096];
    memset(noise, 0xff, sizeof noise);
    stranger(noise, sizeof noise, "it does not speak as scalana live does");
    stranger("GET / HTTP/1.1\r\n\r\n", 18, "it does not speak as scalana live does");
    stranger("SCALIVE\2", 8, "it is of another version of ScalAna");
    memcpy(noise, "SCALIVE\1", 8);
    stranger(noise, sizeof noise, "it has not the token");
    stranger(noise, 20, "");
}
END_TEST

/* What was overheard is of no use: the other side draws anew. */
START_TEST(a_proof_is_good_only_once)
{
    struct pair p;
    uint8_t proof[56];
    join(&p, true);
    sca_channel_work(&p.connector);
    ck_assert_int_eq(recv(p.listener.fd, proof, sizeof proof, MSG_DONTWAIT), -1);
    sca_channel_work(&p.listener);
    sca_channel_work(&p.connector);
    ck_assert_int_eq(recv(p.listener.fd, proof, sizeof proof, MSG_PEEK), sizeof proof);
    part(&p);
    stranger(proof, sizeof proof, "it has not the token");
}
END_TEST

/* On an open channel, what somebody changes on the way. */
static void changed(size_t at, uint8_t by, const char *why)
{
    struct pair p;
    struct sca_channel_message m;
    uint8_t bytes[64];
    join(&p, true);
    work(&p);
    sca_speech_put_number(&p.connector, SCA_SAYS_LOST, 3);
    sca_channel_flush(&p.connector);
    ssize_t n = recv(p.listener.fd, bytes, sizeof bytes, 0);
    ck_assert_int_gt(n, (ssize_t)at);
    bytes[at] ^= by;
    ck_assert_int_eq(send(p.connector.fd, bytes, (size_t)n, 0), n);
    sca_channel_work(&p.listener);
    ck_assert(!sca_channel_next(&p.listener, &m));
    ck_assert_int_eq(p.listener.state, SCA_CHANNEL_CLOSED);
    ck_assert_str_eq(p.listener.why, why);
    part(&p);
}

START_TEST(changed_messages_are_refused)
{
    changed(3, 0x7f, "a message that is too long");
    changed(4, 1, "a message that it did not write");
    changed(5, 1, "a message that it did not write");
    changed(20, 1, "a message that it did not write");
}
END_TEST

START_TEST(addresses_are_numbers)
{
    uint16_t port = 0;
    int listener = sca_address_listen(&port);
    ck_assert_int_ge(listener, 0);
    char *good = sca_words_format("127.0.0.1:%u", port), *six = sca_address_join("fe80::1", 7);
    int fd = sca_address_connect(good, 1000);
    ck_assert_int_ge(fd, 0);
    ck_assert_str_eq(six, "[fe80::1]:7");
    ck_assert_int_lt(sca_address_connect("localhost:1", 1000), 0); /* no name is asked for */
    ck_assert_int_lt(sca_address_connect("", 1000), 0);
    close(fd);
    close(listener);
    free(good);
    free(six);
}
END_TEST

START_TEST(series_are_asked_for_and_said)
{
    struct pair p;
    struct sca_channel_message m;
    struct sca_speech_look asked = {.number = 7, .series = true}, heard;
    struct sca_channel_bytes message;
    uint8_t said[500], *series;
    uint64_t number;
    uint32_t id;
    size_t length;
    memset(said, 5, sizeof said);
    join(&p, true);
    work(&p);
    sca_speech_put_look(&p.listener, &asked);
    ck_assert_int_eq(sca_speech_pack_series(3, 7, said, sizeof said, &message), SCA_OK);
    sca_channel_put(&p.connector, SCA_SAYS_SERIES, message.data, message.length);
    free(message.data);
    work(&p);
    ck_assert(sca_channel_next(&p.connector, &m));
    ck_assert(sca_speech_get_look(&m, &heard));
    ck_assert(heard.series && !heard.complete && heard.number == 7);
    ck_assert(sca_channel_next(&p.listener, &m));
    ck_assert(sca_speech_state_of(&m, &id) && id == 3);
    ck_assert_int_eq(sca_speech_get_series(&m, &number, &series, &length), SCA_OK);
    ck_assert(number == 7 && length == sizeof said && !memcmp(series, said, length));
    free(series);
    part(&p);
}
END_TEST

/* ---- series and the state that they are of ---- */

/* What the collector of a host with one rank says, of so many marks. */
static void say_series(struct sca_host *h, uint64_t look, uint32_t nmarks)
{
    struct sca_part_mark marks[8] = {{.begins = 1}};
    struct sca_copy copy = {.rank = 5, .series = {.nmarks = nmarks, .marks = marks}};
    const struct sca_kept_ranks now = {1, &copy};
    struct sca_channel_bytes message;
    size_t length;
    uint8_t *series = sca_kept_ranks_pack_series(&now, 0, 1, &length);
    ck_assert_int_eq(sca_speech_pack_series(1, look, series, length, &message), SCA_OK);
    ck_assert(sca_host_hear_series(
        h, &(struct sca_channel_message){SCA_SAYS_SERIES, message.data, (uint32_t)message.length}));
    free(message.data);
    free(series);
}

static void say_state(struct sca_host *h, struct sca_copy *known, uint64_t look)
{
    uint32_t rank = 5;
    uint8_t nothing[8] = {0};
    struct sca_copy now = {.rank = rank, .identity = 1, .header = {.size = 8}};
    for (int t = 0; t < SCA_T_COUNT; t++)
        now.record[t] = nothing;
    const struct sca_speech_state say = {
        .id = 1, .number = look, .size = 8, .nranks = 1, .ranks = &rank};
    struct sca_channel_bytes message;
    uint8_t news[8192];
    struct sca_writer w;
    sca_wire_writer_init(&w, news, sizeof news);
    ck_assert_int_eq(sca_copies_send(known, &now, 1, SCA_COPY_MOMENT, &w), SCA_OK);
    ck_assert_int_eq(sca_speech_pack_state(&say, news, w.length, &message), SCA_OK);
    ck_assert(sca_host_hear(
        h, &(struct sca_channel_message){SCA_SAYS_STATE, message.data, (uint32_t)message.length}));
    free(message.data);
}

START_TEST(series_are_of_one_look)
{
    struct sca_host h = {.id = 1};
    struct sca_copy known = {.rank = 5};
    say_series(&h, 1, 8); /* of a rank that nobody knows yet */
    say_state(&h, &known, 1);
    ck_assert_uint_eq(h.ranks.copy[0].series.nmarks, 0);
    say_series(&h, 2, 8);
    ck_assert_uint_ne(h.series, h.answered); /* their state is still to come */
    say_state(&h, &known, 2);
    ck_assert_uint_eq(h.series, h.answered);
    ck_assert_uint_eq(h.ranks.copy[0].series.nmarks, 8);
    say_state(&h, &known, 3);
    ck_assert_uint_eq(h.ranks.copy[0].series.nmarks, 0);
    say_series(&h, 4, 8);
    say_state(&h, &known, 5); /* that of look 4 has never come */
    ck_assert_uint_eq(h.ranks.copy[0].series.nmarks, 0);
    ck_assert(!sca_host_hear_series(
        &h, &(struct sca_channel_message){SCA_SAYS_SERIES, (const uint8_t *)"\1\7xyz", 5}));
    ck_assert(h.lost && *h.note && !h.ranks.n);
    sca_copy_free(&known);
    sca_host_free(&h);
}
END_TEST

/* ---- tokens ---- */

START_TEST(a_token_is_its_users_alone)
{
    struct sca_token token, read;
    struct stat st;
    setenv("XDG_CACHE_HOME", folder, 1);
    ck_assert_int_eq(sca_token_make(&token), SCA_OK);
    char *path = sca_token_keep(&token);
    ck_assert_ptr_nonnull(path);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    ck_assert_int_eq(sca_token_read(path, &read), SCA_OK);
    ck_assert(sca_hmac_equal(token.bytes, read.bytes, sizeof token.bytes));
    chmod(path, 0640);
    ck_assert_int_eq(sca_token_read(path, &read), SCA_EINVAL);
    chmod(path, 0600);
    ck_assert_int_eq(truncate(path, 40), 0);
    ck_assert_int_eq(sca_token_read(path, &read), SCA_EFORMAT);
    unlink(path);
    ck_assert_int_eq(sca_token_read(path, &read), SCA_EIO);
    free(path);
}
END_TEST

/* ---- starting ---- */

static const struct sca_launch_plan plan = {
    .run = "/tmp/it's a run", .front = "10.0.0.1:7", .token_path = "/home/me/token"};

static void has_words(const char *launcher, const char *host, size_t n, const char *first,
                      const char *last)
{
    struct sca_launch_plan p = plan;
    struct sca_words words = {0};
    p.launcher = launcher;
    ck_assert_int_eq(sca_launch_words(&p, host, &words), SCA_OK);
    ck_assert_uint_eq(words.count, n);
    ck_assert_str_eq(words.list[0], first);
    ck_assert_ptr_nonnull(strstr(words.list[words.count - 1], last));
    for (size_t i = 0; i < words.count; i++) /* the secret itself is nowhere */
        ck_assert(strlen(words.list[i]) < 4096);
    sca_words_free(&words);
}

START_TEST(launchers_get_words_and_shells_quoted_ones)
{
    has_words("srun --overlap -N 2", NULL, 11, "srun", "/tmp/it's a run");
    has_words("ssh -q", "node1", 4, "ssh", " '--token' '-' '--' '/tmp/it'\\''s a run'");
    has_words("ip netns exec {host}", "node1", 11, "ip", "/tmp/it's a run");
}
END_TEST

START_TEST(names_of_hosts_hide_no_commands)
{
    static const char *const bad[] = {
        "-oProxyCommand=x", "a;b", "$(x)", "a b", "", "`x`", "a/b", "a\nb"};
    struct sca_launch_plan p = plan;
    struct sca_words words = {0};
    p.launcher = "ssh";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(sca_launch_words(&p, bad[i], &words), SCA_EINVAL);
    ck_assert_uint_eq(words.count, 0);
    ck_assert_int_eq(sca_launch_words(&p, "me@node-1.site:22", &words), SCA_OK);
    sca_words_free(&words);
}
END_TEST

/* What a launcher says that is a script of these lines. */
static char *said_by(const char *lines)
{
    char path[TEMP_FOLDER + 16];
    struct sca_launch launch;
    struct sca_launch_plan p = plan;
    snprintf(path, sizeof path, "%s/launcher", folder);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "#!/bin/sh\n%s", lines);
    fclose(out);
    ck_assert_int_eq(chmod(path, 0700), 0);
    p.launcher = path;
    ck_assert_int_eq(sca_launch_start(&p, &launch), SCA_OK);
    while (sca_launch_running(&launch))
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    char *said = sca_launch_said(&launch);
    sca_launch_end(&launch);
    return said;
}

/* One that waits for an answer of the user would wait for ever: it can ask nobody. */
START_TEST(launchers_have_no_terminal)
{
    char *said = said_by("set -- $(cat /proc/$$/stat)\n"
                         "test $6 = $$ && echo of its own || echo session $6\n");
    ck_assert_str_eq(said, "of its own");
    free(said);
}
END_TEST

/* Else srun starts a collector for each rank of the job that it is called in. */
START_TEST(launchers_do_not_know_how_many_ranks_a_job_has)
{
    setenv("SLURM_NTASKS", "4096", 1);
    setenv("SLURM_NPROCS", "4096", 1);
    setenv("SLURM_JOB_ID", "7", 1);
    char *said = said_by("echo ${SLURM_NTASKS-none} ${SLURM_NPROCS-none} $SLURM_JOB_ID\n");
    ck_assert_str_eq(said, "none none 7");
    free(said);
}
END_TEST

/* ---- how much ---- */

START_TEST(what_is_too_much_waits)
{
    struct sca_allowance a = {0};
    const unsigned few = SCA_COPY_MOMENT | SCA_COPY_TOTALS, all = few | SCA_COPY_WINDOWS;
    ck_assert_uint_eq(sca_allowance_layers(&a, 10), all);
    ck_assert(!sca_allowance_spend(&a, 10, all, 12000));
    ck_assert_uint_eq(sca_allowance_layers(&a, 10), few);
    ck_assert(sca_allowance_spend(&a, 10, few, 9240)); /* 1,000 of the first are left */
    ck_assert_uint_eq(sca_allowance_layers(&a, 10), few);
    sca_allowance_spend(&a, 10, few, 3500);
    ck_assert_uint_eq(sca_allowance_layers(&a, 10), SCA_COPY_MOMENT); /* 500 in debt */
    sca_allowance_spend(&a, 10, SCA_COPY_MOMENT, 100);
    unsigned layers = 0;
    for (int i = 0; i < 13; i++) { /* until 12,000 are there */
        layers = sca_allowance_layers(&a, 10);
        ck_assert_uint_eq(layers, few);
        sca_allowance_spend(&a, 10, layers, 100);
    }
    ck_assert_uint_eq(sca_allowance_layers(&a, 10), all);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("live_hosts");
    TCase *tests = tcase_create("live_hosts");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, codes_are_as_others_make_them);
    tcase_add_test(tests, who_has_the_token_is_heard);
    tcase_add_test(tests, another_token_is_refused);
    tcase_add_test(tests, strangers_are_refused);
    tcase_add_test(tests, a_proof_is_good_only_once);
    tcase_add_test(tests, changed_messages_are_refused);
    tcase_add_test(tests, series_are_asked_for_and_said);
    tcase_add_test(tests, series_are_of_one_look);
    tcase_add_test(tests, addresses_are_numbers);
    tcase_add_test(tests, a_token_is_its_users_alone);
    tcase_add_test(tests, launchers_get_words_and_shells_quoted_ones);
    tcase_add_test(tests, launchers_have_no_terminal);
    tcase_add_test(tests, launchers_do_not_know_how_many_ranks_a_job_has);
    tcase_add_test(tests, names_of_hosts_hide_no_commands);
    tcase_add_test(tests, what_is_too_much_waits);
    suite_add_tcase(suite, tests);
    return suite;
}
