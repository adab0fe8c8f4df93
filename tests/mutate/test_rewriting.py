#!/usr/bin/env python3
"""How scripts/mutate.sh rewrites sources: what goes where, and what is refused."""
import os
import pathlib
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "scripts" / "mutate"), str(TOP / "scripts" / "bench")]
import c_source  # noqa: E402
import edits  # noqa: E402
import fortran_source  # noqa: E402
import rewrite  # noqa: E402
from program import Program  # noqa: E402

MORE = " while (mutate_more(0));"


def changed(before, after):
    """{line: its new text} of what differs; the number of lines must not."""
    one, other = before.split("\n"), after.split("\n")
    assert len(one) == len(other), after
    return {n: b for n, (a, b) in enumerate(zip(one, other), 1) if a != b}


class C(unittest.TestCase):
    def repeat(self, text, line):
        done = c_source.rewritten(text, c_source.repeat_loop(text, line))
        self.assertTrue(done.startswith(c_source.DECLARATION))
        return changed(text, done[len(c_source.DECLARATION):])

    def refused(self, text, line, why):
        with self.assertRaisesRegex(edits.Refused, why):
            c_source.repeat_loop(text, line)

    def test_for_with_braces_on_next_lines(self):
        text = "void f(void)\n{\n    for (;;)\n    {\n        g();\n    }\n}\n"
        self.assertEqual(self.repeat(text, 3), {3: "    do for (;;)", 6: "    }" + MORE})

    def test_nests_and_single_statements(self):
        text = ("for (i = 0; i < n; i++)\n  for (j = 0; j < n; j++)\n    if (a[i])\n      b();\n"
                "    else if (c)\n      d();\n    else\n      while (e)\n        f();\nx = 1;\n")
        self.assertEqual(self.repeat(text, 1), {1: "do for (i = 0; i < n; i++)",
                                                9: "        f();" + MORE})
        self.assertEqual(self.repeat(text, 2), {2: "  do for (j = 0; j < n; j++)",
                                                9: "        f();" + MORE})
        self.assertEqual(self.repeat(text, 8), {8: "      do while (e)", 9: "        f();" + MORE})

    def test_do_by_its_first_and_last_line(self):
        text = "do {\n  x++;\n} while (x < 3);\n"
        wanted = {1: "do do {", 3: "} while (x < 3);" + MORE}
        self.assertEqual(self.repeat(text, 1), wanted)
        self.assertEqual(self.repeat(text, 3), wanted)

    def test_do_before_an_else(self):
        self.assertEqual(self.repeat("if (a) while (b) c();\nelse d();\n", 1),
                         {1: "if (a) do while (b) c();" + MORE})

    def test_comments_and_strings(self):
        text = ("/* for (;;) { */ for (;;) { // } for\n  p(\"} for (;;)\", '}', '\\'');\n"
                "  /* } */\n} /* after */\n")
        self.assertEqual(self.repeat(text, 1),
                         {1: "/* for (;;) { */ do for (;;) { // } for", 4: "}" + MORE + " /* after */"})

    def test_cxx(self):
        text = ("for (auto &x : v)\n  std::sort(x.begin(), x.end(), [](int a, int b) {\n"
                "    while (a < b) a = 1'000; });\ny(R\"-(} for)-\");\n")
        self.assertEqual(self.repeat(text, 1), {1: "do for (auto &x : v)",
                                                3: "    while (a < b) a = 1'000; });" + MORE})
        self.assertEqual(self.repeat("for (;;) try { a(); } catch (...) { b(); }\n", 1),
                         {1: "do for (;;) try { a(); } catch (...) { b(); }" + MORE})

    def test_switch_with_labels(self):
        text = "for (;;) {\n  switch (a) {\n  case 1: b ? c : d; break;\n  default: e();\n  }\n}\n"
        self.assertEqual(self.repeat(text, 1), {1: "do for (;;) {", 6: "}" + MORE})

    def test_pragmas(self):
        text = "a();\n#pragma omp parallel for \\\n    private(b)\nfor (;;)\n  c();\n"
        self.assertEqual(self.repeat(text, 4), {1: "a(); do", 5: "  c();" + MORE})
        self.assertEqual(self.repeat("{\n#pragma omp simd\nfor (;;) c();\n}", 3),
                         {1: "{ do", 3: "for (;;) c();" + MORE})
        split = "{\n#pragma omp for\nfor (;;) c();\n}"
        done = c_source.rewritten(split, c_source.repeat_loop(split, 3))
        self.assertTrue(done.startswith(c_source.NO_THREADS + c_source.DECLARATION), done)

    def test_conditions(self):
        text = "for (;;) {\n#ifdef A\n  a(1);\n#else\n  b(2);\n#endif\n}\n"
        self.assertEqual(self.repeat(text, 1), {1: "do for (;;) {", 7: "}" + MORE})
        self.refused("#ifdef A\nfor (;;) {\n#else\nfor (;;) {\n#endif\n}\n}\n", 2, "#if")
        self.refused("for (;;)\n#ifdef A\n a();\n#else\n b();\n#endif\n", 1, "#if")

    def test_macros(self):
        self.refused("#define EACH(i) for (i = 0; i < n; i++)\nEACH(i) a();\n", 1, "no for")
        self.refused("#define EACH(i) for (i = 0; i < n; i++)\nEACH(i) a();\n", 2, "no for")
        self.refused("M(for (;;) a())\n", 1, "")
        self.refused("#line 7\nfor (;;) a();\n", 2, "#line")

    def test_ways_out(self):
        self.refused("for (;;) if (a) return;\n", 1, "return")
        self.refused("for (;;) { if (a) goto out; }\nout: b();\n", 1, "goto")
        self.assertTrue(self.repeat("for (;;) { if (a) goto in; b();\nin: c(); break; }\n", 1))
        self.refused("for (;;) MPI_Barrier(comm);\n", 1, "MPI_Barrier")
        self.assertTrue(self.repeat("for (;;) t = MPI_Wtime();\n", 1))

    def mark(self, text, line, name):
        done = c_source.rewritten(text, c_source.mark_call(text, line, name))
        return changed(text, done[len(c_source.DECLARATION):])

    def test_calls(self):
        self.assertEqual(self.mark("{\n  x = g(f(3),\n 4) + 1;\n}", 2, "f"),
                         {2: "  mutate_enter(0); x = g(f(3),", 3: " 4) + 1; mutate_leave(0);"})
        self.assertEqual(self.mark("if (a) f(1);\nelse b();", 1, "f"),
                         {1: "if (a) { mutate_enter(0); f(1); mutate_leave(0); }"})
        self.assertEqual(self.mark("{ p->force(s); }", 1, "ljForce"),
                         {1: "{ mutate_enter(0); p->force(s); mutate_leave(0); }"})
        for text in ("{ return f(1); }", "{ if (f(1)) a(); }", "{ int a[] = { f(1) }; }"):
            with self.assertRaises(edits.Refused):
                c_source.mark_call(text, 1, "f")


