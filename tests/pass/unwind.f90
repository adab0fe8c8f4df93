! flang leaves out the tables by which a call path is found where nothing is thrown. Samples fall
! there too: each function has one, and the code is what it would be.
! RUN: for o in 0 2; do scalana-static $SCALANA_TEST_FC -O$o -c %s -o $o.o && readelf --debug-dump=frames $o.o | grep -c FDE > $o.txt && FileCheck %s < $o.txt || exit 1; done
! RUN: $SCALANA_TEST_FC --version | grep -q flang || exit 0; $SCALANA_TEST_FC -O2 -c %s -o plain.o && for f in plain 2; do objdump -d --no-show-raw-insn $f.o | sed 1,3d > $f.s; done; cmp plain.s 2.s
! CHECK: {{^2$}}
subroutine scaled(n, a)
  integer :: n, i
  real(8) :: a(n)
  do i = 1, n
    a(i) = 2 * a(i)
  end do
end subroutine

subroutine shifted(n, a)
  integer :: n, i
  real(8) :: a(n)
  do i = 2, n
    a(i) = a(i) + a(i - 1)
  end do
end subroutine
