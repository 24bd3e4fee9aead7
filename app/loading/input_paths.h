#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

struct InputPath
{
    std::string path;
    /// Found in a folder, where files that are not inputs are skipped.
    bool fromFolder = false;

    bool operator==(const InputPath&) const = default;
};

/// Replaces each folder by the files in it, sorted by name, without hidden files and subfolders. Other paths
/// are kept.
std::vector<InputPath> expandInputs(const std::vector<std::string>& paths);

/// True if a path refers to one of these files, also by another spelling, a symbolic link or a hard link. "-"
/// among the files means the file that is standard input.
bool leadsToOneOf(const std::string& path, const std::vector<std::string>& files);
/// The error for an output that would replace an input.
constexpr std::string_view kWouldReplaceInput = "is one of the input files; choose another name";

/// Facts from a file's name, used where its content does not have them: "snapshot_oom_rank-3.pickle",
/// "000003_step_20.pickle", "iteration_5/rank2.pickle", "pp1_rank5.pickle". The file's own name takes
/// precedence over its folder's.
struct NameFacts
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> stage; ///< pipeline stage
};
NameFacts factsFromName(std::string_view path);

} // namespace highwater
