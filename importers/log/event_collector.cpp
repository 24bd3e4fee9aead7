#include "importers/log/event_collector.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongestMessage = 4000; ///< bytes kept per message
constexpr std::size_t kMaxContinuations = 10; ///< lines after the one with the head
constexpr std::size_t kMaxOpen = 256;
constexpr std::int64_t kMaxWarnings = 10'000; ///< limit, because every step may write a warning
constexpr std::size_t kMaxEvents = 1'000'000;
constexpr int kMaxHeadsOfALine = 100;
constexpr std::uint64_t kMaxLinesToDetail = 60; ///< most lines between a message and its detail

/// True if a message cannot continue past this line.
bool endsMessage(std::string_view text)
{
    text = trimmed(text);
    return text.empty() || text.starts_with("File \"") || text.starts_with("Traceback ");
}

/// Joins the first `count` lines, trimmed unless the separator is empty.
std::string joined(const std::vector<std::string>& lines, std::size_t count, std::string_view separator)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0)
            text += separator;
        text += separator.empty() ? std::string_view(lines[i]) : trimmed(lines[i]);
    }
    return text;
}

} // namespace

EventCollector::EventCollector(const PatternTable& table, SeriesStore& series, StepTracker& steps,
    ClockTracker& clock, TimeFinder& times, TracebackReader& tracebacks)
    : m_table(table)
    , m_series(series)
    , m_steps(steps)
    , m_clock(clock)
    , m_times(times)
    , m_tracebacks(tracebacks)
    , m_clauses(table)
    , m_progress(table)
{
}

LogEvent EventCollector::eventAt(const LineContext& context, LogEvent::Kind kind, const std::string& pattern)
{
    LogEvent event;
    event.kind = kind;
    event.line = context.line;
    event.rank = context.writer.rank;
    event.process = m_series.processName(context.writer.process);
    event.pattern = pattern;
    std::optional<LineTime> time = m_times.find(context.whole);
    event.timeInferred = !time;
    if (!time)
        time = m_times.find(m_timedLine);
    if (time)
        event.time = m_clock.accept(*time);
    const auto [step, source] = m_steps.find(context.writer);
    if (step != CounterSeries::kNoStep) {
        event.step = step + 1;
        event.stepInferred = true;
    }
    return event;
}

bool EventCollector::readHeads(std::size_t index, const LineContext& context)
{
    const OomHead& head = m_table.ooms[index];
    const std::string_view text = context.text;
    if (m_hasMessage || (head.isWeak && isContinuation(context))
        || (head.unless && re2::RE2::PartialMatch(piece(text), *head.unless)))
        return false;
    std::vector<std::size_t> begins;
    re2::StringPiece groups[1];
    for (std::size_t next = 0; static_cast<int>(begins.size()) < kMaxHeadsOfALine
         && head.regex->Match(piece(text), next, text.size(), re2::RE2::UNANCHORED, groups, 1);) {
        begins.push_back(static_cast<std::size_t>(groups[0].data() - text.data()));
        next = begins.back() + std::max(groups[0].size(), std::size_t{1});
    }
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : text.size();
        const std::string_view textBefore = i == 0 ? text.substr(0, begins[0]) : std::string_view();
        addOom(head, text.substr(begins[i], end - begins[i]), textBefore, context, begins.size() > 1);
    }
    m_hasMessage = !begins.empty();
    return m_hasMessage;
}

/// True if a message of the same rank is open, or any message if the line names no rank.
bool EventCollector::isContinuation(const LineContext& context) const
{
    return std::ranges::any_of(m_open, [&](const OpenMessage& open) {
        return open.event.rank == context.writer.rank || !context.writer.rank;
    });
}

