# Sourced by app/run and tests/run: installs what is missing, configures and builds one preset.
# After it `$project` is the project's folder.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Installs the packages of debian-packages.txt that are not there yet; asks for root only then.
install_packages() {
    local wanted missing
    wanted=$(sed 's/#.*//' "$project/resources/packaging/debian-packages.txt" | xargs)
    # shellcheck disable=SC2086  # one word a package
    missing=$(comm -23 <(printf '%s\n' $wanted | sort) \
        <(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p' | sort))
    [ -z "$missing" ] && return
    echo "Installing: $(echo $missing)" >&2
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "sudo is not there: install these packages as root, then run this again" >&2; exit 1; }
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build_preset NAME: configures build/NAME once and brings it up to date. Quiet unless something fails.
build_preset() {
    local log
    log=$(mktemp)
    if ! { [ -f "$project/build/$1/build.ninja" ] || (cd "$project" && cmake --preset "$1") >"$log" 2>&1; }; then
        cat "$log" >&2; exit 1
    fi
    [ -f "$project/build/$1/bin/highwater" ] || echo "Building (some minutes the first time) …" >&2
    if ! (cd "$project" && cmake --build --preset "$1") >"$log" 2>&1; then
        cat "$log" >&2; exit 1
    fi
    rm -f "$log"
}
