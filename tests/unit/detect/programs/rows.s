// Debug information by hand, around bytes that are nobody's code; linked to 0x10000.
// test_compile_units.c, test_inline_chain.c and test_source_checksums.c know the addresses.
        .file   0 "/src" "rows.c" md5 0x000102030405060708090a0b0c0d0e0f
        .file   1 "/src" "lib/inner.h" md5 0xfedcba98765432100123456789abcdef
        .file   2 "/opt/other" "other.h" md5 0x11111111111111111111111111111111

        .macro  bytes count
        .rept   \count
        .byte   0x90
        .endr
        .endm

        .text
        .globl  _start
_start:                                 // outer
        .loc    0 10
        bytes   16                      // 10000
        .loc    1 12
        bytes   16                      // 10010
        .loc    0 0
        bytes   16                      // 10020
        .loc    1 15
        bytes   16                      // 10030
        .loc    0 0
        bytes   8                       // 10040
        .loc    1 17
        bytes   8                       // 10048
        .loc    0 0
        bytes   16                      // 10050
        .loc    0 40                    // big
        bytes   48                      // 10060
        .loc    0 44
        bytes   16                      // 10090
        .loc    0 60                    // alone
        bytes   48                      // 100a0
        .loc    0 64
        bytes   16                      // 100d0
        // ends at 100e0

        .section .debug_abbrev,"",@progbits
        // code, tag, children, then attributes and forms
        .byte   1, 0x11, 1, 0x25, 8, 3, 8, 0x1b, 8, 0x10, 0x17, 0x11, 1, 0x12, 6, 0, 0
        .byte   2, 0x11, 1, 0x25, 8, 3, 8, 0x10, 0x17, 0, 0
        .byte   3, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 6, 0, 0
        .byte   4, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 6, 0, 0
        .byte   5, 0x0b, 1, 0x11, 1, 0x12, 6, 0, 0
        .byte   6, 0x2e, 0, 3, 8, 0, 0
        .byte   7, 0x39, 1, 3, 8, 0, 0
        .byte   0

        .macro  scope code, low, bytes
        .byte   \code
        .quad   \low
        .long   \bytes
        .endm
        .macro  function name, low, bytes
        .byte   3
        .asciz  "\name"
        .quad   \low
        .long   \bytes
        .endm
        .macro  inlined origin, low, bytes
        .byte   4
        .long   \origin - .Lfirst
        .quad   \low
        .long   \bytes
        .endm

        .section .debug_info,"",@progbits
.Lfirst:
        .long   .Lfirst_end - .Lfirst - 4
        .short  5                       // version
        .byte   1, 8                    // a compile unit, of eight-byte addresses
        .long   .debug_abbrev
        .byte   1
        .asciz  "clang 19 scalana:00000000000000a1"
        .asciz  "rows.c"
        .asciz  "/src"
        .long   .Llines
        .quad   0x10000
        .long   0xa0
.Linner:
        .byte   6
        .asciz  "inner"
.Linmost:
        .byte   6
        .asciz  "inmost"
        function outer, 0x10000, 0x60
        scope   5, 0x10008, 0x50        // a block, up to 10058
        inlined .Linner, 0x10010, 0x30  // up to 10040
        inlined .Linmost, 0x10018, 0x10 // up to 10028
        .byte   0, 0
        inlined .Linner, 0x10044, 0xc   // up to 10050
        .byte   0
        .byte   0, 0                    // of the block, of outer
        function big, 0x10060, 0x40
        .byte   0
        .byte   0
.Lfirst_end:
.Lsecond:                               // no ranges, no hash, a function that was thrown away
        .long   .Lsecond_end - .Lsecond - 4
        .short  5
        .byte   1, 8
        .long   .debug_abbrev
        .byte   2
        .asciz  "clang 19 scalana:a1"
        .asciz  "alone.c"
        .long   .Llines
        .byte   7
        .asciz  "grid"
        function alone, 0x100a0, 0x40
        .byte   0
        function gone, 0, 0x100
        .byte   0
        .byte   0
        .byte   0
.Lsecond_end:

        .section .debug_line,"",@progbits
.Llines:
