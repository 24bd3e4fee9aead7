# Sourced by app/run, tests/run, tests/bench/run and .ci/run: installs what is missing, configures and builds.
# After it `$project` is the project's folder.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# install_packages LIST...: installs the packages of LIST-packages.txt that are not there yet; asks for root
# only then. Without an argument: those that building, running and testing need.
install_packages() {
    local wanted='' missing list
    for list in "${@:-debian}"; do
        wanted+=" $(sed 's/#.*//' "$project/resources/packaging/$list-packages.txt" | xargs)"
    done
    # shellcheck disable=SC2086  # one word a package
    missing=$(comm -23 <(printf '%s\n' $wanted | sort) \
        <(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p' | sort))
    [ -z "$missing" ] && return
    # shellcheck disable=SC2086
    echo "Installing $(wc -w <<<"$missing") packages: $(echo $missing)" >&2
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "sudo is not there: install these packages as root, then run this again" >&2; exit 1; }
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# Passes ninja's output on to the file $1 and shows how far it is: on one line of a terminal, else a line every
# ten seconds.
show_progress() {
    local line shown=$SECONDS
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        [[ $line == \[*/*\]* ]] || continue
        if [ -t 2 ]; then
            printf '\r\033[K%.*s' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line" >&2
        elif [ $((SECONDS - shown)) -ge 10 ]; then
            printf '%s\n' "$line" >&2
            shown=$SECONDS
        fi
    done
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# build_preset NAME [TARGET...]: configures build/NAME once and brings the targets, or all, up to date. Says
# nothing where nothing is to be built, and shows what the compiler said where it fails.
build_preset() {
    local log preset=$1 targets=("${@:2}")
    log=$(mktemp)
    if ! { [ -f "$project/build/$preset/build.ninja" ] || (cd "$project" && cmake --preset "$preset") >"$log" 2>&1; }; then
        cat "$log" >&2; exit 1
    fi
    [ -f "$project/build/$preset/bin/highwater" ] || echo "Building (some minutes the first time) …" >&2
    : >"$log"
    if ! (cd "$project" && cmake --build --preset "$preset" ${targets:+--target "${targets[@]}"} 2>&1) | show_progress "$log"; then
        sed -n '/^FAILED\|^ninja: error\|rror:/,$p' "$log" >&2; exit 1
    fi
    rm -f "$log"
}

# set_release_date: all that is packed has the date of the release, whenever and wherever it is built.
set_release_date() {
    local released
    released=$(sed -n 's/^ -- .*  //p' "$project/resources/packaging/debian/changelog.in")
    # An empty date would be that of today.
    [ -n "$released" ] || { echo "resources/packaging/debian/changelog.in has no date" >&2; exit 1; }
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -d "$released" +%s)}
    export SOURCE_DATE_EPOCH
}
