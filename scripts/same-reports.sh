#!/bin/sh
exec python3 -B "$(dirname "$0")/reports/same_reports.py" "$@"
