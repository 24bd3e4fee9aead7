#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// A file to open.
struct InputPath
{
    std::string path;
    /// Found in a folder, where files that are not inputs are skipped.
    bool fromFolder = false;

    bool operator==(const InputPath&) const = default;
};

/// Replaces each folder by the regular files in it, sorted by name; hidden files and subfolders are left out.
/// Other paths are kept, also those of folders that cannot be listed.
std::vector<InputPath> expandInputs(const std::vector<std::string>& paths);

/// True if a path refers to one of these files, even by another spelling, a symbolic link or a hard link. A
/// file named "-" is standard input.
bool isSameFileAsAny(const std::string& path, const std::vector<std::string>& files);
/// Message of the error for an output that would replace an input.
constexpr std::string_view kWouldReplaceInput = "is one of the input files; choose another name";

/// Facts from the name of a file: "snapshot_oom_rank-3.pickle", "000003_step_20.pickle",
/// "iteration_5/rank2.pickle", "pp1_rank5.pickle". They are used if the content does not state them. The
/// file's own name takes precedence over that of its folder.
struct NameFacts
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> stage; ///< pipeline stage
};
NameFacts factsFromName(std::string_view path);

} // namespace highwater
