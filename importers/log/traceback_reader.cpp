#include "importers/log/traceback_reader.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxFrames = 400;
constexpr std::size_t kMaxCollectors = 4096;
constexpr std::size_t kLongestText = 1000; ///< limit for paths and source lines
constexpr int kMaxLinesOfException = 6; ///< between the frames and the message
constexpr std::uint64_t kMaxLinesBehindFrame = 40; ///< source lines and arrows after a frame
constexpr std::size_t kMaxStrings = 1'000'000;

/// Returns the number of spaces and tabs at the beginning of the line.
std::size_t indentOf(std::string_view text)
{
    const std::size_t indent = text.find_first_not_of(" \t");
    return indent == std::string_view::npos ? text.size() : indent;
}

/// True for a line of only ^, ~ and blanks, which points at a part of the source line above.
bool isMarker(std::string_view text)
{
    return text.find_first_not_of(" \t^~") == std::string_view::npos;
}

/// Returns the source after an arrow: "----> 459 return F.conv2d(" → "return F.conv2d("; empty if the line
/// has no arrow.
std::string_view arrowSource(std::string_view text)
{
    text = trimmed(text);
    const std::size_t arrow = text.find("-> ");
    if (!text.starts_with("--") || arrow == std::string_view::npos)
        return {};
    text = trimmed(text.substr(arrow + 3));
    return trimmed(text.substr(std::min(text.find_first_not_of("0123456789"), text.size())));
}

} // namespace

TracebackReader::TracebackReader(const PatternTable& table, StringPool& strings)
    : m_forms(table.traceback)
    , m_strings(strings)
{
}

bool TracebackReader::isTracebackStart(std::string_view text) const
{
    return !m_forms.start.empty() && contains(text, m_forms.start);
}

void TracebackReader::readSummaryRank(std::string_view text)
{
    re2::StringPiece groups[kMaxGroups];
    if (m_forms.summaryRank
        && m_forms.summaryRank->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups, 2))
        m_summaryRank = parseWhole(namedGroupText(*m_forms.summaryRank, groups, "rank"));
}

void TracebackReader::open(Collector& collector)
{
    const bool isMixed = collector.isOpen && !collector.inException && !collector.isChained
        && !collector.found.frames.empty();
    m_openCount += !collector.isOpen;
    collector = Collector();
    collector.isOpen = true;
    collector.found.lowTrust = isMixed;
    collector.found.summaryRank = m_summaryRank;
}

void TracebackReader::close(Collector& collector)
{
    m_openCount -= collector.isOpen;
    collector.isOpen = false;
    collector.found.frames.clear();
}

void TracebackReader::read(const LineContext& context)
{
    const std::uint64_t key = context.writer.processKey();
    if (isTracebackStart(context.text)) {
        if (m_collectors.size() < kMaxCollectors || m_collectors.contains(key))
            open(m_collectors[key]);
        return;
    }
    const auto found = m_collectors.find(key);
    if (found == m_collectors.end() || !found->second.isOpen)
        return;
    Collector& collector = found.value();
    if (collector.inException)
        readException(collector, context);
    else if (!readFrame(collector, context.text, context.line))
        readBetweenFrames(collector, context.text);
    if (collector.isOpen && context.line - collector.lastFrameLine > kMaxLinesBehindFrame
        && collector.lastFrameLine > 0)
        close(collector);
}

bool TracebackReader::readFrame(Collector& collector, std::string_view text, std::uint64_t line)
{
    for (const SharedRegex& form : m_forms.frames) {
        re2::StringPiece groups[kMaxGroups];
        if (!form->Match(piece(text), 0, text.size(), re2::RE2::ANCHOR_START, groups,
                form->NumberOfCapturingGroups() + 1))
            continue;
        collector.lastFrameLine = line;
        collector.indent = indentOf(text);
        collector.wantsSource = true;
        if (collector.found.frames.size() >= kMaxFrames || m_strings.size() >= kMaxStrings)
            return true;
        const auto interned = [&](const char* name) {
            const std::string_view part = namedGroupText(*form, groups, name).substr(0, kLongestText);
            return part.empty() ? StringId() : m_strings.intern(trimmed(part));
        };
        collector.found.frames.push_back({interned("function"), interned("file"), {},
            parseWhole(namedGroupText(*form, groups, "line")).value_or(0)});
        return true;
    }
    return false;
}

/// Reads source lines, markers, and the line that ends the frames.
void TracebackReader::readBetweenFrames(Collector& collector, std::string_view text)
{
    if (collector.found.frames.empty() || trimmed(text).empty() || isMarker(text))
        return;
    const std::string_view arrow = arrowSource(text);
    const bool isDeeper = indentOf(text) > collector.indent;
    if ((collector.wantsSource && isDeeper) || !arrow.empty()) {
        const std::string_view source = arrow.empty() ? trimmed(text) : arrow;
        if (m_strings.size() < kMaxStrings)
            collector.found.frames.back().source = m_strings.intern(source.substr(0, kLongestText));
        collector.wantsSource = false;
        return;
    }
    if (indentOf(text) < collector.indent) {
        collector.inException = true;
        collector.linesOfException = 1;
    }
}

/// Frames after an exception's text belong to another traceback, as in errors that Ray re-raises.
void TracebackReader::readException(Collector& collector, const LineContext& context)
{
    const std::string_view text = context.text;
    if (trimmed(text).empty() || isMarker(text))
        return;
    std::vector<LogFrame> earlier = std::move(collector.found.frames);
    collector.found.frames.clear();
    if (readFrame(collector, text, context.line)) {
        collector.inException = false;
        return;
    }
    collector.found.frames = std::move(earlier);
    for (const std::string& sentence : m_forms.chained)
        if (contains(text, sentence))
            collector.isChained = true;
    if (++collector.linesOfException > kMaxLinesOfException)
        close(collector);
}

Traceback TracebackReader::take(const LineContext& context)
{
    const auto found = m_collectors.find(context.writer.processKey());
    if (found == m_collectors.end() || !found->second.isOpen)
        return {};
    Collector& collector = found.value();
    Traceback taken = std::move(collector.found);
    close(collector);
    collector.found = {};
    return taken;
}

} // namespace highwater::logs
