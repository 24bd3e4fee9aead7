# Compiles files of resources/ into a target, for core/base/embedded_resource.h:
#   highwater_embed_resources(TARGET gpus.json …)        paths relative to resources/
# Run as a script (cmake -P) it writes the source file.
set(HIGHWATER_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
set(HIGHWATER_RESOURCES ${CMAKE_CURRENT_LIST_DIR})

function(highwater_embed_resources target)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_resources.cpp)
  list(TRANSFORM ARGN PREPEND ${HIGHWATER_RESOURCES}/ OUTPUT_VARIABLE files)
  string(REPLACE ";" "|" names "${ARGN}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAMES=${names} -DOUTPUT=${output} -P ${HIGHWATER_EMBED_SCRIPT}
    DEPENDS ${files} ${HIGHWATER_EMBED_SCRIPT}
    COMMENT "Compiling in resources" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

function(highwater_write_embedded names output)
  string(REPLACE "|" ";" names "${names}")
  set(contents "")
  set(table "")
  set(index 0)
  foreach(name IN LISTS names)
    file(READ ${HIGHWATER_RESOURCES}/${name} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND contents "constexpr char kFile${index}[] = {${bytes}'\\0'};\n")
    string(APPEND table "    {\"${name}\", {kFile${index}, sizeof kFile${index} - 1}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${output} "// Written by resources/embed.cmake.
#include \"core/base/embedded_resource.h\"

#include <utility>

namespace highwater {

namespace {

${contents}
constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
${table}};

} // namespace

std::optional<std::string_view> embeddedResource(std::string_view name)
{
    for (const auto& [file, content] : kFiles)
        if (file == name)
            return content;
    return std::nullopt;
}

} // namespace highwater
")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  highwater_write_embedded("${NAMES}" "${OUTPUT}")
endif()
