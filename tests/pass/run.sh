#!/bin/bash
# run.sh CASE BUILD LLVM_BIN [PLUGIN]: runs the case's "RUN: command" lines in an empty folder; the first
# that fails ends the test. %s is the case, %b the build, %i the folder of the cases, %p the plugin
# for the LLVM in LLVM_BIN (the default's, if none is given).
set -u -o pipefail
case=$1 build=$2 plugin=${4:-$2/lib/scalana/libscalana-pass.so}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$build/bin:$3:$PATH TMPDIR=$folder/tmp XDG_CACHE_HOME=$folder/cache
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export ASAN_OPTIONS=detect_leaks=0 SCALANA_TEST_FC=${SCALANA_TEST_FC:-mpifort}
unset OMPI_CC OMPI_CXX OMPI_FC MPICH_CC MPICH_CXX MPICH_FC
mkdir "$folder/tmp" "$folder/work"
cd "$folder/work" || exit 1
grep -o 'RUN: .*' "$case" | sed 's/^RUN: //' >../script
while IFS= read -r line; do
    line=${line//%s/$case}
    line=${line//%b/$build}
    line=${line//%p/$plugin}
    line=${line//%i/$(dirname "$case")}
    if ! bash -o pipefail -c "$line" </dev/null; then
        echo "failed: $line"
        exit 1
    fi
done <../script
test -s ../script || { echo "no RUN: line in $case"; exit 1; }
