#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

/// The source line of a frame and its neighbours, read from the recording or from this machine. Nothing is
/// executed, and only regular files of limited size are read.
namespace highwater {

inline constexpr std::size_t kMaxSourceBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxLineCharacters = 400;

/// Some consecutive lines of a source file, without their common indentation. Tabs are four blanks; longer
/// lines than kMaxLineCharacters are cut and end with "…".
struct SourceLines
{
    std::int32_t first = 1; ///< number of the first line, from 1
    std::vector<std::string> texts;

    bool operator==(const SourceLines&) const = default;
};

/// Returns the line and up to `neighbours` lines before and after it; nullopt if the text has no such line.
/// O(bytes up to the last of them).
std::optional<SourceLines> sourceLines(std::string_view text, std::int32_t line, std::int32_t neighbours = 2);

/// The source line of a frame, as far as it was found.
struct SourceAnswer
{
    std::string recordedPath; ///< as in the frame
    std::int32_t line = 0; ///< 0 if unknown
    std::string path; ///< the file on this machine; empty if it was not found
    bool isRecorded = false; ///< the lines are from the recording
    std::optional<SourceLines> lines;
    std::string problem; ///< one sentence without full stop if there are no lines
    bool needsFolder = false; ///< the file may be found if the user names the right folder
};

/// Looks for the source line of a frame: in the recording, at the recorded path, then in `folder` (empty if
/// the user has named none). Reads files, so it may take long.
SourceAnswer findSource(const Trace& trace, FrameId frame, const std::string& folder);

} // namespace highwater
