#!/bin/sh
# run.sh MPI RANKS LIBRARY PROGRAM [ARGUMENT...] -- CHECKER [ARGUMENT...]
# Runs the program under the library; then CHECKER RUN ARGUMENT...
set -eu
mpi=$1 ranks=$2 library=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=
while [ "$1" != -- ]; do
    program="$program $1"
    shift
done
checker=$2
shift 2
export SCALANA_OUTPUT="$work/run" SCALANA_RECORD="${SCALANA_RECORD-full}"
export SCALANA_BUDGET=100 # runs this short cost much, and windows would end
export OMPI_MCA_orte_tmpdir_base="$work" # runs at a time would share a folder that the first removes
case $mpi in
openmpi)
    mpirun.openmpi --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 \
        --mca pml ob1 -n "$ranks" -x LD_PRELOAD="$library" -x SCALANA_OUTPUT -x SCALANA_RECORD \
        -x SCALANA_BUDGET $program ;;
mpich)
    yields=$(dirname "$library")/../tests/support/libyields.so # support/yields.c
    mpirun.mpich -n "$ranks" -genv LD_PRELOAD "$library:$yields" $program ;;
esac || {
    [ $? -ne 77 ] || { echo "this MPI has not what the program tries: skipped"; exit 77; }
    exit 1
}
"$checker" "$work/run" "$@"
