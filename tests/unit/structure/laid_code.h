/* Machine code that a test lays down byte by byte, and what is followed in it. Zero-initialise. */
#ifndef SCA_TEST_LAID_CODE_H
#define SCA_TEST_LAID_CODE_H

#include "flow/flow_graph.h"

enum { MOST_LAID = 12 };

struct laid_code {
    struct sca_code_section sections[MOST_LAID];
    struct sca_code_slot slots[MOST_LAID];
    struct sca_code_function list[MOST_LAID];
    struct sca_code_image image;
    struct sca_code_functions functions;
    struct sca_flow_code code;
    struct sca_flow_graph graph;
};

/* Sections, slots and functions come by address. Bytes stay the caller's. */
void laid_section(struct laid_code *laid, uint64_t address, const uint8_t *bytes, size_t size,
                  bool code);
void laid_slot(struct laid_code *laid, uint64_t address, const char *name, uint64_t value);
struct sca_code_function *laid_function(struct laid_code *laid, uint64_t low, uint64_t high,
                                        const char *name);
/* Follows a function, loops too; laid->graph is what comes of it. */
void laid_follow(struct laid_code *laid, uint32_t function);
void laid_free(struct laid_code *laid);

/* The number of the block that begins at the address; fails the test if none does. */
uint32_t laid_block(const struct laid_code *laid, uint64_t address);
/* Fails the test unless the block's successors begin at these addresses, in any order. */
void laid_check_successors(const struct laid_code *laid, uint64_t block, size_t count,
                           const uint64_t *to);
#define LAID_LEADS(laid, block, ...)                                                               \
    laid_check_successors(laid, block, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),       \
                          (uint64_t[]){__VA_ARGS__})

#endif
