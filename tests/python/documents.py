"""The examples of doc/python.md run, and print what they say."""
import contextlib
import io
import os
import re
import unittest

from recordings import SOURCES, Recording


class Tests(Recording):
    def run_blocks(self):
        text = (SOURCES / "doc" / "python.md").read_text()
        names, printed = {}, []
        for block in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block, "doc/python.md", "exec"), names)
            printed.append(out.getvalue())
        return printed

    def test_document(self):
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            printed = self.run_blocks()
        finally:
            os.chdir(before)
        self.assertIn("imbalance  chain_three_hops.c:19 loop in inflow, rank 7", printed[0])
        self.assertIn("main > loop at chain_three_hops.c:43", printed[1])
        self.assertIn("dict_keys(['MPI_Irecv', 'MPI_Isend', 'MPI_Waitall'])", printed[2])
        self.assertIn("7\n", printed[3].splitlines(True)[-1])
        self.assertIn("loop at chain_three_hops.c:19", printed[4].split("PerFlowGraph of")[0])
        self.assertIn("7 MPI call sites of chain_three_hops on 8 ranks", printed[5])
        self.assertIn("evidence of finding 1: chain_three_hops.c:19 loop in inflow, rank 7", printed[5])
        self.assertIn("<MPI_Irecv, run 1>]", printed[6])
        self.assertIn('did you mean "waiting"?', printed[-1])
        self.assertGreaterEqual(len(printed), 6)


if __name__ == "__main__":
    unittest.main()