void EventCollector::addOom(const OomHead& head, std::string_view text, std::string_view textBefore,
    const LineContext& context, bool sharesLine)
{
    OpenMessage open{eventAt(context, LogEvent::Kind::Oom, head.id), context.writer, {std::string(text)},
        std::string(trimmed(textBefore.size() > kLongestMessage ? std::string_view() : textBefore))};
    open.event.subject = LogEvent::Subject::Device;
    open.event.speaker = head.speaker;
    if (head.isCaught)
        open.event.fatal = false;
    open.event.figures.emplace();
    open.event.figures->wording = head.id;
    open.event.figures->backend = head.backend;
    const auto backend = head.regex->NamedCapturingGroups().find("backend");
    re2::StringPiece groups[kMaxGroups];
    if (backend != head.regex->NamedCapturingGroups().end()
        && head.regex->Match(
            piece(text), 0, text.size(), re2::RE2::ANCHOR_START, groups, backend->second + 1))
        open.event.figures->backend = std::string(view(groups[backend->second]));
    Traceback traceback = m_tracebacks.take(context);
    open.event.frames = std::move(traceback.frames);
    open.event.lowTrust = traceback.lowTrust || sharesLine;
    if (!open.event.rank && traceback.summaryRank) {
        open.event.rank = traceback.summaryRank;
        open.writer.rank = traceback.summaryRank;
    }
    OomFigures figures = *open.event.figures;
    m_clauses.read(text, figures);
    if (OomClauses::isComplete(figures) || m_open.size() >= kMaxOpen) {
        finishOpen(open);
        return;
    }
    m_open.push_back(std::move(open));
}

void EventCollector::continueMessages(const LineContext& context)
{
    if (m_progress.wantsLines())
        m_progress.readWork(context);
    for (OpenMessage& open : m_open) {
        const bool sameWriter = open.event.rank == context.writer.rank
            || !context.writer.rank; // lines of a launcher's summary have no prefix with the rank
        if (!sameWriter || open.event.line == context.line)
            continue;
        const bool ends = endsMessage(context.text);
        if (!ends)
            open.lines.emplace_back(context.text.substr(0, kLongestMessage));
        if (ends || open.lines.size() > kMaxContinuations) {
            finishOpen(open);
            open.lines.clear();
        }
    }
    std::erase_if(m_open, [](const OpenMessage& open) { return open.lines.empty(); });
}

/// Keeps the following lines up to the last one that adds figures. Joins lines with and without a blank,
/// because a terminal may have broken a line within a word.
void EventCollector::finishOpen(OpenMessage& open)
{
    OomFigures bestFigures = *open.event.figures;
    std::size_t bestLineCount = 1;
    int mostClauses = m_clauses.read(open.lines.front(), bestFigures);
    for (std::size_t count = 2; count <= open.lines.size() && !OomClauses::isComplete(bestFigures); ++count) {
        for (const std::string_view separator : {" ", ""}) {
            OomFigures figures = *open.event.figures;
            const int found = m_clauses.read(joined(open.lines, count, separator), figures);
            if (found > mostClauses) {
                mostClauses = found;
                bestFigures = figures;
                bestLineCount = count;
            }
        }
    }
    if (bestFigures.deviceKind == "CPU") { // TensorFlow names the CPU in the same way as a GPU
        open.event.kind = LogEvent::Kind::HostOom;
        open.event.subject = LogEvent::Subject::Host;
        bestFigures.device.reset();
    }
    open.event.figures = bestFigures;
    std::string content = joined(open.lines, bestLineCount, "\n");
    content.resize(std::min(content.size(), kLongestMessage));
    open.event.text = open.textBefore.empty() ? content : open.textBefore + " " + content;
    store({std::move(open.event), open.writer, std::move(content)});
}

void EventCollector::store(CollectedMessage message)
{
    if (m_messages.size() >= kMaxEvents) {
        ++m_leftOut;
        return;
    }
    LogEvent& event = message.event;
    event.text.resize(std::min(event.text.size(), kLongestMessage));
    event.text.shrink_to_fit();
    if (event.kind != LogEvent::Kind::Warning)
        m_progress.noteFailure(message.writer, event.line);
    m_memoryBytes += event.memoryBytes() + message.content.size() + sizeof(CollectedMessage);
    m_messages.push_back(std::move(message));
}

