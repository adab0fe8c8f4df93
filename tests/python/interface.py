"""The declarations, and the forms in which the package is installed."""
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from recordings import PREFIX, SOURCES, Recording, c_program
from scalana.library import NONE, library

PACKAGE = PREFIX / "lib" / "python3" / "dist-packages" / "scalana"


def structs(ffi):
    """(name, member, offset) of all structs, without those that are pointers only."""
    for name in ffi.list_types()[1]:
        kind = ffi.typeof(f"struct {name}")
        for member, field in kind.fields or ():
            yield name, member, field.offset, ffi.sizeof(field.type), ffi.sizeof(kind)


def enums(ffi):
    for name in ffi.list_types()[0] + [f"enum {tag}" for tag in tags()]:
        if ffi.typeof(name).kind == "enum":
            yield from ffi.typeof(name).relements.items()


def tags():
    text = (PACKAGE / "declarations.h").read_text()
    return re.findall(r"^enum (\w+) \{", text, re.M)


class Tests(Recording):
    def test_declarations(self):
        """A C compiler gives every member of every struct the same place, and constants the same value."""
        if not shutil.which("cc"):
            self.skipTest("no C compiler")
        ffi, lines, expected = library().ffi, [], []
        for struct, member, offset, size, whole in structs(ffi):
            lines.append(f'printf("%zu %zu %zu\\n", offsetof(struct {struct}, {member}), '
                         f"sizeof ((struct {struct} *)0)->{member}, sizeof(struct {struct}));")
            expected.append(f"{offset} {size} {whole}")
        for name, value in enums(ffi):
            lines.append(f'printf("%lld\\n", (long long){name});')
            expected.append(str(value))
        lines.append('printf("%lld\\n", (long long)SCALANA_NONE);')
        expected.append(str(NONE))
        source = "#include <scalana/scalana.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "}\n"
        said = subprocess.run([c_program(source, self.folder)], capture_output=True, text=True).stdout
        self.assertGreater(len(expected), 200)
        self.assertEqual(said.splitlines(), expected)

    def test_functions(self):
        """Every function of the headers is declared, with the same arguments, and in the library."""
        headers = "".join(path.read_text() for path in (PREFIX / "include" / "scalana").glob("*.h")
                          if path.name != "region.h")
        headers = re.sub(r"/\*.*?\*/", "", headers, flags=re.S)
        pattern = r"^(?:int|const char \*|uint32_t|void|scalana_options \*)\s*scalana_\w+\([^;]*\);"
        flat = [re.sub(r"\s+", " ", one) for one in re.findall(pattern, headers, re.M)]
        declared = re.sub(r"\s+", " ", (PACKAGE / "declarations.h").read_text())
        self.assertGreater(len(flat), 50)
        for function in flat:
            self.assertIn(function, declared)
            name = re.search(r"scalana_(\w+)\(", function).group(1)
            self.assertTrue(getattr(library(), name))

    def test_syntax(self):
        """It is Python 3.9."""
        for path in PACKAGE.glob("*.py"):
            ast.parse(path.read_text(), feature_version=(3, 9))

    def test_types(self):
        """mypy --strict has nothing to say."""
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")
        done = subprocess.run(["mypy", "--config-file", SOURCES / "python" / "pyproject.toml", "--cache-dir",
                               self.folder, "--strict", PACKAGE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no issues", done.stdout)

    def test_docstrings(self):
        """Whatever users may call says what it is."""
        import scalana
        self.assertTrue(scalana.__doc__)
        for name in scalana.__all__:
            thing = getattr(scalana, name)
            self.assertTrue(thing.__doc__, name)
            for part, value in vars(thing).items() if isinstance(thing, type) else ():
                inherited = any(part in vars(base) for base in thing.__mro__[1:])
                if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(value.__doc__ or inherited, f"{name}.{part}")

    def test_pip(self):
        """From a checkout; the library is that of the scalana-detect in PATH."""
        for module in ("pip", "setuptools", "wheel"):
            if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
                self.skipTest(f"{sys.executable} has no {module}")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for part in ("python", "include"):
                shutil.copytree(SOURCES / part, folder / part, ignore=shutil.ignore_patterns("build", "*.egg-info"))
            shutil.copy(SOURCES / "VERSION", folder)
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps",
                            "--no-index", "--target", folder / "site", folder / "python"], check=True,
                           capture_output=True)
            env = {**os.environ, "PYTHONPATH": str(folder / "site"), "PATH": f"{PREFIX}/bin:{os.environ['PATH']}"}
            code = ("import scalana, scalana.library as l; print(scalana.__file__); "
                    "print(l.library().path); print(len(scalana.load(*__import__('sys').argv[1:]).vertices))")
            done = subprocess.run([sys.executable, "-c", code, *self.runs], env=env, capture_output=True,
                                  text=True, check=True)
            file, path, count = done.stdout.split()
            self.assertTrue(file.startswith(str(folder / "site")))
            self.assertEqual(pathlib.Path(path), PREFIX / "lib" / "libscalana.so.1")
            self.assertEqual(int(count), 19 * (2 + 4 + 8))

    def test_no_library(self):
        """One line says what to do where the library is not."""
        done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
                               "import scalana\ntry: scalana.load('x')\nexcept scalana.Error as e: print(e)"],
                              env={**os.environ, "SCALANA_LIBRARY": "/nowhere/lib.so"}, capture_output=True, text=True)
        self.assertRegex(done.stdout, r"^libscalana cannot be opened: .*/nowhere/lib.so.*SCALANA_LIBRARY\n$")


if __name__ == "__main__":
    unittest.main()
