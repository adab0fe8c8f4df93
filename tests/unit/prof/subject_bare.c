/* Compiled without frame pointers. */
#include "subject_bare.h"

/* Each has its argument in r12 while it calls it, and rbp for data. The words of `filled` are
 * addresses left by calls that are over. */
__asm__(".text\n.globl bare_small, bare_large, bare_filled, bare_outer, jumps_on\n"
        "bare_small: push %rbx\n push %rbp\n push %r12\n sub $0x50, %rsp\n"
        "  mov %rdi, %r12\n mov $3, %ebp\n call *%r12\n"
        "  add $0x50, %rsp\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
        "bare_large: push %rbp\n push %r12\n sub $6008, %rsp\n mov %rdi, %r12\n"
        "  lea 64(%rsp), %rbp\n call *%r12\n"
        "  add $6008, %rsp\n pop %r12\n pop %rbp\n ret\n"
        "bare_filled: push %r12\n sub $0x40, %rsp\n mov %rdi, %r12\n"
        "  mov bare_left(%rip), %rax\n mov %rax, (%rsp)\n mov %rax, 0x18(%rsp)\n"
        "  mov bare_left+8(%rip), %rax\n mov %rax, 0x20(%rsp)\n call *%r12\n"
        "  add $0x40, %rsp\n pop %r12\n ret\n"
        "bare_inner: sub $8, %rsp\n call *%rdi\n add $8, %rsp\n ret\n"
        "bare_outer: push %rbp\n mov $5, %ebp\n call bare_inner\n pop %rbp\n ret\n"
        ".type jumps_on, @function\n"
        "jumps_on: .cfi_startproc\n jmp bare_small\n .cfi_endproc\n .size jumps_on, .-jumps_on\n");

#define CALLER(name, room, call)                                                                   \
    __attribute__((noinline)) void *name(shape *through)                                           \
    {                                                                                              \
        void *volatile here = __builtin_return_address(0);                                         \
        char *volatile frame = room;                                                               \
        (void)through;                                                                             \
        (void)frame;                                                                               \
        call(back);                                                                                \
        __asm__ volatile("" ::: "memory");                                                         \
        return here;                                                                               \
    }
#define PAIR(of)                                                                                   \
    CALLER(light_##of, 0, of)                                                                      \
    CALLER(heavy_##of, __builtin_alloca(bare_left[0] % 64 + 8), of)

PAIR(bare_small)
PAIR(bare_large)
PAIR(bare_filled)
PAIR(bare_outer)
PAIR(jumps_on)
PAIR(through)