/// Reads the figures, subject and rank that the line states.
void EventCollector::takeFigures(
    const EventPattern& pattern, const re2::StringPiece* groups, LogEvent& event) const
{
    OomFigures figures;
    figures.backend = pattern.backend;
    figures.deviceKind = pattern.deviceKind;
    OomClauses::takeGroups(*pattern.regex, groups, true, pattern.amountUnit, figures);
    event.subjectId = trimmed(namedGroupText(*pattern.regex, groups, "who"));
    if (!event.rank)
        event.rank = parseWhole(trimmed(namedGroupText(*pattern.regex, groups, "rank")));
    const bool hasFigure = figures.device || !figures.backend.empty() || figures.requested || figures.free
        || figures.capacity || figures.processUsed || figures.allowed;
    if (!hasFigure)
        return;
    figures.wording = pattern.id;
    event.figures = std::move(figures);
}

/// Adds the figures of a detail line to the last message of the same speaker, if that is at most 60 lines
/// back.
void EventCollector::addDetail(const EventPattern& pattern, const LogEvent& detail, std::uint64_t line)
{
    const auto message = std::find_if(m_messages.rbegin(), m_messages.rend(),
        [&](const CollectedMessage& each) { return each.event.speaker == pattern.speaker; });
    if (message == m_messages.rend() || line - message->event.line > kMaxLinesToDetail)
        return;
    addMissingFigures(detail, message->event);
}

bool EventCollector::readEvent(std::size_t index, const LineContext& context)
{
    const EventPattern& pattern = m_table.events[index];
    const std::string_view text = context.text;
    re2::StringPiece groups[kMaxGroups];
    if (m_hasMessage
        || !pattern.regex->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups,
            pattern.regex->NumberOfCapturingGroups() + 1)
        || (pattern.unless && re2::RE2::PartialMatch(piece(text), *pattern.unless))
        || (m_table.sourceLine && re2::RE2::PartialMatch(piece(text), *m_table.sourceLine)))
        return false;
    if (pattern.isDetail) {
        LogEvent detail;
        takeFigures(pattern, groups, detail);
        addDetail(pattern, detail, context.line);
        m_hasMessage = true;
        return true;
    }
    m_hasMessage = true;
    if (pattern.kind == LogEvent::Kind::Warning && ++m_warningCount > kMaxWarnings) {
        ++m_leftOut;
        return true;
    }
    LogEvent event = eventAt(context, pattern.kind, pattern.id);
    event.subject = pattern.subject;
    event.speaker = pattern.speaker;
    event.text = trimmed(text).substr(0, kLongestMessage);
    takeFigures(pattern, groups, event);
    Writer writer = context.writer;
    if (pattern.kind != LogEvent::Kind::Warning && !pattern.endsRun) {
        Traceback traceback = m_tracebacks.take(context);
        event.frames = std::move(traceback.frames);
        if (!event.rank && traceback.summaryRank)
            event.rank = writer.rank = traceback.summaryRank;
    }
    store({std::move(event), writer, {}, pattern.endsRun});
    return true;
}

void EventCollector::moveTo(TraceBuilder& builder, std::size_t starts)
{
    for (OpenMessage& open : m_open)
        finishOpen(open);
    m_open.clear();
    std::ranges::stable_sort(
        m_messages, {}, [](const CollectedMessage& message) { return message.event.line; });
    groupFailures(m_messages);
    for (CollectedMessage& message : m_messages)
        if (message.event.kind != LogEvent::Kind::Warning && !message.event.fatal)
            message.event.fatal = m_progress.isFatal(message, m_steps, starts);
    unifyOutcomes(m_messages);
    for (CollectedMessage& message : m_messages) {
        builder.addLogEvent(std::move(message.event));
    }
    m_messages.clear();
}

} // namespace highwater::logs
