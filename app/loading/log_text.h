#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// The text of a log for reading on screen: any line of a file of gigabytes in a few milliseconds, without
/// loading it. For a plain file only the position of every 128th line is kept; compressed files are
/// decompressed into memory up to a limit. Immutable and usable from any thread once opened; the file must
/// not change.
class LogText
{
public:
    static constexpr std::size_t kLongestLineBytes = 8192; ///< what is shown of a line; the rest is cut
    static constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{512} << 20;

    /// Finds the line ends. O(bytes).
    static Result<std::shared_ptr<const LogText>> open(
        const std::string& path, ProgressSink* progress, const StopToken& stop);
    ~LogText();
    LogText(const LogText&) = delete;
    LogText& operator=(const LogText&) = delete;

    std::uint64_t lineCount() const { return m_lines; }
    /// Whether the text was cut off because it did not fit into memory.
    bool isCut() const { return m_cut; }
    /// At most `count` lines from `first` (0-based) on, fit to be shown: of what is repainted by carriage
    /// returns the last piece that is not blank, without colour codes and control characters.
    std::vector<std::string> lines(std::uint64_t first, std::size_t count) const;

private:
    static constexpr std::uint64_t kLinesPerMark = 128;

    LogText() = default;
    Result<void> index(ByteSource& source, bool keep, ProgressSink* progress, const StopToken& stop);
    void take(std::string_view piece);
    /// Up to `bytes` bytes from a place on.
    std::string read(std::uint64_t offset, std::size_t bytes) const;

    int m_file = -1; ///< of a plain file
    std::string m_text; ///< of a packed one
    std::vector<std::uint64_t> m_marks; ///< where every kLinesPerMark-th line begins
    std::uint64_t m_lines = 0;
    std::uint64_t m_bytes = 0;
    bool m_atLineBegin = true;
    bool m_cut = false;
};

/// A line as `LogText::lines` gives it.
std::string shownLine(std::string_view raw);

} // namespace highwater
