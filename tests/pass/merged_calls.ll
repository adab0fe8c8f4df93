; Code of a function inlined at two places and then merged has lost the place of the call: it takes
; that of what stands beside it. Code that would move to its users keeps none.
; RUN: opt -load-pass-plugin=%p -passes=scalana-repair -S %s -o out.ll
; RUN: FileCheck %s < out.ll

; CHECK-LABEL: define i64 @f(
define i64 @f(i32 %i, ptr %p) !dbg !4 {
entry:
  %a = add i32 %i, 1, !dbg !10
; CHECK: %merged = load i32, ptr %p, align 4, !dbg [[MERGED:![0-9]+]]
  %merged = load i32, ptr %p, align 4, !dbg !21
; CHECK: %moves = sext i32 %i to i64{{$}}
  %moves = sext i32 %i to i64, !dbg !21
  %b = add i32 %a, %merged, !dbg !10
  store i32 %b, ptr %p, !dbg !10
  br label %end, !dbg !10
end:
  ret i64 %moves, !dbg !12
}

; Behind a loop marker a comparison stands where it is used: code generation copies it there.
@sca_loop = private global { ptr, i64, i64 } zeroinitializer, section "scalana_loops"
; CHECK-LABEL: define void @g(
define void @g(i64 %n, ptr %p) !dbg !5 {
entry:
; CHECK: icmp eq i64 %n, 5
  %far = icmp eq i64 %n, 5, !dbg !13
  br label %head, !dbg !13
head:
  %hook = load ptr, ptr @sca_loop, !dbg !14
  %set = icmp ne ptr %hook, null, !dbg !14
  br i1 %set, label %call, label %body, !dbg !14
; CHECK: body:
; CHECK-NEXT: [[COPY:%.*]] = icmp eq i64 %n, 5, !dbg [[USE:![0-9]+]]
; CHECK: br i1 [[COPY]], label %head, label %other, !dbg [[USE]]
body:
  store volatile i64 1, ptr %p, !dbg !14
  br i1 %far, label %head, label %other, !dbg !15
other:
  %z = select i1 %far, i64 3, i64 4, !dbg !14
  store i64 %z, ptr %p, !dbg !14
  ret void, !dbg !14
call:
  call void %hook(ptr @sca_loop), !dbg !14
  br label %body, !dbg !14
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang scalana:0123456789abcdef", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 50, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "inlined", scope: !1, file: !1, line: 39, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 2)
!8 = !DILexicalBlockFile(scope: !6, file: !1, discriminator: 7)
!9 = !DILexicalBlockFile(scope: !5, file: !1, discriminator: 9)
!10 = !DILocation(line: 10, scope: !7)
!12 = !DILocation(line: 30, scope: !7)
!13 = !DILocation(line: 51, scope: !9)
!14 = !DILocation(line: 52, scope: !9)
!15 = !DILocation(line: 53, scope: !9)
!20 = !DILocation(line: 0, scope: !4)
!21 = !DILocation(line: 40, column: 5, scope: !8, inlinedAt: !20)
; CHECK-DAG: [[MERGED]] = distinct !DILocation(line: 40, column: 5, scope: [[INNER:![0-9]+]], inlinedAt: [[CALL:![0-9]+]])
; CHECK-DAG: [[INNER]] = !DILexicalBlockFile(scope: !{{[0-9]+}}, file: !{{[0-9]+}}, discriminator: 7)
; CHECK-DAG: [[CALL]] = distinct !DILocation(line: 10, scope: [[OUTER:![0-9]+]])
; CHECK-DAG: [[OUTER]] = !DILexicalBlockFile(scope: !{{[0-9]+}}, file: !{{[0-9]+}}, discriminator: 2)
