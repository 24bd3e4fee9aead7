# The Debian packages, made by CPack: `resources/packaging/build-debs`.
# Those whom resources/packaging/debian/copyright names; there is no address to write to.
set(HIGHWATER_MAINTAINER "The Highwater authors <authors@highwater.invalid>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME highwater)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "where a GPU training run's memory went, and whether the fix worked")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${HIGHWATER_MAINTAINER})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# A release of Debian has libraries of its own, and so packages of its own: 1.0.0-1+deb12.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release release REGEX "^(ID|VERSION_ID)=")
  if(release MATCHES "^ID=debian" OR release MATCHES ";ID=debian")
    string(REGEX MATCH "VERSION_ID=\"?([0-9]+)" ignored "${release}")
    string(APPEND CPACK_DEBIAN_PACKAGE_RELEASE "+deb${CMAKE_MATCH_1}")
  endif()
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${HIGHWATER_COMPONENTS})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(what "Highwater opens what a training run left behind, PyTorch memory snapshots,
profiler traces, Nsight Systems exports and logs, and shows how high the
peak was, in which step, and what held it, exact to the byte. It finds
growth, fragmentation and copies that nobody wanted, compares two runs,
computes what a run should need, and writes reports.")

set(CPACK_DEBIAN_CLI_PACKAGE_NAME highwater-cli)
set(CPACK_COMPONENT_CLI_DESCRIPTION "${what}
.
This package has the command line alone, for servers and CI.")
set(CPACK_DEBIAN_CLI_PACKAGE_CONFLICTS highwater)
set(CPACK_DEBIAN_CLI_PACKAGE_REPLACES highwater)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS python3)

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME highwater)
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "${what}
.
This package has the window and the command line.")
# Loaded when the window starts, and so unknown to dpkg-shlibdeps: what draws on an X server.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS qt6-qpa-plugins)
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS qt6-wayland)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS python3)
set(CPACK_DEBIAN_WINDOW_PACKAGE_CONFLICTS highwater-cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_REPLACES highwater-cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_PROVIDES "highwater-cli (= ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${CMAKE_BINARY_DIR}/packaging/changelog @ONLY)
include(CPack)
