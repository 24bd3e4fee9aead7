#!/usr/bin/env bash
# Records a program with Nsight Systems, device memory included, and exports the report to SQLite.
#
#   record_nsys.sh OUT COMMAND [ARGUMENT...]     writes OUT.nsys-rep and OUT.sqlite
#   record_nsys.sh                               demo: records record_log.py into ./memory.*
#
# --cuda-memory-usage=true is what adds the memory-usage table; without it the report holds kernels and copies only.
# It slows allocations down. PyTorch's caching allocator shows up as its segments, not as single tensors.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-memory}
shift || true
if [ "$#" -eq 0 ]; then
  set -- python3 "$here/record_log.py" 20
fi

if ! command -v nsys >/dev/null; then
  echo "nsys is not on PATH; install NVIDIA Nsight Systems" >&2
  exit 1
fi

nsys profile --trace=cuda,nvtx --cuda-memory-usage=true --cudabacktrace=memory --force-overwrite=true --output="$out" "$@"
nsys export --type=sqlite --ts-normalize=true --force-overwrite=true --output="$out.sqlite" "$out.nsys-rep"
echo "wrote $out.nsys-rep and $out.sqlite"
