/*
 * Prints "address length flow target" of each instruction in the code of an ELF file, in
 * hexadecimal, for comparison with another disassembler: list_flow FILE
 */
#include "decode/machine.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {
    [SCA_FLOW_NEXT] = "next",
    [SCA_FLOW_JUMP] = "jump",
    [SCA_FLOW_BRANCH] = "branch",
    [SCA_FLOW_CALL] = "call",
    [SCA_FLOW_JUMP_INDIRECT] = "jump-indirect",
    [SCA_FLOW_CALL_INDIRECT] = "call-indirect",
    [SCA_FLOW_RETURN] = "return",
    [SCA_FLOW_STOP] = "stop",
    [SCA_FLOW_PAD] = "pad",
};

static const char *const effects[] = {
    [SCA_EFFECT_NONE] = "none",
    [SCA_EFFECT_OTHER] = "other",
    [SCA_EFFECT_ADDRESS] = "address",
    [SCA_EFFECT_MOVE] = "move",
    [SCA_EFFECT_ADD] = "add",
    [SCA_EFFECT_LOAD] = "load",
    [SCA_EFFECT_COMPARE] = "compare",
    [SCA_EFFECT_JUMP] = "jump",
    [SCA_EFFECT_JUMP_LOAD] = "jump-load",
};

static void print_one(const struct sca_decoder *decoder, struct sca_code_bytes code,
                      const struct sca_instruction *in)
{
    bool leads = in->flow != SCA_FLOW_JUMP_INDIRECT && in->flow != SCA_FLOW_CALL_INDIRECT;
    struct sca_effect effect = decoder->effect(code);
    uint64_t slot = 0;
    bool is_stub = decoder->stub_slot(code, &slot);
    printf("%" PRIx64 " %u %s %" PRIx64 " %s %u", code.address, in->length, names[in->flow],
           leads ? in->target : 0, effects[effect.kind], effect.to);
    printf(is_stub ? " stub %" PRIx64 "\n" : "\n", slot);
}

/* Where nothing begins, the next place that may hold an instruction is tried. */
static void list(const struct sca_decoder *decoder, struct sca_code_bytes code)
{
    while (code.size) {
        struct sca_instruction in = {.length = (uint8_t)decoder->alignment};
        if (decoder->decode(code, &in))
            print_one(decoder, code, &in);
        else
            printf("%" PRIx64 " %u none 0 none 255\n", code.address, in.length);
        size_t step = in.length < code.size ? in.length : code.size;
        code.bytes += step;
        code.size -= step;
        code.address += step;
    }
}

static uint8_t *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static void list_sections(const uint8_t *bytes, size_t size, const struct sca_decoder *decoder)
{
    const Elf64_Ehdr *head = (const void *)bytes;
    const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        bool is_code = s->sh_type == SHT_PROGBITS && (s->sh_flags & SHF_EXECINSTR);
        if (is_code && s->sh_offset + s->sh_size <= size)
            list(decoder, (struct sca_code_bytes){bytes + s->sh_offset, s->sh_size, s->sh_addr});
    }
}

int main(int argc, char **argv)
{
    size_t size = 0;
    uint8_t *bytes = argc == 2 ? contents(argv[1], &size) : NULL;
    const Elf64_Ehdr *head = (const void *)bytes;
    const struct sca_decoder *decoder =
        bytes && size > sizeof *head ? sca_machine_decoder(head->e_machine) : NULL;
    if (!decoder) {
        fprintf(stderr, "usage: list_flow ELF_FILE, of a machine that is known\n");
        return 2;
    }
    list_sections(bytes, size, decoder);
    free(bytes);
    return 0;
}
