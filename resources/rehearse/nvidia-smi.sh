#!/bin/sh
# What nvidia-smi says of the simulated GPUs, for scripts that ask it how much memory there is.
# HIGHWATER_SIMULATED_GPU is "name=NVIDIA L4;devices=1;memory=…;…".
value() { printf '%s' "$HIGHWATER_SIMULATED_GPU" | tr ';' '\n' | sed -n "s/^$1=//p"; }
mebibytes() { echo $(($1 / 1048576)); }

query= format= which=
while [ $# -gt 0 ]; do
    case $1 in
    --query-gpu=*) query=${1#*=} ;;
    --format=*) format=${1#*=} ;;
    -i | --id) which=$2; shift ;;
    --id=* | -i=*) which=${1#*=} ;;
    -L | --list-gpus) query=list ;;
    esac
    shift
done
name=$(value name) devices=$(value devices) total=$(mebibytes "$(value memory)") used=$(mebibytes "$(value outside)")
unit=" MiB"
case $format in *nounits*) unit= ;; esac
[ -n "$query" ] || query=index,name,memory.used,memory.total
case $format in *noheader*) ;; *) [ "$query" = list ] || echo "$query" | sed 's/,/, /g' ;; esac

field() {
    case $1 in
    index) echo "$gpu" ;;
    name | gpu_name) echo "$name" ;;
    count) echo "$devices" ;;
    uuid | gpu_uuid) printf 'GPU-00000000-0000-0000-0000-%012d\n' "$gpu" ;;
    memory.total) echo "$total$unit" ;;
    memory.used) echo "$used$unit" ;;
    memory.free) echo "$((total - used))$unit" ;;
    compute_cap) echo "$(value major).$(value minor)" ;;
    driver_version) echo 999.0 ;;
    *) echo "[N/A]" ;;
    esac
}

gpu=0
while [ "$gpu" -lt "$devices" ]; do
    if [ "$query" = list ]; then
        echo "GPU $gpu: $name (UUID: $(field uuid))"
    elif [ -z "$which" ] || [ "$which" = "$gpu" ]; then
        line=
        for one in $(echo "$query" | tr ',' ' '); do line="$line${line:+, }$(field "$one")"; done
        echo "$line"
    fi
    gpu=$((gpu + 1))
done
