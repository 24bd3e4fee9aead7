# What is installed where, by package: `cli` (the command line alone) and `window` (window and command line, so that one
# package is all that is needed). Included by CMakeLists.txt.
include(GNUInstallDirs)

# A package is made of what it names, not of all that the build could make.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(HIGHWATER_COMPONENTS cli)
set(HIGHWATER_PACKAGE_OF_cli highwater-cli)
if(HIGHWATER_BUILD_GUI)
  list(APPEND HIGHWATER_COMPONENTS window)
  set(HIGHWATER_PACKAGE_OF_window highwater)
endif()

# highwater_install(DESTINATION FILE...): files or folders, into every package. "@" in DESTINATION is its name.
function(highwater_install destination)
  foreach(component IN LISTS HIGHWATER_COMPONENTS)
    string(REPLACE "@" ${HIGHWATER_PACKAGE_OF_${component}} folder ${destination})
    foreach(file IN LISTS ARGN)
      if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${file})
        install(DIRECTORY ${CMAKE_SOURCE_DIR}/${file} DESTINATION ${folder} COMPONENT ${component}
          FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
          PATTERN "__pycache__" EXCLUDE PATTERN "make-*" EXCLUDE PATTERN "forms.txt" EXCLUDE)
      else()
        install(FILES ${CMAKE_SOURCE_DIR}/${file} DESTINATION ${folder} COMPONENT ${component})
      endif()
    endforeach()
  endforeach()
endfunction()

# highwater_install_output(DESTINATION COMMAND...): what the command prints, as a file of every package, compressed where
# DESTINATION ends in .gz. The command runs when the packages are made; $<TARGET_FILE:highwater> may be in it.
function(highwater_install_output destination)
  string(JOIN "\" \"" command ${ARGN})
  set(gzip "")
  if(destination MATCHES "[.]gz$")
    set(gzip "COMMAND gzip -9n")
  endif()
  foreach(component IN LISTS HIGHWATER_COMPONENTS)
    string(REPLACE "@" ${HIGHWATER_PACKAGE_OF_${component}} path ${destination})
    get_filename_component(folder ${path} DIRECTORY)
    install(CODE "
      set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
      file(MAKE_DIRECTORY \"\${root}/${folder}\")
      execute_process(COMMAND \"${command}\" ${gzip} OUTPUT_FILE \"\${root}/${path}\" COMMAND_ERROR_IS_FATAL ANY)
      " COMPONENT ${component})
  endforeach()
endfunction()

# highwater_install_written(FOLDER COMMAND...): what the command writes into the folder that is appended to it. Pages of
# the manual are compressed.
function(highwater_install_written destination)
  string(JOIN "\" \"" command ${ARGN})
  foreach(component IN LISTS HIGHWATER_COMPONENTS)
    install(CODE "
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}\")
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"${command}\" \"\${folder}\" COMMAND_ERROR_IS_FATAL ANY)
      file(GLOB pages \"\${folder}/*.1\")
      if(pages)
        execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
      endif()
      " COMPONENT ${component})
  endforeach()
endfunction()

# Symbols are bound when the program starts, and cannot be replaced afterwards.
target_link_options(highwater PRIVATE LINKER:-z,relro,-z,now)
foreach(component IN LISTS HIGHWATER_COMPONENTS)
  install(TARGETS highwater RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
endforeach()
highwater_install(share/doc/@ resources/packaging/debian/copyright resources/manual)
# Where the start page looks for them (app/workspace/document/sample_files.cpp).
highwater_install(share/highwater/samples samples/pytorch-snapshot samples/ranks samples/failures samples/logs
  samples/kineto samples/memory-timeline samples/nsys samples/budget samples/notes)
highwater_install(share/highwater/samples/rehearsed samples/rehearsed/r1-grpo-before.pickle.zst
  samples/rehearsed/r3-vocabulary-before.pickle.zst samples/rehearsed/r3-vocabulary-after.pickle.zst
  samples/rehearsed/r5-flan-t5-xl-kept.pickle.zst)
highwater_install(share/highwater/samples/record samples/record/record_snapshot.py samples/record/record_kineto.py
  samples/record/record_memory_timeline.py samples/record/record_log.py samples/record/tiny_model.py)

if(HIGHWATER_BUILD_GUI)
  target_link_options(highwater-gui PRIVATE LINKER:-z,relro,-z,now)
  install(TARGETS highwater-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
  set(desktop ${CMAKE_SOURCE_DIR}/resources/packaging/desktop)
  install(FILES ${desktop}/org.highwater.highwater.desktop DESTINATION share/applications COMPONENT window)
  install(FILES ${desktop}/org.highwater.highwater.metainfo.xml DESTINATION share/metainfo COMPONENT window)
  install(FILES ${desktop}/highwater.mime.xml DESTINATION share/mime/packages RENAME highwater.xml COMPONENT window)
  set(icons ${CMAKE_SOURCE_DIR}/resources/icons)
  install(FILES ${icons}/highwater.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT window)
  foreach(size 16 24 32 48 64 128 256 512)
    install(FILES ${icons}/highwater-${size}.png DESTINATION share/icons/hicolor/${size}x${size}/apps
      RENAME highwater.png COMPONENT window)
  endforeach()
endif()

# Pages of the manual for the shell and completions, from what the programs say of themselves; of the window in its own
# package alone.
highwater_install_written(share/man/man1 $<TARGET_FILE:highwater> man --force -o)
highwater_install_output(share/bash-completion/completions/highwater $<TARGET_FILE:highwater> completions bash)
highwater_install_output(share/zsh/vendor-completions/_highwater $<TARGET_FILE:highwater> completions zsh)
highwater_install_output(share/fish/vendor_completions.d/highwater.fish $<TARGET_FILE:highwater> completions fish)
if(HIGHWATER_BUILD_GUI)
  set(all ${HIGHWATER_COMPONENTS})
  set(HIGHWATER_COMPONENTS window)
  highwater_install_output(share/man/man1/highwater-gui.1.gz env LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen help2man --no-info
    "--name=where a GPU training run's memory went" $<TARGET_FILE:highwater-gui>)
  set(HIGHWATER_COMPONENTS ${all})
endif()

include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)

highwater_install_output(share/doc/@/samples.md.gz cat ${CMAKE_SOURCE_DIR}/samples/README.md)
highwater_install_output(share/doc/@/changelog.gz cat ${CMAKE_SOURCE_DIR}/resources/CHANGELOG.md)
highwater_install_output(share/doc/@/changelog.Debian.gz cat ${CMAKE_BINARY_DIR}/packaging/changelog)
