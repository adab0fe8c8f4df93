#!/usr/bin/env python3
"""recorded.py ARCHIVE [--show]: the verdict on a recording, the same each time.

Exit status 1 if it is not what the program's source said, or if the gain of a cause is more than 15 %
off what the program measured. --show prints the report, too.
"""
import sys

import recording


def main():
    result, text = recording.judged(sys.argv[1])
    fault = recording.fault_of(result)
    if fault or "--show" in sys.argv:
        print(text)
    print(f"FAILED {result['program']} in {result['way']}: {fault}" if fault else "right")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
