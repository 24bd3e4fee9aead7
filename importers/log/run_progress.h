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

/// Watches the log after a failure for lines of work and for signs that the program ended (run_progress.cpp
/// has an example).
class RunProgress
{
public:
    explicit RunProgress(const PatternTable& table)
        : m_table(table)
    {
    }

    /// Starts to watch the writer's lines. Call it in the order of lines.
    void noteFailure(const Writer& writer, std::uint64_t line);
    /// True if work after a failure is still looked for, so that every line must be passed on.
    bool wantsLines() const { return m_openCount > 0; }
    /// Reads a line, which shows that its writer works on if its number is higher than an earlier one since
    /// the failure.
    void readWork(const LineContext& context);
    /// Reads a line that contains the fixed text of end pattern `pattern`; remembers it if the whole pattern
    /// matches.
    void readEnd(std::size_t pattern, const LineContext& context);

    /// True if the run ended with the failure, false if it went on, nullopt if the log does not show.
    /// `starts` is the number of program starts in the file.
    std::optional<bool> isFatal(
        const CollectedMessage& message, const StepTracker& steps, std::size_t starts) const;

private:
    /// A writer after its latest failure.
    struct Watch
    {
        bool isOpen = false;
        std::int64_t lowest = -1; ///< lowest number in its lines of work so far; −1 until one is seen
        /// The last line that showed that work continued, after this failure or an earlier one; 0 if none
        /// did.
        std::uint64_t workLine = 0;
    };
    /// True if an end pattern matched this line or one of the 1,000 lines after it.
    bool hasEndAfter(std::uint64_t line) const;

    static std::uint64_t keyOf(const Writer& writer)
    {
        return std::uint64_t{writer.start} << 32 | static_cast<std::uint32_t>(writer.rank.value_or(-1) + 1);
    }

    const PatternTable& m_table;
    NumberMap<std::uint64_t, Watch> m_watches;
    std::size_t m_openCount = 0; ///< number of open watches
    std::uint64_t m_lastFailure = 0;
    std::vector<std::uint64_t> m_ends; ///< line numbers
};

} // namespace highwater::logs
