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

/// Watches what a log shows after a failure: lines of work, or signs of the end.
class RunProgress
{
public:
    explicit RunProgress(const PatternTable& table)
        : m_table(table)
    {
    }

    void sawFailure(const Writer& writer, std::uint64_t line);
    /// Work after a failure is still looked for: every line must be passed on.
    bool wantsLines() const { return m_watched > 0; }
    void readWork(const LineContext& context);
    /// Reads a line with the literal of an end.
    void readEnd(std::size_t pattern, const LineContext& context);

    /// Whether the run ended with the failure; none: nothing tells. `starts`: of the program in the file.
    std::optional<bool> isFatal(
        const CollectedMessage& message, const StepTracker& steps, std::size_t starts) const;

private:
    /// A writer after its latest failure.
    struct Watch
    {
        bool isOpen = false;
        std::int64_t first = -1; ///< number of its first line of work; −1: none yet
        std::uint64_t workLine = 0; ///< where work was seen to go on; 0: nowhere
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
    std::vector<std::uint64_t> m_ends; ///< lines
};

} // namespace highwater::logs
