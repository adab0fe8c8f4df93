#!/bin/sh
# Fuzzes every format: feeds damaged input to the readers and the analysis, and stops at the first
# crash, hang, leak or wrong access to memory.
#
#   scripts/fuzz.sh [SECONDS [FUZZER]...]   report, psg, structure, profile, detect, in turn
#                                           (default: all, 60 s each); an hour of one is
#                                           scripts/fuzz.sh 3600 profile
#   SCALANA_FUZZ_DIR=DIR                    build and corpora, kept between runs (build/fuzz)
#
# What was found lies in DIR/FUZZER/found; `DIR/fuzzers/tests/fuzz/fuzz_FUZZER FILE` tries it again.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/packages.sh"
need_packages $BUILD_PACKAGES libclang-rt-19-dev

seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- report psg structure profile detect
dir=${SCALANA_FUZZ_DIR:-$top/build/fuzz}
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"

# What makes the seeds is built as always, what is fuzzed with clang's instrumentation.
cmake -S "$top" -B "$dir/tools" -G Ninja -DSCALANA_STAGES="static;detect" >/dev/null
cmake --build "$dir/tools" --target make_run make_source make_report scalana-static scalana-pass
cmake -S "$top" -B "$dir/fuzzers" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSCALANA_FUZZ=ON \
  -DSCALANA_STAGES=detect -DCMAKE_C_COMPILER=clang-19 -DCMAKE_C_FLAGS="$flags" \
  -DCMAKE_EXE_LINKER_FLAGS="-fsanitize=address,undefined" >/dev/null
cmake --build "$dir/fuzzers" --target fuzz_report fuzz_psg fuzz_structure fuzz_structure_seeds \
  fuzz_profile fuzz_detect fuzz_seeds

make_seeds() {
  for fuzzer in report psg structure profile detect; do
    mkdir -p "$dir/$fuzzer/corpus" "$dir/$fuzzer/found"
  done
  cp "$dir/fuzzers/tests/fuzz/structure_seeds/"* "$dir/structure/corpus"
  "$dir/tools/tests/scale/make_source" 2 "$dir/seed.c"
  "$dir/tools/bin/scalana-static" mpicc -O1 -g "$dir/seed.c" -o "$dir/seed"
  objcopy -O binary --only-section=.scalana.psg --set-section-flags .scalana.psg=alloc \
    "$dir/seed" "$dir/psg/corpus/seed"
  "$dir/tools/tests/scale/make_run" --ranks=3 --phases=2 --windows=2 --cause=imbalance \
    "$dir/seed" "$dir/seed-3p"
  "$dir/tools/tests/scale/make_run" --ranks=6 --phases=2 --windows=2 --cause=imbalance \
    "$dir/seed" "$dir/seed-6p"
  "$dir/fuzzers/tests/fuzz/fuzz_seeds" "$dir/seed-3p/profile.sca" "$dir/detect/corpus/seed" \
    "$dir/detect/corpus/seed-2" "$dir/profile/corpus/seed"
  for kind in cg hostile; do
    "$dir/tools/tests/unit/common/make_report" $kind "$dir/report/corpus/$kind"
  done
}

make_seeds
export SCALANA_FUZZ_PROGRAM="$dir/seed" SCALANA_FUZZ_OTHER="$dir/seed-6p"
SCALANA_FUZZ_BUILD_ID=$(readelf -n "$dir/seed" | sed -n 's/.*Build ID: //p')
export SCALANA_FUZZ_BUILD_ID
for fuzzer; do
  echo "== $fuzzer, $seconds s"
  (cd "$dir/$fuzzer" && nice "$dir/fuzzers/tests/fuzz/fuzz_$fuzzer" -max_total_time="$seconds" \
    -timeout=20 -rss_limit_mb=3000 -max_len=40000 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix=found/ corpus)
done
echo "No crash, no hang."
