#include "importers/log/event_collector.h"

#include <algorithm>
#include <map>

#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongestMessage = 4000; ///< bytes that are kept of one
constexpr std::size_t kMostContinuations = 6; ///< lines behind the one with the head
constexpr std::size_t kMostOpen = 256;
constexpr std::int64_t kMostWarnings = 10'000; ///< such lines may come with every step
constexpr std::size_t kMostEvents = 1'000'000;
constexpr int kMostHeadsOfALine = 100;
/// Launchers repeat a message within that many lines; the same text later is another failure.
constexpr std::uint64_t kMostLinesBetweenCopies = 20'000;

/// Lines that no message goes on over.
bool endsMessage(std::string_view text)
{
    text = trimmed(text);
    return text.empty() || text.starts_with("File \"") || text.starts_with("Traceback ");
}

std::string joined(const std::vector<std::string>& lines, std::size_t count, std::string_view between)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0)
            text += between;
        text += between.empty() ? std::string_view(lines[i]) : trimmed(lines[i]);
    }
    return text;
}

} // namespace

EventCollector::EventCollector(const PatternTable& table, SeriesStore& series, StepTracker& steps,
    ClockTracker& clock, LogTimes& times, TracebackReader& tracebacks)
    : m_table(table)
    , m_series(series)
    , m_steps(steps)
    , m_clock(clock)
    , m_times(times)
    , m_tracebacks(tracebacks)
    , m_clauses(table)
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
    std::vector<std::size_t> begins;
    re2::StringPiece groups[1];
    for (std::size_t from = 0; static_cast<int>(begins.size()) < kMostHeadsOfALine
         && head.regex->Match(piece(text), from, text.size(), re2::RE2::UNANCHORED, groups, 1);) {
        begins.push_back(static_cast<std::size_t>(groups[0].data() - text.data()));
        from = begins.back() + std::max(groups[0].size(), std::size_t{1});
    }
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : text.size();
        const std::string_view before = i == 0 ? text.substr(0, begins[0]) : std::string_view();
        addOom(head, text.substr(begins[i], end - begins[i]), before, context, begins.size() > 1);
    }
    return !begins.empty();
}

void EventCollector::addOom(const OomHead& head, std::string_view text, std::string_view before,
    const LineContext& context, bool shared)
{
    Open open{eventAt(context, LogEvent::Kind::Oom, head.id), context.writer, {std::string(text)},
        std::string(trimmed(before.size() > kLongestMessage ? std::string_view() : before))};
    open.event.figures.emplace();
    open.event.figures->wording = head.id;
    const auto backend = head.regex->NamedCapturingGroups().find("backend");
    re2::StringPiece groups[kMostGroups];
    if (backend != head.regex->NamedCapturingGroups().end()
        && head.regex->Match(
            piece(text), 0, text.size(), re2::RE2::ANCHOR_START, groups, backend->second + 1))
        open.event.figures->backend = std::string(view(groups[backend->second]));
    Traceback traceback = m_tracebacks.take(context);
    open.event.frames = std::move(traceback.frames);
    open.event.lowTrust = traceback.lowTrust || shared;
    if (!open.event.rank && traceback.summaryRank) {
        open.event.rank = traceback.summaryRank;
        open.writer.rank = traceback.summaryRank;
    }
    OomFigures figures = *open.event.figures;
    m_clauses.read(text, figures);
    if (OomClauses::isComplete(figures) || m_open.size() >= kMostOpen) {
        finishOpen(open);
        return;
    }
    m_open.push_back(std::move(open));
}

void EventCollector::continueMessages(const LineContext& context)
{
    for (Open& open : m_open) {
        const bool sameWriter = open.event.rank == context.writer.rank
            || !context.writer.rank; // a summary's rank is not in a prefix
        if (!sameWriter || open.event.line == context.line)
            continue;
        const bool ends = endsMessage(context.text);
        if (!ends)
            open.lines.emplace_back(context.text.substr(0, kLongestMessage));
        if (ends || open.lines.size() > kMostContinuations) {
            finishOpen(open);
            open.lines.clear();
        }
    }
    std::erase_if(m_open, [](const Open& open) { return open.lines.empty(); });
}

