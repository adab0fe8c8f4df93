"""Programs to compile: the kernels, sources of this project, and large generated ones."""
import dataclasses
import shutil

import kernels
from command import TOP

FUNCTIONS, QUICK_FUNCTIONS = 400, 40  # of a generated source


@dataclasses.dataclass
class Program:
    name: str
    files: list
    flags: tuple = ()


def flang():
    for name in ("flang-new-19", "flang-19", "flang-new", "flang"):
        if shutil.which(name):
            return name
    return "flang-new"


def compiler(source):
    return {".c": "mpicc.openmpi", ".cpp": "mpicxx.openmpi",
            ".f90": "mpifort.openmpi"}[source.suffix]


def kernel(name):
    if name == "lu":
        order = [*(kernels.NPB / "common" / f"{f}.f90" for f in ("npb_base", "npb")),
                 *(kernels.NPB / "lu" / f"{f}.f90" for f in
                   ("grid", "exchange", "operator", "sweep", "plant", "verify", "main"))]
        return Program(name, order)
    files = sorted((kernels.NPB / name).glob("*.c")) + sorted((kernels.NPB / "common").glob("*.c"))
    return Program(name, files)


def project(stage):
    """The stage's own files; no MPI, so the plugin has every loop and branch but no marker."""
    files = sorted((TOP / stage).rglob("*.c"))
    return Program(f"{stage}/ of this project", files,
                   tuple(f"-I{TOP / folder}" for folder in ("include", "common", stage)))


C_FUNCTION = """
double f{i}(double *a, int n, int depth)
{{
    double sum = 0;
    for (int k = 0; k < n; k++) {{
        for (int j = 0; j < n; j++)
            sum += a[j] * a[(j + k) % n];
        if (sum > {i})
            a[k] = sum / {i}.5;
        else if (depth > 0)
            a[k] += f{before}(a, n - 1, depth - 1);
        {mpi}
    }}
    return sum;
}}"""
MPI_LINE = "MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"

CXX_FUNCTION = """
template <class T, int N> struct Block{i} {{
    std::vector<T> v = std::vector<T>(N);
    T sum() const {{ T s = 0; for (const T &x : v) s += x; return s; }}
    void sort() {{ std::sort(v.begin(), v.end(), [](T a, T b) {{ return a < b + {i}; }}); }}
}};
double g{i}(double x)
{{
    Block{i}<double, {i} + 8> a;
    Block{i}<int, {i} + 9> b;
    for (auto &e : a.v) e = x += 0.5;
    a.sort();
    b.sort();
    double s = a.sum() + b.sum(), t = 0;
    MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return t;
}}"""


def generated_c(path, functions):
    body = [C_FUNCTION.format(i=i, before=max(i - 1, 1), mpi=MPI_LINE if i % 5 == 0 else "")
            for i in range(1, functions)]
    path.write_text("#include <mpi.h>\n" + "\n".join(body)
                    + f"\ndouble whole(double *a) {{ return f{functions - 1}(a, 9, 9); }}\n")


def generated_cxx(path, functions):
    body = [CXX_FUNCTION.format(i=i) for i in range(1, functions // 20)]
    path.write_text("#include <algorithm>\n#include <mpi.h>\n#include <vector>\n" + "\n".join(body))


def generated(work, functions):
    c, cxx = work / "generated.c", work / "templates.cpp"
    generated_c(c, functions // 4)
    generated_cxx(cxx, functions)
    return [Program("generated C", [c]), Program("generated C++ templates", [cxx])]


def all_programs(work, quick):
    functions = QUICK_FUNCTIONS if quick else FUNCTIONS
    found = [kernel(name) for name in kernels.available()] + [project("common"), project("detect")]
    return {program.name: program for program in found + generated(work, functions)}
