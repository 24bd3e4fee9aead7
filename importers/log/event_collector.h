#pragma once

#include <string>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/log/failure_groups.h"
#include "importers/log/line_context.h"
#include "importers/log/oom_clauses.h"
#include "importers/log/run_progress.h"
#include "importers/log/series/step_tracker.h"
#include "importers/log/traceback_reader.h"

namespace highwater::logs {

/// Collects out-of-memory messages, including their continuation lines, and other events of a log.
class EventCollector
{
public:
    EventCollector(const PatternTable& table, SeriesStore& series, StepTracker& steps, ClockTracker& clock,
        TimeFinder& times, TracebackReader& tracebacks);

    /// Starts a new line for the following calls of `readHeads` and `readEvent`.
    void beginLine() { m_hasMessage = false; }
    /// True if the current line has a message.
    bool hasMessage() const { return m_hasMessage; }
    /// Reads a line that contains the literal of a head. Every match begins a message. Returns true if the
    /// head matched; false without reading if the line already has a message, is excluded by the head's
    /// `unless`, or continues an open message with a weak head.
    bool readHeads(std::size_t head, const LineContext& context);
    /// Reads a line that contains the literal of another event. A line has at most one message, from the
    /// first entry that matches. Returns true if this entry matched.
    bool readEvent(std::size_t pattern, const LineContext& context);
    /// Reads a line that contains the literal of an end pattern.
    void readEnd(std::size_t pattern, const LineContext& context) { m_progress.readEnd(pattern, context); }

    /// True if a message may continue on the next line.
    bool hasOpenMessage() const { return !m_open.empty(); }
    /// True if every line must be passed to `continueMessages`.
    bool wantsLines() const { return !m_open.empty() || m_progress.wantsLines(); }
    void continueMessages(const LineContext& context);

    /// Remembers the last line with a time, for events without a time of their own.
    void noteTimedLine(std::string_view line) { m_timedLine.assign(line.substr(0, 160)); }

    std::size_t memoryBytes() const { return m_memoryBytes; }
    std::size_t count() const { return m_messages.size() + m_open.size(); }
    /// Returns the number of events that were dropped: warnings after the first 10,000, and events after the
    /// first 1,000,000.
    std::int64_t leftOut() const { return m_leftOut; }
    /// Closes open messages, groups failures, and moves all events to the builder in line order. `starts` is
    /// the number of program starts in the file.
    void moveTo(TraceBuilder& builder, std::size_t starts);

private:
    /// A message that may continue on the next lines of its writer.
    struct OpenMessage
    {
        LogEvent event;
        Writer writer;
        std::vector<std::string> lines; ///< the line with the head and those after it
        std::string textBefore; ///< the part of the first line before the head: the exception's class
    };
    LogEvent eventAt(const LineContext& context, LogEvent::Kind kind, const std::string& pattern);
    /// Begins a message at its head, or stores it if it is complete. `sharesLine` is true if other messages
    /// are in the line.
    void addOom(const OomHead& head, std::string_view text, std::string_view textBefore,
        const LineContext& context, bool sharesLine);
    void finishOpen(OpenMessage& open);
    void store(CollectedMessage message);
    bool isContinuation(const LineContext& context) const;
    void addDetail(const EventPattern& pattern, const LogEvent& detail, std::uint64_t line);
    void takeFigures(const EventPattern& pattern, const re2::StringPiece* groups, LogEvent& event) const;

    const PatternTable& m_table;
    SeriesStore& m_series;
    StepTracker& m_steps;
    ClockTracker& m_clock;
    TimeFinder& m_times;
    TracebackReader& m_tracebacks;
    OomClauses m_clauses;
    RunProgress m_progress;
    std::vector<OpenMessage> m_open;
    std::vector<CollectedMessage> m_messages;
    bool m_hasMessage = false; ///< for the current line
    std::string m_timedLine;
    std::size_t m_memoryBytes = 0;
    std::int64_t m_leftOut = 0;
    std::int64_t m_warningCount = 0;
};

} // namespace highwater::logs
