#include "importers/log/log_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/text_format.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kPreviousBytes = 500;
constexpr std::size_t kTimedBytes = 64; ///< a line's own time is near its beginning

bool isBlankLine(std::string_view text)
{
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// True if there is a time like "12:34:56" near the beginning. Cheap enough for every line.
bool showsClock(std::string_view text)
{
    text = text.substr(0, kTimedBytes);
    for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
         colon = text.find(':', colon + 1))
        if (colon >= 2 && colon + 3 < text.size() && text[colon + 3] == ':' && isDigit(text[colon - 1]))
            return true;
    return false;
}

} // namespace

LogReader::Literals::Literals(const PatternTable& table)
{
    const auto addAll = [this](Kind kind, const auto& patterns) {
        for (std::size_t i = 0; i < patterns.size(); ++i)
            add(kind, i, patterns[i].requiredText);
    };
    addAll(Kind::Bar, table.bars);
    addAll(Kind::Line, table.lines);
    addAll(Kind::Record, table.records);
    add(Kind::TracebackStart, 0, table.traceback.start);
    add(Kind::SummaryRank, 0, table.traceback.summaryRankText);
    addAll(Kind::Oom, table.ooms);
    addAll(Kind::Event, table.events);
    addAll(Kind::Configuration, table.configuration);
    addAll(Kind::End, table.ends);
    firstUnit = static_cast<std::uint32_t>(entries.size());
    for (const std::string& unit : table.memoryWords.units)
        add(Kind::Unit, 0, unit);
}

void LogReader::Literals::add(Kind kind, std::size_t index, const std::string& must)
{
    const auto found = std::ranges::find(texts, must);
    const auto text = static_cast<std::size_t>(found - texts.begin());
    if (found == texts.end()) {
        texts.push_back(must);
        entriesOf.emplace_back();
    }
    entriesOf[text].push_back(static_cast<std::uint32_t>(entries.size()));
    entries.push_back({kind, static_cast<std::uint32_t>(index)});
}

LogReader::LogReader(const PatternTable& table, StringPool& strings, Nanoseconds fileTime)
    : m_literals(table)
    , m_scanner(m_literals.texts)
    , m_steps(table)
    , m_times(table.times, fileTime)
    , m_strings(strings)
    , m_prefixParser(table, m_series)
    , m_figures(m_series, m_steps, m_clock, m_times)
    , m_keyValues(table, m_figures)
    , m_linePatterns(table, m_figures, m_keyValues)
    , m_looseFigures(table, m_figures)
    , m_tracebacks(table, strings)
    , m_events(table, m_series, m_steps, m_clock, m_times, m_tracebacks)
    , m_configuration(table)
    , m_lastHitPiece(m_literals.texts.size(), 0)
{
}

/// Removes ESC [ … letter; keeps other control bytes.
std::string_view LogReader::withoutColours(std::string_view text)
{
    std::size_t escape = text.find('\x1b');
    if (escape == std::string_view::npos)
        return text;
    m_uncoloured.clear();
    std::size_t next = 0;
    for (; escape != std::string_view::npos; escape = text.find('\x1b', next)) {
        m_uncoloured += text.substr(next, escape - next);
        next = escape + 1;
        if (next < text.size() && text[next] == '[') {
            next = text.find_first_not_of("[0123456789;?", next);
            next = next == std::string_view::npos ? text.size() : next + 1;
        }
    }
    m_uncoloured += text.substr(next);
    return m_uncoloured;
}

void LogReader::findHits(std::string_view text)
{
    m_hits.clear();
    ++m_piece;
    m_scanner.scan(text, [this](std::uint32_t literal) {
        if (std::exchange(m_lastHitPiece[literal], m_piece) != m_piece)
            m_hits.insert(
                m_hits.end(), m_literals.entriesOf[literal].begin(), m_literals.entriesOf[literal].end());
    });
    if (m_hits.size() > 1)
        std::ranges::sort(m_hits);
}

/// True if the only hits are units of bytes and no word refers to memory, as in file sizes and download
/// rates.
bool LogReader::hasOnlyForeignUnits(std::string_view text) const
{
    return !m_hits.empty() && m_hits.front() >= m_literals.firstUnit && !m_looseFigures.mentionsMemory(text);
}

bool LogReader::wantsLines() const
{
    return m_tracebacks.wantsLines() || m_events.wantsLines() || m_keyValues.isBlockOpen()
        || m_configuration.isBlockOpen();
}

/// Detects a restarted program, which begins its steps and series anew.
void LogReader::noteStart(std::string_view text, std::uint64_t line)
{
    const std::size_t figureCount = m_series.pointCount() + m_events.count();
    if (!m_starts.isStart(text, line, figureCount > m_figureCountAtStart))
        return;
    m_figureCountAtStart = figureCount;
    m_steps.restart();
}

/// Sets the writer's start. A process that the line names already differs from those of earlier starts;
/// others are named after the start.
void LogReader::setStart(Writer& writer)
{
    writer.start = static_cast<std::uint32_t>(m_starts.lines().size());
    if (writer.process == 0)
        writer.process = m_series.process(fmt::format("start {}", writer.start));
}

void LogReader::read(std::string_view text, std::uint64_t line)
{
    m_linesRead = line;
    if (m_textKind.isProgram)
        return; // source code prints no figures of its own run
    text = withoutColours(text);
    noteStart(text, line);
    findHits(text);
    const bool isExpected = wantsLines();
    if (isExpected || (!m_hits.empty() && !hasOnlyForeignUnits(text))) {
        LineContext context;
        context.whole = text;
        context.previous = m_previousLine;
        context.line = line;
        m_prefixParser.parsePrefixes(context);
        if (m_starts.lines().size() > 1)
            setStart(context.writer);
        if (isExpected)
            continueOpenReaders(context);
        readHits(context);
    }
    if (isBlankLine(text))
        return;
    m_previousLine.assign(text.substr(0, kPreviousBytes));
    if (showsClock(text))
        m_events.noteTimedLine(text);
}

