"""Builds programs with GCC so that its blocks can be found in them again."""
import dataclasses
import pathlib
import subprocess

import blocks
import frames
import objdump_flow
import truths


@dataclasses.dataclass
class Tools:
    """Programs by name; `prefix` is that of a cross compiler's companions."""
    compiler: list
    flags: list
    link: list
    prefix: str = ""
    symbolizer: str = "llvm-symbolizer-19"


def run(*words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr[-2000:]}")
    return done.stdout


def compile_one(tools, source, unit, folder):
    """(object file, function -> Graph) of a source."""
    plain, marked = folder / f"{unit}.plain.s", folder / f"{unit}.s"
    modules = [f"-J{folder}"] if source.suffix.lower().startswith(".f") else []
    run(*tools.compiler, *tools.flags, *modules, "-g", "-S", "-dA", source, "-o", plain)
    text, graphs = blocks.annotate(plain.read_text(errors="surrogateescape"), unit)
    marked.write_text(text, errors="surrogateescape")
    out = folder / f"{unit}.o"
    run(*tools.compiler, "-c", marked, "-o", out)
    return out, graphs


def program(tools, sources, folder):
    """(binary without labels, its true loops, address -> statements around it)"""
    folder.mkdir(parents=True, exist_ok=True)
    objects, graphs = [], {}
    for number, source in enumerate(sources):
        out, found = compile_one(tools, pathlib.Path(source).resolve(), f"u{number}", folder)
        objects.append(out)
        graphs.update({(f"u{number}", function): graph for function, graph in found.items()})
    binary = folder / "program"
    run(*tools.compiler, *tools.flags, *objects, "-o", binary, *tools.link)
    marks = blocks.places(run(f"{tools.prefix}nm", binary))
    run(f"{tools.prefix}objcopy", "-w", f"--strip-symbol={blocks.MARK}.*", binary)
    listed = objdump_flow.instructions(f"{tools.prefix}objdump", binary)
    machine = "aarch64" if "aarch64" in tools.prefix else "x86-64"
    real = [address for address, text in listed if objdump_flow.flow(text, machine)[0] != "pad"]
    where = blocks.spread(marks, real)
    told = frames.of_addresses(tools.symbolizer, binary, sorted(where))
    return (binary, *truths.of_program(graphs, where, told))
