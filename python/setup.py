"""`pip install` from a checkout: the version is the tool's, the declarations are made of its headers."""
import pathlib
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import declarations  # noqa: E402


class Build(build_py):
    """Puts the declarations beside the modules."""

    def run(self):
        made = declarations.declarations(HERE.parent / "include" / "scalana")
        (HERE / "scalana" / "declarations.h").write_text(made)
        super().run()


setup(version=(HERE.parent / "VERSION").read_text().split()[0], cmdclass={"build_py": Build})
