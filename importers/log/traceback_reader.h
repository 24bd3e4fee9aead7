#pragma once

#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/string_pool.h"
#include "importers/log/line_context.h"
#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// The frames printed before an exception's text.
struct Traceback
{
    std::vector<LogFrame> frames; ///< innermost last
    bool lowTrust = false; ///< true if lines of another traceback are mixed in
    std::optional<std::int64_t> summaryRank; ///< from a launcher's summary
};

/// Collects tracebacks separately for each writer, because the lines of several ranks interleave.
class TracebackReader
{
public:
    TracebackReader(const PatternTable& table, StringPool& strings);

    /// True if a traceback is open, so that every line must be passed to `read`.
    bool wantsLines() const { return m_openCount > 0; }
    /// Reads the beginning of a traceback, or the next line of its writer's open one.
    void read(const LineContext& context);
    /// Reads a line of a launcher's summary that names the rank of the following failure.
    void readSummaryRank(std::string_view text);

    /// Returns and closes the writer's open traceback; empty if there is none.
    Traceback take(const LineContext& context);

private:
    struct Collector
    {
        Traceback found;
        std::size_t indent = 0; ///< indentation of the lines that name a file
        bool wantsSource = false;
        bool inException = false;
        bool isChained = false; ///< a sentence announced that the next traceback was caused by this one
        int linesOfException = 0;
        std::uint64_t lastFrameLine = 0;
        bool isOpen = false;
    };

    bool isTracebackStart(std::string_view text) const;
    void open(Collector& collector);
    void close(Collector& collector);
    bool readFrame(Collector& collector, std::string_view text, std::uint64_t line);
    void readBetweenFrames(Collector& collector, std::string_view text);
    void readException(Collector& collector, const LineContext& context);

    const TracebackForms& m_forms;
    StringPool& m_strings;
    NumberMap<std::uint64_t, Collector> m_collectors;
    std::size_t m_openCount = 0; ///< number of open tracebacks
    std::optional<std::int64_t> m_summaryRank;
};

} // namespace highwater::logs
