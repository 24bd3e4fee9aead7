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
    /// Found in a folder: files that are not inputs are skipped there.
    bool fromFolder = false;

    bool operator==(const InputPath&) const = default;
};

/// Replaces a directory by the files in it, by name; hidden files and folders are left out. Other paths are
/// kept.
std::vector<InputPath> expandInputs(const std::vector<std::string>& paths);

/// Whether a path refers to one of these files by any name: another spelling, a symbolic or a hard link. "-"
/// among the files is the file behind standard input.
bool leadsToOneOf(const std::string& path, const std::vector<std::string>& files);
/// The error for such an output.
constexpr std::string_view kWouldReplaceInput = "is one of the files that are read: choose another name";

/// What a file's name tells where its content does not: "snapshot_oom_rank-3.pickle",
/// "000003_step_20.pickle", "iteration_5/rank2.pickle", "pp1_rank5.pickle". The file's own name counts before
/// its folder's.
struct NameFacts
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> stage; ///< of a pipeline
};
NameFacts factsFromName(std::string_view path);

} // namespace highwater
