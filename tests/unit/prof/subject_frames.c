/* Frames that neither rsp nor rbp tells: kept in rbx (as the dynamic linker's), in r12 below one in
 * r13, and where an expression loads it (as OpenSSL's): what rsp + 16 points to, + 8. */
#include "subjects.h"

__asm__(".text\n.type in_rbx, @function\nin_rbx:\n.cfi_startproc\n"
        "  push %rbx\n  .cfi_def_cfa_offset 16\n  .cfi_offset %rbx, -16\n"
        "  mov %rsp, %rbx\n  .cfi_def_cfa_register %rbx\n  and $-64, %rsp\n  sub $192, %rsp\n"
        "  call probe\n"
        "  mov %rbx, %rsp\n  .cfi_def_cfa_register %rsp\n"
        "  pop %rbx\n  .cfi_def_cfa_offset 8\n  .cfi_restore %rbx\n  ret\n.cfi_endproc\n"
        ".type in_r13, @function\nin_r13:\n.cfi_startproc\n"
        "  push %r13\n  .cfi_def_cfa_offset 16\n  .cfi_offset %r13, -16\n"
        "  mov %rsp, %r13\n  .cfi_def_cfa_register %r13\n  sub $24, %rsp\n  and $-32, %rsp\n"
        "  call in_r12\n"
        "  mov %r13, %rsp\n  .cfi_def_cfa_register %rsp\n"
        "  pop %r13\n  .cfi_def_cfa_offset 8\n  .cfi_restore %r13\n  ret\n.cfi_endproc\n"
        ".type in_r12, @function\nin_r12:\n.cfi_startproc\n"
        "  push %r13\n  .cfi_def_cfa_offset 16\n  .cfi_offset %r13, -16\n"
        "  push %r12\n  .cfi_def_cfa_offset 24\n  .cfi_offset %r12, -24\n"
        "  mov %rsp, %r12\n  .cfi_def_cfa_register %r12\n  xor %r13d, %r13d\n"
        "  and $-64, %rsp\n  call loaded\n"
        "  mov %r12, %rsp\n  .cfi_def_cfa_register %rsp\n"
        "  pop %r12\n  .cfi_def_cfa_offset 16\n  .cfi_restore %r12\n"
        "  pop %r13\n  .cfi_def_cfa_offset 8\n  .cfi_restore %r13\n  ret\n.cfi_endproc\n"
        ".type loaded, @function\nloaded:\n.cfi_startproc\n"
        "  mov %rsp, %rax\n  .cfi_def_cfa_register %rax\n"
        "  sub $72, %rsp\n  and $-64, %rsp\n  mov %rax, 16(%rsp)\n"
        "  .cfi_escape 0x0f, 5, 0x77, 16, 0x06, 0x23, 8\n"
        "  call probe\n"
        "  mov 16(%rsp), %rsp\n  .cfi_def_cfa %rsp, 8\n  ret\n.cfi_endproc\n");
void in_rbx(void);
void in_r13(void);

void subject_frames(int n)
{
    while (n-- > 0) {
        in_rbx();
        in_r13();
    }
}
