/*
 * Shows the graph of a binary: `scalana-static --stats` and `--dump`. Shared libraries the binary
 * needs count too if they are found the way the loader would and carry a graph. If the binary
 * carries none, its graph is recovered from its machine code, without its libraries.
 * depth -1: what the binary was compiled with. Failures are SCA_E... with a message.
 */
#ifndef INSPECT_H
#define INSPECT_H

#include "sca_psg.h"
#include "sca_structure.h"

/* `recover`: from machine code even if it carries a graph. */
struct sca_inspect_choice {
    long depth;
    bool recover;
};

int sca_inspect_stats(const char *path, const struct sca_inspect_choice *choice);
int sca_inspect_dump(const char *path, const struct sca_inspect_choice *choice, const char *format);
/* Recovers the structure, says in a line what was found, and writes it to `file` if not NULL. */
int sca_inspect_structure(const char *path, const char *file);

/* Adds the section of one ELF file, then of the libraries it needs. SCA_ENOTFOUND: no section. */
int sca_elf_load(struct sca_psg *psg, const char *path);

void sca_dump_text(const struct sca_program *program);
void sca_dump_dot(const struct sca_program *program);
/* `structure`: with its table of addresses; NULL: the graph was the compiler's. */
void sca_dump_json(const struct sca_psg *psg, const struct sca_program *program,
                   const struct sca_structure *structure);

/* Lines that v stands for after contraction: itself and all merged into it. */
void sca_inspect_merged_lines(const struct sca_program_function *f, uint32_t v, uint32_t *first,
                              uint32_t *last);
/* What a reader calls a vertex: "MPI_Send", "foo", "loop". */
const char *sca_inspect_vertex_label(const struct sca_program_function *f, uint32_t v,
                                     bool contracted);

#endif
