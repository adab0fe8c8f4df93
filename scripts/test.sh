#!/bin/sh
# Builds everything and runs all tests, those that fail fastest first. Each has one try.
#
#   scripts/test.sh [OPTION]...
#
#   -R REGEX, -E REGEX     only tests of this name; none of this name    scripts/test.sh -R unit.wire
#   -L REGEX, -LE REGEX    only tests with this label; none with it
#   -j N                   so many tests at a time
#   -V, --output-on-failure, --repeat MODE:N, --timeout SECONDS          as ctest knows them
#   SCALANA_BUILD=DIR      where to build (default: build)
#
# A line is printed for each test that fails or is skipped, with the reason, and again at the end.
# Exit status 1 if one failed, 2 for a wrong option. How often verdicts are right is a figure:
# scripts/bench-truth.sh.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

wrong() { echo "test.sh: $1 (scripts/test.sh --help lists the options)" >&2; exit 2; }

check_options() {
  while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0"; exit ;;
    -R | -E | -L | -LE | -j | --repeat | --timeout)
      [ $# -gt 1 ] || wrong "$1 needs a value"
      shift ;;
    -j[0-9]* | -V | --output-on-failure) ;;
    *) wrong "unknown option '$1'" ;;
    esac
    shift
  done
}

check_options "$@"
. "$top/scripts/packages.sh"
need_packages $BUILD_PACKAGES $TEST_PACKAGES

# Behind a shim that looks for its version (pyenv's) each of a thousand scripts starts five times as slowly.
PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH
export PATH

build=${SCALANA_BUILD:-$top/build}
results=$build/test-results
stage() { python3 -B "$top/scripts/tests/stage.py" "$results" "$@" || failed=1; }
failed=0

configure() { # FOLDER OPTION...
  log=$1.configure.log
  cmake -S "$top" -B "$@" -G Ninja >"$log" 2>&1 || { cat "$log"; exit 1; }
  rm -f "$log"
}

# Parts are built and tried once: under the sanitizers, but for those of prof/ and of the plugins, which
# are loaded into foreign processes. Configuring takes one core.
sanitized() {
  configure "$build/sanitized" -DSCALANA_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug \
    -DSCALANA_STAGES="static;detect;viewer" -DSCALANA_PLUGINS_OF="$build" -DCMAKE_C_FLAGS_DEBUG=-g1
}
mkdir -p "$build"
sanitized &
other=$!
configured=0
(configure "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo) || configured=1
wait "$other" || configured=1
[ $configured = 0 ] || exit 1
rm -rf "$results"
stage "rules of the sources" "$build" -j2 -L sources "$@"

echo "== build"
cmake --build "$build" --target whole
stage "parts alone" "$build" -j2 -L alone "$@"

echo "== build under the sanitizers"
cmake --build "$build/sanitized" --target unit_tests
stage "parts under the sanitizers" "$build/sanitized" -j2 -L sanitized "$@"

# Many wait more than they compute, hence two more than cores at a time.
stage "the whole, as it is installed" "$build" -j4 -LE 'sources|alone|sanitized' "$@"

python3 -B "$top/scripts/tests/summary.py" "$results" || failed=1
exit $failed
