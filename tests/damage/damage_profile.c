/*
 * Profiles cut off at every byte and changed at every byte: the loader answers with an error that
 * names the file and the place, or, for a part, does without that rank. It never crashes (run
 * with SCALANA_SANITIZE=ON, it does not even look where it must not).
 */
#include "sca_error.h"
#include "profile/store.h"
#include "synthetic.h"
#include "profile/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/dev/shm/scalana-damage-XXXXXX"; /* thousands of small files */

struct bytes {
    unsigned char *data;
    size_t length;
};

static void check(int fine, const char *what, size_t at)
{
    if (fine)
        return;
    fprintf(stderr, "%s, byte %zu: %s\n", what, at, sca_error_message());
    exit(EXIT_FAILURE);
}

static const char *file_in(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static struct bytes read_file(const char *name)
{
    struct bytes b = {malloc(1 << 20), 0};
    FILE *file = fopen(file_in(name), "rb");
    check(file && b.data, "reading", 0);
    b.length = fread(b.data, 1, 1 << 20, file);
    fclose(file);
    return b;
}

static void write_file(const char *name, const void *data, size_t length)
{
    FILE *file = fopen(file_in(name), "wb");
    check(file && fwrite(data, 1, length, file) == length && !fclose(file), "writing", 0);
}

static struct synth *sample(void)
{
    struct synth *s = synth_new(2);
    uint32_t exe = synth_module(s, "/opt/prog", "00ffab");
    uint32_t main_ = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    uint32_t send = synth_site(s, main_, "MPI_Send");
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t other = 1 - (int32_t)rank;
        struct sca_op op = {.kind = SCA_OP_SEND, .peer = other, .tag = 3, .number = 9, .bytes = 8};
        struct sca_event event = {send, 0, 1, 1000};
        synth_total(s, rank, send, 100, 123456, 800);
        synth_interval(s, rank, 0, send, 100, 1000000007);
        synth_sample(s, rank, main_, send, true, 17);
        synth_peer(s, rank, &(struct sca_part_peer){send, 0, other, SCA_SENT, 100, 800});
        synth_collective(s, rank, &(struct sca_part_collective){.site = send, .root = 1});
        synth_message(s, rank, &(struct sca_part_message){.peer = other, .site = send});
        synth_window(s, rank,
                     &(struct sca_window){.nevents = 1, .nops = 1, .events = &event, .ops = &op});
    }
    return s;
}

/* Loads what is in the directory and walks over all of it. */
static int load(void)
{
    struct sca_profile *p;
    int status = sca_profile_load(directory, &p);
    if (status < 0)
        return status;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->nranks; i++) {
        const struct sca_rank *r = &p->ranks[i];
        for (uint32_t k = 0; k < r->nsites; k++)
            sum += p->nodes[p->sites[r->sites[k].site].node].offset;
        for (uint32_t k = 0; k < r->nsamples; k++)
            sum += p->nodes[r->sample[k].node].offset + p->sites[r->sample[k].previous].node;
        for (uint32_t k = 0; k < r->nintervals; k++)
            sum += p->sites[r->intervals[k].previous].node + p->sites[r->intervals[k].site].node;
        for (uint32_t k = 0; k < r->npeers; k++)
            sum += p->comms[r->peers[k].comm].size + p->sites[r->peers[k].site].node;
        for (uint32_t k = 0; k < r->ncollectives; k++)
            sum += p->comms[r->collectives[k].comm].size;
        for (uint32_t k = 0; k < r->nmessages; k++)
            sum += p->comms[r->messages[k].comm].size + p->sites[r->messages[k].post_site].node;
        for (uint32_t k = 0; k < r->nwindows; k++)
            for (uint32_t e = 0; e < r->windows[k].nevents; e++)
                sum += p->sites[r->windows[k].events[e].site].node +
                       (r->windows[k].nops ? p->comms[r->windows[k].ops[0].comm].size : 0);
    }
    volatile uint64_t sink = sum;
    (void)sink;
    sca_profile_free(p);
    return SCA_OK;
}

static void names_the_place(const char *what, size_t at)
{
    const char *message = sca_error_message();
    check(strstr(message, directory) && strstr(message, "byte "), what, at);
}

