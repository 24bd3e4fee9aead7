#include "importers/log/series/step_tracker.h"

#include <algorithm>

#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxWriters = 100'000;
constexpr std::size_t kLongestBar = 1000;

} // namespace

void StepTracker::record(const Writer& writer, std::int64_t step, std::uint64_t line)
{
    m_lastRecord = {step, line, step};
    const std::uint64_t key = writer.processKey();
    if (m_entries.size() >= kMaxWriters && !m_entries.contains(key))
        return;
    Entry& writerEntry = m_entries[key];
    m_lastRecord.highest = std::max(writerEntry.highest, step);
    writerEntry = m_lastRecord;
}

void StepTracker::setProgressBar(std::string_view text, std::uint64_t line)
{
    m_bar = text.substr(0, kLongestBar);
    m_barLine = line;
}

const StepTracker::Entry* StepTracker::entryOf(const Writer& writer) const
{
    const auto found = m_entries.find(writer.processKey());
    return found == m_entries.end() ? nullptr : &found->second;
}

/// Parses the last line that may be a progress bar, if it is not parsed yet.
void StepTracker::readBar()
{
    const std::uint64_t line = std::exchange(m_barLine, 0);
    if (line == 0)
        return;
    for (const ProgressBar& bar : m_table.bars) {
        re2::StringPiece groups[kMaxGroups];
        const int group = bar.regex->NamedCapturingGroups().at("step");
        if (bar.regex->Match(m_bar, 0, m_bar.size(), re2::RE2::UNANCHORED, groups, group + 1))
            m_barEntry
                = {parseWhole({groups[group].data(), groups[group].size()}).value_or(CounterSeries::kNoStep),
                    line};
    }
}

std::pair<std::int64_t, StepNumbering> StepTracker::find(const Writer& writer)
{
    const Entry* const writerEntry = entryOf(writer);
    const Entry& lastRecord = writerEntry ? *writerEntry : m_lastRecord;
    if (m_barLine > lastRecord.line)
        readBar();
    if (m_barEntry.line > lastRecord.line && m_barEntry.step != CounterSeries::kNoStep)
        return {m_barEntry.step, StepNumbering::ProgressBar};
    return {lastRecord.step,
        lastRecord.step == CounterSeries::kNoStep ? StepNumbering::None : StepNumbering::Earlier};
}

std::int64_t StepTracker::highestStep(const Writer& writer) const
{
    const Entry* const writerEntry = entryOf(writer);
    return writerEntry ? writerEntry->highest : CounterSeries::kNoStep;
}

std::uint64_t StepTracker::lastLine(const Writer& writer) const
{
    const Entry* const writerEntry = entryOf(writer);
    return writerEntry ? writerEntry->line : 0;
}

} // namespace highwater::logs
