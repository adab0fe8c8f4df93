# Work of so many rounds in blocks, each of which ends in a call: without unwind tables, with a frame of
# its own, and with counters in the registers that are kept for the caller.
        .text
        .globl  blocks
        .type   blocks,@function
blocks:
        push    %rbp
        push    %rbx
        push    %r13
        push    %r14
        sub     $0x128, %rsp
        mov     %rdx, %r14
        mov     %rsi, %r13
        mov     $17, %ebp
1:      mov     %rdi, (%rsp)
        mov     %rdi, %rbx
2:      imul    $3, %rbp
        dec     %rbx
        jnz     2b
        call    *%r14
        mov     (%rsp), %rdi
        dec     %r13
        jnz     1b
        add     $0x128, %rsp
        pop     %r14
        pop     %r13
        pop     %rbx
        pop     %rbp
        ret
        .size   blocks,.-blocks
        .section .note.GNU-stack,"",@progbits
