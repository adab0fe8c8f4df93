# Work of so many rounds on a stack of its own, without unwind tables: calls nobody.
        .text
        .globl  blocks
        .type   blocks,@function
blocks:
        push    %r12
        mov     %rsp, %r12
        lea     own_stack+65536(%rip), %rsp
        imul    %rsi, %rdi
        push    %rbx
1:      imul    $3, %rbx
        dec     %rdi
        jnz     1b
        pop     %rbx
        mov     %r12, %rsp
        pop     %r12
        ret
        .size   blocks,.-blocks
        .bss
        .balign 64
own_stack: .skip 65536
        .section .note.GNU-stack,"",@progbits
