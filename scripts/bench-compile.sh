#!/bin/sh
exec python3 -B "$(dirname "$0")/bench/compile.py" "$@"
