# What debug information says of code: the assembler's, each instruction at its own line.
        .text
        .globl  count
        .type   count, @function
count:
        xorl    %eax, %eax
1:      incl    %eax
        cmpl    $9, %eax
        jne     1b
        ret
        .size   count, .-count
