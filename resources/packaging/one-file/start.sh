#!/bin/sh
# Starts the program of this name with the libraries that lie beside it, the C library among them: those of the system
# may be older. The loader lies in this folder, since a program finds its own files from the folder of what was started.
self=$(readlink -f "$0")
bin=$(dirname "$self")
name=$(basename "$self")
# Plugins of another Qt do not fit this one.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH
[ -e /etc/fonts/fonts.conf ] || [ -n "${FONTCONFIG_FILE:-}" ] || export FONTCONFIG_FILE="$bin/../share/fonts/fonts.conf"
exec "$bin/ld-linux-x86-64.so.2" --inhibit-cache --argv0 "$name" --library-path "$bin/../lib/highwater" \
    "$bin/../lib/highwater/$name" "$@"
