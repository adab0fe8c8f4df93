#!/bin/sh
# Runs every benchmark and writes doc/figures.md from the results.
#
#   scripts/bench-all.sh [--quick] [--prefix DIR] [--build DIR] [--out DIR] [--figures FILE]
#
# --prefix   where ScalAna is installed (default: $SCALANA_PREFIX, else prefix in this folder)
# --build    ScalAna's build folder with its tests (default: $SCALANA_BUILD, else build)
# --out      where the results go (default: bench-results); those of an earlier day are replaced
# --figures  the document (default: doc/figures.md; with --quick: figures.md among the results)
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
wrong() { echo "bench-all: $1" >&2; usage >&2; exit 2; }

quick= prefix=${SCALANA_PREFIX:-$top/prefix} build=${SCALANA_BUILD:-$top/build} out=bench-results
figures=
while [ $# -gt 0 ]; do
  case $1 in
    --help|-h) usage; exit 0 ;;
    --quick) quick=--quick; shift; continue ;;
    --prefix|--build|--out|--figures) [ $# -gt 1 ] || wrong "$1 needs a value" ;;
    *) wrong "no option '$1'" ;;
  esac
  case $1 in
    --prefix) prefix=$2 ;;
    --build) build=$2 ;;
    --out) out=$2 ;;
    --figures) figures=$2 ;;
  esac
  shift 2
done
: "${figures:=$([ "$quick" ] && echo "$out/figures.md" || echo "$top/doc/figures.md")}"

failed=
for bench in calls storage detect compile truth overhead python; do
  set -- $quick --prefix "$prefix" --out "$out"
  case $bench in detect | python) set -- "$@" --build "$build" ;; esac
  echo "== bench-$bench" >&2
  began=$(date +%s)
  "$top/scripts/bench-$bench.sh" "$@" >/dev/null || failed="$failed $bench"
  echo "   $(($(date +%s) - began)) s" >&2
done
python3 -B "$top/scripts/bench/figures.py" "$out" "$figures"
echo "Figures in $figures" >&2
[ -z "$failed" ] || { echo "bench-all: failed:$failed" >&2; exit 1; }
