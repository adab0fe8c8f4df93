/*
 * IS: ranks integer keys by a parallel bucket sort. In each iteration two keys
 * change, then all keys are sorted into buckets, the buckets are dealt out to
 * the ranks in order, and each rank counts the keys it was sent.
 */
#ifndef IS_H
#define IS_H

#include "../common/npb.h"

enum { IS_TEST_KEYS = 5, IS_TURNS = 10 };

/* The key that is at `index` before sorting has the rank `base + step * iteration`. */
struct is_test {
    long index;
    long base;
    int step;
};

struct is_class {
    int keys_log;
    int largest_log; /* keys are below 2^largest_log */
    int buckets_log;
    struct is_test tests[IS_TEST_KEYS];
};

struct is {
    struct npb_run *run;
    const struct is_class *problem;
    int count; /* keys of this rank before sorting */
    int *keys;
    int *bucketed; /* the same keys, in bucket order */
    int buckets;
    int shift;  /* a key shifted by it is the number of its bucket */
    int *size;  /* of each bucket here, then the test keys */
    int *total; /* of each bucket everywhere, then the test keys */
    int *place; /* where the next key of a bucket goes */
    int *give_count, *give_place, *take_count, *take_place; /* per rank */
    int *received; /* keys of this rank after the exchange */
    int received_count, received_room;
    int first_key, key_range; /* which keys those are */
    int *below;               /* received keys up to first_key + i */
    long lesser;              /* keys on lower ranks */
    long passed;              /* test keys found where they belong */
    long delay_keys;          /* planted: keys that one rank counts for nothing */
};

void is_make_keys(struct is *is);
void is_rank_keys(struct is *is, int iteration);

/* One more is passed on each rank whose keys come out sorted. */
void is_check_order(struct is *is);

#endif
