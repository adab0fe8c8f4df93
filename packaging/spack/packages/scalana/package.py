# Spack's recipe, to be used from a clone of this repository:
#
#   spack repo add packaging/spack && spack install scalana
#
# Needs Spack 0.23 or newer, where languages are dependencies ("c", "cxx").
import pathlib

from spack.package import *


class Scalana(CMakePackage):
    """Names the source line that makes an MPI program stop scaling, the ranks it happens on, and
    the chain of waits through which it slows down the others."""

    git = "file://" + str(pathlib.Path(__file__).resolve().parents[4])

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-cffi", type="run")
    depends_on("py-numpy", type="run")
    # The plugin is loaded into this compiler: users compile with the same one.
    depends_on("llvm@19: +clang", type=("build", "link", "run"))
    depends_on("papi", type=("build", "link", "run"))
    depends_on("elfutils", type=("build", "link"))
    depends_on("zydis@4:", type=("build", "link"))
    depends_on("cjson", type=("build", "link"))
    depends_on("libmd", type=("build", "link"))
    depends_on("ncurses", type=("build", "link"))
    depends_on("uthash", type="build")
    depends_on("zlib-api", type=("build", "link"))
    # Its headers: one runtime serves Open MPI and MPICH, whichever a program uses.
    depends_on("mpi", type="build")
    depends_on("check", type="build", when="+tests")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("SCALANA_TESTS", "tests"),
            self.define("LLVM_DIR", join_path(self.spec["llvm"].prefix, "lib", "cmake", "llvm")),
        ]
        for mpi in ("openmpi", "mpich"):
            if self.spec.satisfies("^" + mpi):
                headers = self.spec[mpi].prefix.include
                args.append(self.define(f"SCALANA_{mpi.upper()}_INCLUDE", headers))
        return args

    def setup_run_environment(self, env):
        env.set("SCALANA_ROOT", self.prefix)
        env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python3", "dist-packages"))
