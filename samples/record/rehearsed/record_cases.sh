#!/bin/sh
# Records cases.json by record_scenarios.py on a machine that looks neutral: host name "host", scripts and working folders under
# /train, PyTorch and the trainers in /train/.venv. So stacks and logs name no folder of yours. Needs root, for the mounts.
#
# usage: record_cases.sh HIGHWATER VENV OUT_FOLDER [NAME...]     VENV: a virtual environment of /usr/bin/python3
set -eu
highwater=$(realpath "$1") venv=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
here=$(dirname "$(realpath "$0")")
shift 3
mkdir -p /train
export HIGHWATER="$highwater" VENV="$venv" OUT="$out" HERE="$here"
exec unshare --mount --uts sh -euc '
    hostname host
    mount -t tmpfs none /train
    cp "$HERE"/cases/*.py /train/
    mkdir /train/.venv /train/home
    mount --bind "$VENV" /train/.venv
    env -i PATH=/usr/bin:/bin HOME=/train/home USER=train LOGNAME=train LANG=C.UTF-8 TMPDIR=/tmp TRANSFORMERS_OFFLINE=1 HF_DATASETS_OFFLINE=1 \
        python3 "$HERE"/record_scenarios.py --highwater "$HIGHWATER" --python 2.15=/train/.venv/bin/python --cases /train "$OUT" "$@"
' record_cases "$@"