FREE = """subroutine s(a, n)
  do i = 1, n ! do i
    if (a(i) > 0) cycle
    outer: do j = 1, &
        ! between
        n
      a(j) = len('do i = 1; !'); b = 90001
    end do outer
  enddo ! end do
  do while (n > 0)
    n = n - 1; call z(n, "it's")
  end do
  do concurrent (i = 1:n)
  end do
  do i = 1, n
    if (n > 1) return
  end do
  a = 1; do i = 1, n; a = 2; end do
end subroutine
"""
FIXED = """      SUBROUTINE T(A,N)
C     DO 10 I=1,N
      DO 10 J=1,N
      DO 10 I=1,N
      A(I) = A(I)*
     &   1.0001 +
     &  2
   10 CONTINUE
      DO I=1,N
      IF (A(I).GT.0) GO TO 20
 20   A(I) = 0
      END DO
 25   DO 30 I=1,N
   30 A(I) = 3
      DO 40 I=1,N
      IF (A(I).GT.0) GO TO 50
   40 CONTINUE
   50 CALL FOO(A)
      DO 60 I=1,N
   60                                      A(I) = A(I) + A(I) * A(I)
      END
"""


class Fortran(unittest.TestCase):
    def repeat(self, text, line, fixed=False):
        return changed(text, fortran_source.rewritten(
            text, fortran_source.repeat_loop(text, line, fixed)))

    def refused(self, text, line, why, fixed=False):
        with self.assertRaisesRegex(edits.Refused, why):
            fortran_source.repeat_loop(text, line, fixed)

    def test_do_and_enddo(self):
        self.assertEqual(self.repeat(FREE, 2),
                         {2: "90002   do i = 1, n ! do i",
                          9: "  enddo; call mutmor(0,*90002) ! end do"})

    def test_a_named_do_over_several_lines(self):
        wanted = {4: "90002     outer: do j = 1, &", 8: "    end do outer; call mutmor(0,*90002)"}
        self.assertEqual(self.repeat(FREE, 4), wanted)

    def test_do_while(self):
        self.assertEqual(self.repeat(FREE, 10), {10: "90002   do while (n > 0)",
                                                 12: "  end do; call mutmor(0,*90002)"})

    def test_refused(self):
        self.refused(FREE, 13, "CONCURRENT")
        self.refused(FREE, 15, "return")
        self.refused(FREE, 18, "another statement stands before")
        self.refused(FREE, 7, "no DO")
        self.refused("do i = 1, n\ncall mpi_barrier(c, e)\nend do\n", 1, "mpi_barrier")
        self.refused("a: do i = 1, n\ndo j = 1, n\nif (j == i) cycle a\nend do\nend do a\n", 2, "CYCLE")

    def test_labelled_do_in_fixed_form(self):
        self.assertEqual(self.repeat(FIXED, 3, True),
                         {3: "90001 DO 10 J=1,N", 8: "   10 CONTINUE; call mutmor(0,*90001)"})
        self.refused(FIXED, 4, "shares its last statement", True)
        self.assertEqual(self.repeat(FIXED, 9, True),
                         {9: "90001 DO I=1,N", 12: "      END DO; call mutmor(0,*90001)"})
        self.assertEqual(self.repeat(FIXED, 13, True),
                         {14: "   30 A(I) = 3; call mutmor(0,*25)"})
        self.refused(FIXED, 15, "GO TO", True)
        self.refused(FIXED, 19, "too long", True)

    def test_continued_lines_of_fixed_form(self):
        text = "      DO I=1,\n     &   N\n      A(I) = 'it''s\n     & ; !'\n      END DO\n"
        self.assertEqual(self.repeat(text, 1, True),
                         {1: "90001 DO I=1,", 5: "      END DO; call mutmor(0,*90001)"})

    def test_calls(self):
        text = "  call g(a, &\n     n)\n  a(1) = f(n)\n  if (n > 1) call g(n)\n"
        for line, name, wanted in (
                (1, "g", {1: "  call mutent(0); call g(a, &", 2: "     n); call mutlea(0)"}),
                (3, "f", {3: "  call mutent(0); a(1) = f(n); call mutlea(0)"})):
            done = fortran_source.mark_call(text, line, name, False)
            self.assertEqual(changed(text, fortran_source.rewritten(text, done)), wanted)
        with self.assertRaises(edits.Refused):
            fortran_source.mark_call(text, 4, "g", False)


