# Sourced by build-one-file and build-wheel, which carry the same programs: builds them and makes the folder that runs on any
# Linux for x86-64, of what Debian has.

# What is compiled into the programs from headers, so that no library beside them tells of it.
compiled_in=(libcli11-dev libexpected-dev libfmt-dev libxxhash-dev nlohmann-json3-dev robin-map-dev)

# note_package PATH PACKAGE: what the makers of PACKAGE want to be said of it, and where PATH in the folder comes from; "-": it
# is compiled in.
note_package() {
    local name=${2%%:*}
    install -D -m 644 "/usr/share/doc/$name/copyright" "$root/share/doc/libraries/$name"
    dpkg-query -W -f="$1\\t\${Package}\\t\${Version}\\t\${source:Package}\\t\${source:Version}\\n" "$2" >>"$root.origins"
}

# take MODE FILE DESTINATION: copies a file of the system to DESTINATION in the folder.
take() {
    local file owner
    install -D -m "$1" "$2" "$root/$3"
    file=$(realpath "$2")
    # Debian 12 knows a library in /usr/lib by the name that it has in /lib, which is a link.
    owner=$(dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}")
    owner=${owner%%: *}
    note_package "$3" "${owner%%,*}"
}

# make_tree PRESET: installs what is missing, builds, and makes the folder anew. After it $root is the folder, $version the
# version, and $root.origins has a line for each file that comes from Debian: path in the folder, package, version, source
# package and its version.
make_tree() {
    local preset=$1 parts=$project/resources/packaging/one-file program plugin plugins library libraries font text
    install_packages debian deb
    build_preset "$preset" highwater highwater-gui
    cd "$project"
    umask 022
    set_release_date
    version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/\1/p' "build/$preset/CPackConfig.cmake")
    root=$project/build/$preset/one-file
    rm -rf "$root" "$root.origins"
    cmake --install "build/$preset" --prefix "$root" --component window --strip >"$root.log"
    mkdir -p "$root/lib/highwater"
    mv "$root/bin/highwater" "$root/bin/highwater-gui" "$root/lib/highwater"
    for program in highwater highwater-gui; do install -m 755 "$parts/start.sh" "$root/bin/$program"; done

    # Drawing without OpenGL, on an X server or on none; the input of accents and of other scripts.
    plugins=$(/usr/lib/qt6/bin/qtpaths6 --query QT_INSTALL_PLUGINS)
    for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforminputcontexts/libcomposeplatforminputcontextplugin.so \
        platforminputcontexts/libibusplatforminputcontextplugin.so; do
        take 644 "$plugins/$plugin" "lib/qt6/plugins/$plugin"
    done
    printf '[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\n' >"$root/bin/qt.conf"
    for font in DejaVuSans{,-Bold,Mono,Mono-Bold}.ttf; do take 644 "/usr/share/fonts/truetype/dejavu/$font" "share/fonts/$font"; done
    install -m 644 "$parts/fonts.conf" "$root/share/fonts"

    mapfile -t libraries < <(find "$root/lib" -type f -exec ldd {} + | awk '$2 == "=>" {print $3} $1 ~ /^\/.*ld-linux/ {print $1}' | sort -u)
    for library in "${libraries[@]}"; do
        case $library in
        */ld-linux*) take 755 "$library" "bin/$(basename "$library")" ;;
        *.so*) take 644 "$library" "lib/highwater/$(basename "$library")" ;;
        esac
    done
    for library in "${compiled_in[@]}"; do note_package - "$library"; done

    # The licences that are named there by their place on a Debian system.
    for text in $(grep -oh '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' -r "$root/share/doc" | sort -u); do
        install -D -m 644 "$text" "$root/share/doc/libraries/common-licenses/$(basename "$text")"
    done
}
