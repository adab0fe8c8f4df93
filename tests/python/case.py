#!/usr/bin/env python3
"""Runs tests of the Python package: case.py MODULE CASE...

The package is that of the installation SCALANA_PREFIX, or in the folder SCALANA_PACKAGE. Exit status
77, with the reason: something that the test needs is not installed.
"""
import importlib
import os
import pathlib
import sys
import unittest

SKIPPED = 77
PREFIX = pathlib.Path(os.environ.get("SCALANA_PREFIX", "/usr/local"))


def needed(names):
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            print(f"{sys.executable} has no {name}: skipped")
            sys.exit(SKIPPED)


def main():
    module, *cases = sys.argv[1:]
    needed(("cffi", "numpy"))
    sys.path.insert(0, os.environ.get("SCALANA_PACKAGE", str(PREFIX / "lib" / "python3" / "dist-packages")))
    tests = unittest.defaultTestLoader.loadTestsFromNames([f"{module}.Tests.test_{case}" for case in cases])
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    for _, reason in result.skipped:
        print(f"{reason}: skipped")
    sys.exit(1 if not result.wasSuccessful() else SKIPPED if result.skipped else 0)


if __name__ == "__main__":
    main()
