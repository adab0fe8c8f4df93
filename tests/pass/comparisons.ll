; Code generation copies a comparison into the blocks that use it. It then must not bring along the
; place of code that happened to compare the same before, nor that of a neighbour.
; RUN: opt -load-pass-plugin=%p -passes=scalana-repair -S %s -o out.ll
; RUN: FileCheck %s < out.ll

; CHECK-LABEL: define void @f(
define void @f(i64 %n, ptr %p) !dbg !4 {
entry:
; CHECK: %shared = icmp sgt i64 %n, 0{{$}}
  %shared = icmp sgt i64 %n, 0, !dbg !10
; CHECK: %lost = icmp sgt i64 %n, 1{{$}}
  %lost = icmp sgt i64 %n, 1
; CHECK: %own = icmp sgt i64 %n, 2, !dbg
  %own = icmp sgt i64 %n, 2
; CHECK: %same = icmp sgt i64 %n, 3, !dbg
  %same = icmp sgt i64 %n, 3, !dbg !11
  %a = or i1 %shared, %lost, !dbg !10
  %b = or i1 %a, %own, !dbg !10
  br i1 %b, label %loop, label %end, !dbg !10
loop:
  %x = select i1 %shared, i64 1, i64 2, !dbg !11
  %y = select i1 %lost, i64 1, i64 2, !dbg !11
  %z = select i1 %same, i64 %x, i64 %y, !dbg !11
  store volatile i64 %z, ptr %p, !dbg !11
  br i1 %same, label %loop, label %end, !dbg !11
end:
  ret void, !dbg !12
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang scalana:0123456789abcdef", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 2)
!7 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 3)
!10 = !DILocation(line: 10, scope: !6)
!11 = !DILocation(line: 20, scope: !7)
!12 = !DILocation(line: 30, scope: !7)
