#include "importers/log/run_progress.h"

#include <algorithm>

#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

// Judges whether a run ended with a failure. Input: the failures, the lines after them, and the lines that
// end patterns match. Idea: a writer whose step numbers rise after its failure works on; an end pattern soon
// after the failure shows that the program ended. Example: rank 0 runs out of memory in line 50. Line 51 says
// "step 7", which may have been buffered; line 52 says "step 8", so rank 0 works on, and the failure was not
// fatal.

namespace highwater::logs {

namespace {

constexpr std::uint64_t kMaxLinesWatched = 20'000; ///< number of lines watched after a failure
constexpr std::uint64_t kMaxLinesToEnd = 1000; ///< after a failure: launchers write their summaries late
constexpr std::size_t kMaxEnds = 10'000;
constexpr std::size_t kMaxWatches = 4096;
constexpr std::size_t kLongestWorkLine = 1000;

} // namespace

void RunProgress::noteFailure(const Writer& writer, std::uint64_t line)
{
    const std::uint64_t key = keyOf(writer);
    m_lastFailure = line;
    if (m_watches.size() >= kMaxWatches && !m_watches.contains(key))
        return;
    Watch& watch = m_watches[key];
    m_openCount += !watch.isOpen;
    watch.isOpen = true;
    watch.lowest = -1;
}

/// Concludes that work continues if a line has a higher number than an earlier line since the failure. A
/// single line of work may have been buffered output.
void RunProgress::readWork(const LineContext& context)
{
    if (context.line - m_lastFailure > kMaxLinesWatched) {
        for (auto entry = m_watches.begin(); entry != m_watches.end(); ++entry)
            entry.value().isOpen = false;
        m_openCount = 0;
        return;
    }
    const auto found = m_watches.find(keyOf(context.writer));
    if (found == m_watches.end() || !found->second.isOpen || !m_table.work || context.line == m_lastFailure)
        return;
    re2::StringPiece groups[kMaxGroups];
    const std::string_view text = context.text.substr(0, kLongestWorkLine);
    if (!m_table.work->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups,
            m_table.work->NumberOfCapturingGroups() + 1))
        return;
    std::optional<std::int64_t> number;
    for (int i = 1; i <= m_table.work->NumberOfCapturingGroups() && !number; ++i)
        if (groups[i].data())
            number = parseWhole(view(groups[i]));
    if (!number)
        return;
    Watch& watch = found.value();
    if (watch.lowest < 0 || *number < watch.lowest) {
        watch.lowest = *number;
    } else if (*number > watch.lowest) {
        watch.workLine = context.line;
        watch.isOpen = false;
        --m_openCount;
    }
}

void RunProgress::readEnd(std::size_t pattern, const LineContext& context)
{
    if (m_ends.size() < kMaxEnds && re2::RE2::PartialMatch(piece(context.text), *m_table.ends[pattern].regex))
        m_ends.push_back(context.line);
}

bool RunProgress::hasEndAfter(std::uint64_t line) const
{
    const auto end = std::ranges::lower_bound(m_ends, line);
    return end != m_ends.end() && *end - line <= kMaxLinesToEnd;
}

/// The rules, in order: the run ended if the message says so. It continued if its writer later records the
/// failed step or a higher one, or has further lines of work. (What a program prints when it ends belongs to
/// earlier steps.) It ended if the message has a traceback, if the program was started again, or if an end
/// pattern follows soon.
std::optional<bool> RunProgress::isFatal(
    const CollectedMessage& message, const StepTracker& steps, std::size_t starts) const
{
    const LogEvent& event = message.event;
    const bool reachedFailedStep = steps.lastLine(message.writer) > event.line
        && steps.highestStep(message.writer) >= std::max<std::int64_t>(event.step, 1);
    const auto watch = m_watches.find(keyOf(message.writer));
    const bool continuedWork = watch != m_watches.end() && watch->second.workLine > event.line;
    if (message.endsRun)
        return true;
    if (reachedFailedStep || continuedWork)
        return false;
    const bool isStartedAgain = message.writer.start < starts;
    if (!event.frames.empty() || isStartedAgain || hasEndAfter(event.line))
        return true;
    return std::nullopt;
}

} // namespace highwater::logs
