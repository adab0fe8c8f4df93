#!/bin/sh
# Builds everything and runs all tests; ends in ctest's summary.
#
#   scripts/test.sh [CTEST-OPTIONS]     e.g. scripts/test.sh -R unit.wire
#   SCALANA_BUILD=DIR                   where to build (default: build)
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/packages.sh"
need_packages $BUILD_PACKAGES $TEST_PACKAGES

build=${SCALANA_BUILD:-$top/build}
cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$build.configure.log" 2>&1 ||
  { cat "$build.configure.log"; exit 1; }
rm -f "$build.configure.log"
cmake --build "$build"

# The same tests under the sanitizers, but for prof/: it is loaded into foreign processes. So are the
# plugins, which are taken as they are.
cmake -S "$top" -B "$build/sanitized" -G Ninja -DSCALANA_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug \
  -DSCALANA_STAGES="static;detect;viewer" -DSCALANA_PLUGINS_OF="$build" >/dev/null
cmake --build "$build/sanitized" --target unit_tests
echo "Unit and damage tests under the address and undefined-behaviour sanitizers:"
(cd "$build/sanitized" && ctest --output-on-failure -j2 -R '^(unit|damage)\.' "$@")

# Every test has one try: the first counts. Some wait more than they compute, hence one more than cores
# at a time. Verdicts come last, when nothing else runs.
cd "$build"
status=0
ctest --output-on-failure -j3 -LE verdict "$@" || status=$?
ctest --output-on-failure -j2 -L verdict "$@" || status=$?
exit $status