/* No byte of profile.sca is without a checksum: every change is found. */
static void damage_store(void)
{
    struct synth *s = sample();
    synth_write(s, directory);
    synth_free(s);
    check(load() == SCA_OK, "undamaged", 0);
    struct bytes b = read_file(SCA_PROFILE_FILE);
    for (size_t n = 0; n < b.length; n++) {
        write_file(SCA_PROFILE_FILE, b.data, n);
        check(load() == SCA_EFORMAT, "cut off", n);
        names_the_place("cut off", n);
    }
    for (size_t i = 0; i < b.length; i++) {
        b.data[i] ^= (unsigned char)(1 << i % 8);
        write_file(SCA_PROFILE_FILE, b.data, b.length);
        check(load() == SCA_EFORMAT, "changed", i);
        names_the_place("changed", i);
        b.data[i] ^= (unsigned char)(1 << i % 8);
    }
    unlink(file_in(SCA_PROFILE_FILE));
    free(b.data);
}

static void damage_part(void)
{
    struct synth *s = sample();
    synth_write_part(s, 0, directory);
    synth_write_part(s, 1, directory);
    synth_free(s);
    struct bytes b = read_file("rank-1.part");
    for (size_t n = 0; n < b.length; n++) {
        write_file("rank-1.part", b.data, n);
        check(load() == SCA_OK, "the other part", n);
    }
    for (size_t i = 0; i < b.length; i++)
        for (int bit = 0; bit < 8; bit += 3) {
            b.data[i] ^= (unsigned char)(1 << bit);
            write_file("rank-1.part", b.data, b.length);
            check(load() == SCA_OK, "the other part", i);
            b.data[i] ^= (unsigned char)(1 << bit);
        }
    unlink(file_in("rank-0.part"));
    for (size_t n = 0; n < 200; n++) {
        write_file("rank-1.part", b.data, n);
        check(load() == SCA_EFORMAT, "the only part", n);
        names_the_place("the only part", n);
    }
    unlink(file_in("rank-1.part"));
    free(b.data);
}

static void store_image(struct bytes image)
{
    static unsigned char out[1 << 20], scratch[2 << 20];
    struct sca_store_image only = {image.data, image.length};
    struct sca_writer w;
    sca_wire_writer_init(&w, out, sizeof out);
    sca_store_write(&w, &only, 1, "", 0, scratch, sizeof scratch);
    if (!w.failed)
        write_file(SCA_PROFILE_FILE, out, w.length);
}

/* Behind correct checksums: what a faulty writer could leave. */
static void damage_image(void)
{
    unsigned char data[4096];
    struct sca_part_node nodes[] = {{.parent = SCA_NONE, .module = SCA_NONE}, {.offset = 7}};
    struct sca_part_module module = {.path = 1, .build_id_size = 3};
    struct sca_part_site sites[] = {{0}, {.node = 1, .name = 1, .count = 3}};
    struct sca_part_sample sample = {.node = 1, .previous = 1, .count = 5};
    struct sca_part_comm comm = {.id = 1, .size = 1};
    struct sca_part_peer peer = {.site = 1, .count = 1};
    static const unsigned char events[] = {0, 40, 2, 1, 8 + 16 + 32 + 64, 0, 2, 6, 16};
    struct sca_part_window window = {.events_size = sizeof events, .nevents = 1, .kept = 1};
    struct sca_tables t = {.header = {.size = 1, .state = SCA_FINALIZED}};
    const struct {
        const void *record;
        uint32_t count;
    } rows[SCA_T_COUNT] = {[SCA_T_STRINGS] = {"\0name", 6},
                           [SCA_T_MODULES] = {&module, 1},
                           [SCA_T_NODES] = {nodes, 2},
                           [SCA_T_SITES] = {sites, 2},
                           [SCA_T_SAMPLES] = {&sample, 1},
                           [SCA_T_COMMS] = {&comm, 1},
                           [SCA_T_PEERS] = {&peer, 1},
                           [SCA_T_WINDOWS] = {&window, 1},
                           [SCA_T_EVENTS] = {events, sizeof events},
                           [SCA_T_META] = {"key\0value", 10}};
    for (int i = 0; i < SCA_T_COUNT; i++) {
        t.record[i] = rows[i].record;
        t.header.table[i].count = rows[i].count;
    }
    struct sca_writer w;
    sca_wire_writer_init(&w, data, sizeof data);
    sca_image_encode(&t, &w);
    struct bytes image = {data, w.length};
    store_image(image);
    check(!w.failed && load() == SCA_OK, "undamaged image", 0);
    for (size_t i = 0; i < image.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            data[i] ^= (unsigned char)(1 << bit);
            store_image(image);
            load();
            data[i] ^= (unsigned char)(1 << bit);
        }
    unlink(file_in(SCA_PROFILE_FILE));
}

int main(void)
{
    check(mkdtemp(directory) != NULL, "mkdtemp", 0);
    damage_store();
    damage_part();
    damage_image();
    rmdir(directory);
    return EXIT_SUCCESS;
}
