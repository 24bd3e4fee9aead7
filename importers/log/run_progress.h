#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/hash.h"
#include "importers/log/failure_groups.h"
#include "importers/log/line_context.h"
#include "importers/log/patterns/pattern_table.h"
#include "importers/log/series/step_tracker.h"

namespace highwater::logs {

/// Watches the log after a failure for lines of work and signs of the end.
class RunProgress
{
public:
    explicit RunProgress(const PatternTable& table)
        : m_table(table)
    {
    }

    void sawFailure(const Writer& writer, std::uint64_t line);
    /// True if work after a failure is still looked for, so that every line must be passed on.
    bool wantsLines() const { return m_watched > 0; }
    void readWork(const LineContext& context);
    /// Reads a line that contains the literal of an end.
    void readEnd(std::size_t pattern, const LineContext& context);

    /// True if the run ended with the failure, false if it went on, nothing if the log does not show.
    /// `starts` is the number of program starts in the file.
    std::optional<bool> isFatal(
        const CollectedMessage& message, const StepTracker& steps, std::size_t starts) const;

private:
    /// A writer after its latest failure.
    struct Watch
    {
        bool isOpen = false;
        std::int64_t first = -1; ///< number in its first line of work; −1 until one is seen
        std::uint64_t workLine = 0; ///< line that showed that work continued; 0 if none did
    };
    bool hasEndAfter(std::uint64_t line) const;

    static std::uint64_t keyOf(const Writer& writer)
    {
        return std::uint64_t{writer.start} << 32 | static_cast<std::uint32_t>(writer.rank.value_or(-1) + 1);
    }

    const PatternTable& m_table;
    NumberMap<std::uint64_t, Watch> m_watches;
    std::size_t m_watched = 0;
    std::uint64_t m_lastFailure = 0;
    std::vector<std::uint64_t> m_ends; ///< line numbers
};

} // namespace highwater::logs
