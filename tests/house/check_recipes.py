#!/usr/bin/env python3
"""Recipes of packagers fit the sources: version, file names, options of the build, and packages."""
import re

import house

RULE = "A recipe goes with VERSION, scripts/packages.sh and the options of CMakeLists.txt."
EASYBUILD = house.ROOT / "packaging" / "easybuild"
CONTAINER = house.ROOT / "packaging" / "container" / "Containerfile"
SPACK = house.ROOT / "packaging" / "spack" / "packages" / "scalana" / "package.py"
NEEDED = ("name", "version", "homepage", "description", "toolchain", "sources", "moduleclass", "easyblock")


def text_of(path):
    return path.read_text(encoding="utf-8")


def known_options():
    """Of CMake: options, variables that are asked for, and those of LLVM."""
    found = {"LLVM_DIR"}
    for path in house.files({".txt", ".cmake"}):
        found |= set(re.findall(r"(?:option|set|find_path|find_program)\((SCALANA_\w+)", text_of(house.ROOT / path)))
    return found


def options_in(text, options):
    for option in re.findall(r"\b(SCALANA_[A-Z]\w+|LLVM_DIR)\b(?==|\")", text):
        if option not in options and option != "SCALANA_ROOT":
            yield f"CMake has no option {option}"


def easyconfig(path, version):
    recipe = {}
    exec(compile(text_of(path), path, "exec"), recipe)  # as EasyBuild reads it
    yield from (f"no {key}" for key in NEEDED if not recipe.get(key))
    toolchain = recipe["toolchain"]
    if path.stem != f"{recipe['name']}-{recipe['version']}-{toolchain['name']}-{toolchain['version']}":
        yield "EasyBuild finds it by name, version and toolchain: the file's name has others"
    if recipe["version"] != version:
        yield f"version {recipe['version']}, not {version}"


def container(text):
    known = set(re.findall(r"[a-z][a-z0-9+.-]+", text_of(house.ROOT / "scripts" / "packages.sh")))
    joined = re.sub(r"\\\n", " ", text)
    for packages in re.findall(r"apt-get install -y([^&\n]*)", joined):
        for name in packages.split():
            if re.fullmatch(r"[a-z][a-z0-9+.-]+", name) and name not in known | {"file", "dpkg-dev"}:
                yield f"scripts/packages.sh has no package {name}"
    if "$BUILD_PACKAGES" not in text:
        yield "what the build needs is in BUILD_PACKAGES of scripts/packages.sh"


def check():
    version = text_of(house.ROOT / "VERSION").split()[0]
    options, faults = known_options(), []
    recipes = sorted(EASYBUILD.glob("*.eb"))
    for path in [*recipes, CONTAINER, SPACK]:
        found = list(options_in(text_of(path), options))
        found += easyconfig(path, version) if path in recipes else []
        found += container(text_of(path)) if path == CONTAINER else []
        faults += [f"{path.relative_to(house.ROOT)}: {fault}" for fault in found]
    if not recipes:
        faults.append("packaging/easybuild: no recipe")
    return house.finish("house.recipes", faults, RULE)


if __name__ == "__main__":
    house.main(check)
