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

/// The text of a log for reading on screen. For a plain file, only the position of every 128th line is kept,
/// and lines are read when they are shown. Compressed files are decompressed into memory up to a limit. Once
/// opened, the object is immutable and can be used from any thread; the file must not change.
class LogText
{
public:
    static constexpr std::size_t kLongestLineBytes = 8192; ///< a longer line is cut when shown
    static constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{512} << 20;

    /// Opens the file and finds its line ends. Text behind a read error is left out. Fails if nothing can be
    /// read, and with Cancelled. O(bytes).
    static Result<std::shared_ptr<const LogText>> open(
        const std::string& path, ProgressSink* progress, const StopToken& stop);
    ~LogText();
    LogText(const LogText&) = delete;
    LogText& operator=(const LogText&) = delete;

    std::uint64_t lineCount() const { return m_lineCount; }
    /// True if the text was cut off because it exceeds the limit for decompressed text.
    bool isCut() const { return m_isCut; }
    /// Returns at most `count` lines from `first` (0-based) on, without color codes and control characters. A
    /// line that was repainted with carriage returns is reduced to its last piece that is not blank; what
    /// follows the first 32 KiB of such a line may be ignored. O(bytes of these lines and of up to 127 lines
    /// before them).
    std::vector<std::string> lines(std::uint64_t first, std::size_t count) const;

private:
    static constexpr std::uint64_t kLinesPerMark = 128;

    LogText() = default;
    Result<void> index(ByteSource& source, bool keepText, ProgressSink* progress, const StopToken& stop);
    void indexPiece(std::string_view piece);
    /// Reads up to `bytes` bytes from `offset` on.
    std::string read(std::uint64_t offset, std::size_t bytes) const;

    int m_file = -1; ///< an open plain file; -1 for a compressed one
    std::string m_text; ///< decompressed text of a compressed file
    std::vector<std::uint64_t> m_marks; ///< offset of every kLinesPerMark-th line
    std::uint64_t m_lineCount = 0;
    std::uint64_t m_bytes = 0;
    bool m_atLineBegin = true;
    bool m_isCut = false;
};

/// Prepares a line as `LogText::lines` does.
std::string shownLine(std::string_view raw);

} // namespace highwater