void LogReader::continueOpenReaders(const LineContext& context)
{
    if (m_tracebacks.wantsLines())
        m_tracebacks.read(context);
    if (m_events.wantsLines())
        m_events.continueMessages(context);
    if (m_keyValues.isBlockOpen())
        m_keyValues.continueBlock(context);
    if (m_configuration.isBlockOpen())
        m_configuration.continueBlock(context.text);
}

/// Tries the hits in the table's order. Dictionaries and pairs are tried only until a line pattern or another
/// record matched.
void LogReader::readHits(const LineContext& context)
{
    m_linePatterns.beginLine();
    m_events.beginLine();
    bool isStructured = false;
    bool hasUnit = false;
    const std::size_t memoryPointsBefore = m_series.memoryPointCount();
    const bool belongsToOpenRecord
        = m_events.hasOpenMessage() || m_keyValues.isBlockOpen() || m_configuration.isBlockOpen();
    const bool wasInTraceback = m_tracebacks.wantsLines();
    for (const std::uint32_t hit : m_hits) {
        const Entry entry = m_literals.entries[hit];
        switch (entry.kind) {
        case Kind::Bar: m_steps.setProgressBar(context.text, context.line); break;
        case Kind::Line: isStructured |= m_linePatterns.read(entry.index, context); break;
        case Kind::Record: isStructured = isStructured || m_keyValues.read(entry.index, context); break;
        case Kind::TracebackStart:
            if (!wasInTraceback) // otherwise the traceback reader has already read the line
                m_tracebacks.read(context);
            break;
        case Kind::SummaryRank: m_tracebacks.readSummaryRank(context.text); break;
        case Kind::Oom: m_events.readHeads(entry.index, context); break;
        case Kind::Event: m_events.readEvent(entry.index, context); break;
        case Kind::Configuration: m_configuration.read(entry.index, context); break;
        case Kind::End: m_events.readEnd(entry.index, context); break;
        case Kind::Unit: hasUnit = true; break;
        }
    }
    // Loose figures are read only if no pattern found a memory figure or a message, outside open records and
    // tracebacks, and never from source code or a document.
    if (hasUnit && m_textKind.name.empty() && !belongsToOpenRecord && !m_events.hasMessage()
        && !wasInTraceback && m_series.memoryPointCount() == memoryPointsBefore)
        m_looseFigures.read(context);
}

bool LogReader::readPairs(std::string_view shape,
    const std::vector<std::pair<std::string, std::string>>& pairs, const LineContext& context)
{
    m_linesRead = std::max(m_linesRead, context.line);
    return m_keyValues.readPairs(shape, pairs, context);
}

std::size_t LogReader::memoryBytes() const
{
    return m_series.memoryBytes() + m_events.memoryBytes() + m_configuration.memoryBytes()
        + m_strings.memoryBytes();
}

void LogReader::logTo(ImportLog& log)
{
    if (!m_series.hasMemoryFigures() && m_events.count() == 0)
        log.add(Severity::Info, "no-memory-figures",
            m_textKind.name.empty()
                ? "no line has a memory figure in a recognized format"
                : fmt::format("this is {}, and no line has a memory figure", m_textKind.name));
    if (!m_keyValues.meanings().candidates().empty())
        log.add(Severity::Info, "memory-like-keys",
            fmt::format("keys that look like memory but match no rule are ignored: {}",
                sanitizedText(fmt::format("{}", fmt::join(m_keyValues.meanings().candidates(), ", ")))));
    if (m_unnamedColumns)
        log.add(Severity::Info, "columns-guessed",
            "the table has no header; the largest figure is used as the GPU's total, the others are ignored");
    m_series.logTo(log);
    if (m_events.leftOut() > 0)
        log.add(Severity::Info, "events-left-out",
            "warnings beyond the first 10,000 and messages beyond the first 1,000,000 are omitted", {},
            m_events.leftOut());
    if (m_starts.lines().size() > 1)
        log.add(Severity::Info, "started-again",
            fmt::format("the program was started {} times (lines {}); series and messages of each start are "
                        "kept apart",
                formatCount(m_starts.lines().size()), fmt::join(m_starts.lines(), ", ")));
    if (m_clock.hasGuessedYear())
        log.add(Severity::Info, "year-guessed",
            "times have no year; the latest year is assumed that is not after the file's own time");
    if (m_clock.isLocal() && *m_clock.isLocal())
        log.add(Severity::Info, "zone-unknown",
            "times have no zone; they are local times of the machine that wrote them");
    if (m_clock.leftOut() > 0)
        log.add(Severity::Info, "other-clock",
            "a time on another clock than the first of the file is ignored", {}, m_clock.leftOut());
}

void LogReader::moveTo(TraceBuilder& builder)
{
    m_keyValues.endBlock();
    TraceMetadata& metadata = builder.metadata();
    metadata.configuration = m_configuration.take();
    metadata.clock = !m_clock.isLocal() ? Clock::Own : *m_clock.isLocal() ? Clock::Local : Clock::Unix;
    metadata.hasHistory = false;
    if (!m_figures.deviceName().empty())
        metadata.producer.emplace_back("device_name", m_figures.deviceName());
    logTo(builder.log());
    m_events.moveTo(builder, m_starts.lines().size());
    m_series.moveTo(builder);
}

} // namespace highwater::logs