/// Keeps as many lines as add statements, and joins them with and without a blank: terminals cut words.
void EventCollector::finishOpen(Open& open)
{
    OomFigures best = *open.event.figures;
    std::size_t bestLines = 1;
    int most = m_clauses.read(open.lines.front(), best);
    for (std::size_t count = 2; count <= open.lines.size() && !OomClauses::isComplete(best); ++count) {
        for (const std::string_view between : {" ", ""}) {
            OomFigures figures = *open.event.figures;
            const int found = m_clauses.read(joined(open.lines, count, between), figures);
            if (found > most) {
                most = found;
                best = figures;
                bestLines = count;
            }
        }
    }
    open.event.figures = best;
    std::string content = joined(open.lines, bestLines, "\n");
    content.resize(std::min(content.size(), kLongestMessage));
    open.event.text = open.before.empty() ? content : open.before + " " + content;
    store(std::move(open.event), open.writer, std::move(content));
}

void EventCollector::store(LogEvent event, const Writer& writer, std::string content)
{
    if (m_messages.size() >= kMostEvents) {
        ++m_leftOut;
        return;
    }
    event.text.resize(std::min(event.text.size(), kLongestMessage));
    event.text.shrink_to_fit();
    m_memoryBytes += event.memoryBytes() + content.size() + sizeof(Message);
    m_messages.push_back({std::move(event), writer, std::move(content)});
}

bool EventCollector::readEvent(std::size_t index, const LineContext& context)
{
    const EventPattern& pattern = m_table.events[index];
    if (!re2::RE2::PartialMatch(piece(context.text), *pattern.regex))
        return false;
    if (pattern.kind == LogEvent::Kind::Warning && ++m_warnings > kMostWarnings) {
        ++m_leftOut;
        return true;
    }
    LogEvent event = eventAt(context, pattern.kind, pattern.id);
    event.text = trimmed(context.text).substr(0, kLongestMessage);
    if (pattern.kind == LogEvent::Kind::DriverOom)
        event.frames = m_tracebacks.take(context).frames;
    store(std::move(event), context.writer, {});
    return true;
}

/// Copies of one message, re-raised or in a launcher's summary, share the number of a failure.
void EventCollector::groupFailures()
{
    struct Last
    {
        std::int64_t failure;
        std::uint64_t line;
        std::optional<std::int64_t> rank;
        std::int64_t step;
        std::uint32_t start;
    };
    std::map<std::string_view, std::vector<Last>> byContent;
    std::int64_t failures = 0;
    for (Message& message : m_messages) {
        if (message.event.kind != LogEvent::Kind::Oom)
            continue;
        std::vector<Last>& known = byContent[message.content];
        const auto copy = std::ranges::find_if(known, [&](const Last& last) {
            return (!last.rank || !message.event.rank || last.rank == message.event.rank)
                && last.step == message.event.step && last.start == message.writer.start
                && message.event.line - last.line < kMostLinesBetweenCopies;
        });
        if (copy != known.end()) {
            copy->line = message.event.line;
            message.event.failure = copy->failure;
            continue;
        }
        message.event.failure = failures;
        if (known.size() >= 64) // only the latest can have copies
            known.erase(known.begin());
        known.push_back(
            {failures++, message.event.line, message.event.rank, message.event.step, message.writer.start});
    }
}

/// The run went on where its writer comes to a step beyond the one that failed: what a program writes when it
/// ends is of a step that was there before.
void EventCollector::judgeFatal()
{
    for (Message& message : m_messages) {
        const LogEvent& event = message.event;
        const bool cameFurther = m_steps.lastLine(message.writer) > event.line
            && m_steps.highestStep(message.writer) >= std::max<std::int64_t>(event.step, 1);
        message.event.fatal = event.kind != LogEvent::Kind::Warning && !cameFurther;
    }
}

void EventCollector::moveTo(TraceBuilder& builder)
{
    for (Open& open : m_open)
        finishOpen(open);
    m_open.clear();
    std::ranges::stable_sort(
        m_messages, [](const Message& a, const Message& b) { return a.event.line < b.event.line; });
    groupFailures();
    judgeFatal();
    for (Message& message : m_messages)
        builder.addLogEvent(std::move(message.event));
    m_messages.clear();
}

} // namespace highwater::logs