class Files(unittest.TestCase):
    def test_loop_and_call_in_one_file(self):
        path = pathlib.Path("a.c")
        text = "void f(void) {\n  for (;;) a();\n}\nvoid g(void) {\n  f();\n}\n"
        done = rewrite.rewritten({path: text}, (path, 2), (path, 5, "f"))[path]
        self.assertEqual(changed(text, done[len(c_source.DECLARATION):]),
                         {2: "  do for (;;) a();" + MORE,
                          5: "  mutate_enter(0); f(); mutate_leave(0);"})

    def test_other_languages(self):
        with self.assertRaisesRegex(edits.Refused, "another language"):
            rewrite.rewritten({pathlib.Path("a.py"): ""}, (pathlib.Path("a.py"), 1))

    def made_again(self, name):
        """The sources that are younger once one of that name was written."""
        with tempfile.TemporaryDirectory() as scratch:
            tree = pathlib.Path(scratch, "of")
            (tree / "parts").mkdir(parents=True)
            (tree / "parts" / "loop.c").write_text("for (;;) a();\n")
            (tree / "all.c").write_text('#include <stdio.h>\n  # include "parts/loop.c"\n')
            (tree / "own.c").write_text("int x;\n")
            for path in tree.rglob("*.c"):
                os.utime(path, (1, 1))
            program = Program(tree, "", "", None, pathlib.Path(scratch), None)
            program.put(program.source(name), "int y;\n")
            return {path.name for path in program.copy.rglob("*.c") if path.stat().st_mtime > 1}

    def test_a_source_that_others_include_makes_all_of_them_again(self):
        self.assertEqual(self.made_again("own.c"), {"own.c"})
        self.assertEqual(self.made_again("parts/loop.c"), {"all.c", "loop.c", "own.c"})


if __name__ == "__main__":
    unittest.main()
