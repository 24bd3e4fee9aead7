#!/bin/sh
# Highwater @VERSION@ for Linux on x86-64 in one file, with every library that it needs. It unpacks itself once into the
# cache folder of the user, which may be deleted at any time, and starts from there.
set -eu
unpacked=@VERSION@-@ID@
file=$(readlink -f "$0")

unpack() {
    mkdir -p "$1" && tail -n +@LINES@ "$file" | tar -xzf - -C "$1"
}

fail() {
    echo "highwater: $1" >&2
    exit 3
}

program=highwater-gui
[ "$(basename "$0")" != highwater ] || program=highwater
case ${1:-} in
--command)
    program=highwater
    shift
    ;;
--unpack)
    [ $# = 2 ] || fail "--unpack needs a folder: $0 --unpack FOLDER"
    unpack "$2" || fail "cannot unpack into $2"
    echo "The programs are $2/bin/highwater and $2/bin/highwater-gui"
    exit
    ;;
--help | -h)
    echo "$(basename "$0") [FILE...]            opens the window"
    echo "$(basename "$0") --command COMMAND... is the command line: --command findings FILE; a link that is called"
    echo "    \"highwater\" is that, too"
    echo "$(basename "$0") --unpack FOLDER      unpacks the programs into FOLDER, for all users of a machine"
    echo
    ;;
esac

cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/highwater/program
if [ ! -x "$cache/$unpacked/bin/$program" ]; then
    if mkdir -p "$cache" 2>/dev/null && new=$(mktemp -d "$cache/new.XXXXXX" 2>/dev/null); then
        trap 'rm -rf "$new"' EXIT
        trap 'exit 130' INT TERM HUP
        [ ! -t 2 ] || echo "Unpacking Highwater into $cache, once ..." >&2
        unpack "$new" || fail "cannot unpack into $cache: is the disk full?"
        # Another start may have been quicker: then this one is thrown away.
        mv -T "$new" "$cache/$unpacked" 2>/dev/null || [ -x "$cache/$unpacked/bin/$program" ] \
            || fail "cannot write $cache/$unpacked"
        rm -rf "$new"
        trap - EXIT INT TERM HUP
    else
        new=$(mktemp -d) || fail "there is neither a cache folder nor one for temporary files to unpack into"
        trap 'rm -rf "$new"' EXIT
        trap : INT TERM HUP
        unpack "$new" || fail "cannot unpack into $new: is the disk full?"
        code=0
        "$new/bin/$program" "$@" || code=$?
        exit "$code"
    fi
fi
exec "$cache/$unpacked/bin/$program" "$@"
