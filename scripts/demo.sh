#!/bin/sh
# From nothing to a verdict: builds and installs ScalAna, compiles the CG benchmark with a delay
# planted in one rank, runs it on 2, 4 and 8 ranks, and prints what ScalAna says about it.
#
#   scripts/demo.sh [PREFIX]     where to install (default: prefix, in this folder)
#
# It needs Open MPI. The installation also records programs of MPICH if libmpich-dev is there.
set -eu
case ${1-} in
-*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; [ "$1" = -h ] || [ "$1" = --help ]; exit ;;
esac
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/packages.sh"
need_packages $BUILD_PACKAGES

mkdir -p "${1:-$top/prefix}"
prefix=$(cd "${1:-$top/prefix}" && pwd)
work=$prefix/share/scalana/demo
log=$work/build.log
rm -rf "$work"
mkdir -p "$work"

step() { printf '\n== %s\n' "$*"; }
logged() { "$@" >>"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }; }

step "Building ScalAna and installing it into $prefix"
logged cmake -S "$top" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSCALANA_TESTS=OFF \
  -DCMAKE_INSTALL_PREFIX="$prefix"
logged cmake --build "$work/build"
logged cmake --install "$work/build"
PATH=$prefix/bin:$PATH

mpicc=$(command -v mpicc.openmpi || echo mpicc)
mpirun=$(command -v mpirun.openmpi || echo mpirun)
root=; [ "$(id -u)" = 0 ] && root=--allow-run-as-root

step "1. Compile: scalana-static mpicc -O2 -g, NAS CG"
cd "$work"
npb=$top/examples/npb
scalana-static "$mpicc" -O2 -g "$npb"/cg/*.c "$npb"/common/*.c -lm -o cg
scalana-static --stats cg

step "2. Run on 2, 4 and 8 ranks, rank P/2 delayed in its inner loop"
for ranks in 2 4 8; do
  "$mpirun" $root --oversubscribe --mca mpi_yield_when_idle 1 -n $ranks \
    -x LD_PRELOAD="$prefix/lib/libscalana-prof.so" ./cg --class=A --plant=delay
done

step "3. Detect: scalana-detect scalana-cg-2p scalana-cg-4p scalana-cg-8p"
scalana-detect scalana-cg-2p scalana-cg-4p scalana-cg-8p -o report.json

step "4. View: $prefix/bin/scalana-viewer $work/report.json"
