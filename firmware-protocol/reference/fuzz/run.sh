#!/bin/sh
# npm run fuzz:firmware -- SECONDS: each fuzzer for so long (600 by default), one after the other. Needs clang and libclang-rt-14-dev
# (apt-get install --no-install-recommends clang libclang-rt-14-dev). What it finds new stays in node_modules/.cache/sicbo-fuzz; a finding
# ends the run with an error and leaves its input there. To keep what a run found: ./fuzz-shaker -set_cover_merge=1 NEW-FOLDER shaker corpus/shaker.
set -e
seconds=${1:-600}
here=$(cd "$(dirname "$0")" && pwd)
work=$here/../../../node_modules/.cache/sicbo-fuzz
mkdir -p "$work/request" "$work/shaker"
make -s -C "$here/.." BUILD="$work" fuzz
cd "$work"
./fuzz-request -max_total_time="$seconds" -max_len=400 -dict="$here/request.dict" -print_final_stats=1 -verbosity=0 request "$here/corpus/request"
./fuzz-shaker -max_total_time="$seconds" -max_len=600 -print_final_stats=1 -verbosity=0 shaker "$here/corpus/shaker"
echo "No finding in $seconds s each."
