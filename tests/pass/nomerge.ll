; Calls that may reach MPI must not be merged; those that cannot are left alone.
; RUN: opt -load-pass-plugin=%p -passes=scalana-psg -S %s -o out.ll
; RUN: FileCheck %s < out.ll
; RUN: FileCheck --check-prefix=ASM %s < out.ll
declare i32 @MPI_Barrier(ptr)
declare void @mpi_send_(ptr)
declare void @outside_()
declare double @sin(double)
declare void @_FortranAStopStatement(i32)

define void @quiet() {
  ret void
}

define void @loud() {
  call void @outside_()
  ret void
}

; CHECK-LABEL: define void @f(
define void @f(ptr %p, double %x) {
; CHECK: call i32 @MPI_Barrier(ptr %p) [[N:#[0-9]+]]
  %1 = call i32 @MPI_Barrier(ptr %p)
; CHECK: call void @mpi_send_(ptr %p) [[N]]
  call void @mpi_send_(ptr %p)
; CHECK: call void @outside_() [[N]]
  call void @outside_()
; CHECK: call void %p() [[N]]
  call void %p()
; CHECK: call void @loud() [[N]]
  call void @loud()
; CHECK: call void @quiet(){{$}}
  call void @quiet()
; CHECK: call double @sin(double %x){{$}}
  %2 = call double @sin(double %x)
; CHECK: call void @_FortranAStopStatement(i32 0){{$}}
  call void @_FortranAStopStatement(i32 0)
  ret void
}

; What an exception destroys on its way out has no line to lose.
; CHECK-LABEL: define void @unwinds(
define void @unwinds() personality ptr @personality {
; CHECK: invoke void @outside_() [[N]]
  invoke void @outside_() to label %done unwind label %pad
pad:
  %e = landingpad { ptr, i32 } cleanup
; CHECK: call void @outside_(){{$}}
  call void @outside_()
  br label %out
out:
  resume { ptr, i32 } %e
done:
  ret void
}

; Nor if only some of it is there to be destroyed; but where an exception may be caught, calls have.
; CHECK-LABEL: define void @unwinds_by_two_ways(
define void @unwinds_by_two_ways(ptr %p, i1 %there) personality ptr @personality {
  invoke void @outside_() to label %done unwind label %pad
pad:
  %e = landingpad { ptr, i32 } cleanup
; CHECK: call void %p(){{$}}
  call void %p()
  br i1 %there, label %destroy, label %out
destroy:
; CHECK: call void @outside_(){{$}}
  call void @outside_()
  br label %out
out:
  resume { ptr, i32 } %e
done:
  ret void
}

; CHECK-LABEL: define void @catches(
define void @catches(i1 %wanted) personality ptr @personality {
  invoke void @outside_() to label %done unwind label %pad
pad:
  %e = landingpad { ptr, i32 } cleanup catch ptr null
; CHECK: call void @outside_() [[N]]
  call void @outside_()
  br i1 %wanted, label %done, label %out
out:
  resume { ptr, i32 } %e
done:
  ret void
}
declare i32 @personality(...)

; CHECK: attributes [[N]] = { nomerge }
; ASM: module asm ".pushsection .scalana.psg,\22\22,@progbits"
; ASM: module asm ".popsection"
