#include "core/report/input/note_lookup.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestContentBytes = 1000;

/// Returns what is in use at the peak, to be compared.
DiffInput peakOf(const DeviceStudy& study)
{
    return {study.trace, study.allocations, study.sites, &study.categories,
        study.allocations.liveAt(study.curve.peak().event)};
}

} // namespace

const RunMaterial* runOfNote(const ReportMaterial& material, const Note& note)
{
    if (note.run == NoteRun::After || !material.before)
        return note.run == NoteRun::After ? &material.run : nullptr;
    return &*material.before;
}

bool isAboutDevice(const RunMaterial& run, const Note& note)
{
    return run.study.device() && (note.file.empty() || note.file == run.study.name())
        && (note.device.empty() || note.device == run.study.device()->about().label());
}

const RunLog* logOfNote(const RunMaterial& run, const Note& note)
{
    if (note.file.empty())
        return run.study.logs().empty() || (run.study.device() && run.study.logs().size() > 1)
            ? nullptr
            : &run.study.logs().front();
    const auto found = std::ranges::find(run.study.logs(), note.file, &RunLog::name);
    return found == run.study.logs().end() ? nullptr : &*found;
}

AllocationIndex NotedAllocations::find(const NotedAllocation& noted)
{
    constexpr AllocationIndex none = AllocationTable::kNoAllocation;
    if (noted.allocEvent >= 0) {
        const AllocationIndex found
            = noted.allocEvent < m_table.eventCount() ? m_table.ofEvent(noted.allocEvent) : none;
        return found != none && m_table.birth(found) == noted.allocEvent ? found : none;
    }
    if (!m_older) {
        m_older.emplace();
        for (AllocationIndex i = 0; i < m_table.olderCount(); ++i)
            m_older->try_emplace(m_table.address(i), i);
    }
    const auto found = m_older->find(noted.address);
    return found == m_older->end() ? none : found->second;
}

std::optional<CompositionGroup> NoteLookup::siteAtPeak(const RunMaterial& run, const std::string& key)
{
    const DeviceStudy& study = *run.study.device();
    const auto [entry, isNew] = m_sites.try_emplace(&run);
    Sites& sites = entry->second;
    if (isNew)
        for (CompositionGroup& group : compositionAt(
                 study.trace, study.allocations, study.sites, study.curve.peak().event, GroupKey::Site)
                                           .groups)
            sites[group.key] = group;
    if (const auto found = sites.find(key); found != sites.end())
        return found->second;
    return study.sites.siteWithKey(key).isNone() ? std::nullopt : std::optional(CompositionGroup());
}

RunDiff NoteLookup::diffBy(GroupKey key) const
{
    if (key == GroupKey::Site)
        return m_material.devices()->bySite.diff;
    if (key == GroupKey::Category)
        return m_material.devices()->byCategory;
    const DeviceStudy& before = *m_material.before->study.device();
    const DeviceStudy& after = *m_material.run.study.device();
    return diffRuns(peakOf(before), peakOf(after), key, matchStacks(before.trace, after.trace));
}

const DiffRow* NoteLookup::row(const std::string& group, const std::string& key)
{
    const std::optional<GroupKey> groupKey = groupKeyFromText(group);
    if (!m_material.devices() || !groupKey || !isComparable(*groupKey))
        return nullptr;
    const auto [entry, isNew] = m_rows.try_emplace(group);
    Rows& rows = entry->second;
    if (isNew) {
        rows.diff = diffBy(*groupKey);
        for (std::size_t i = 0; i < rows.diff.rows.size(); ++i) {
            rows.byKey.try_emplace(rows.diff.rows[i].key, i);
            if (!rows.diff.rows[i].beforeKey.empty())
                rows.byKey.try_emplace(rows.diff.rows[i].beforeKey, i);
        }
    }
    const auto found = rows.byKey.find(key);
    return found == rows.byKey.end() ? nullptr : &rows.diff.rows[found->second];
}

AllocationIndex NoteLookup::allocation(const RunMaterial& run, const NotedAllocation& noted)
{
    return m_allocations.try_emplace(&run, *run.study.device()).first->second.find(noted);
}

NoteLookup::Lines NoteLookup::linesOf(const Trace& log) const
{
    Lines lines;
    for (const Note& note : m_material.request.notes)
        if (const auto* line = std::get_if<NotedLine>(&note.place))
            lines[line->line] = {};
    for (const CounterSeries& series : log.counters)
        for (std::size_t i = 0; i < series.line.size(); ++i) {
            const auto content = lines.find(series.line[i]);
            if (content != lines.end() && content->second.size() < kLongestContentBytes)
                content->second += fmt::format("{}{} {}", content->second.empty() ? "" : ", ",
                    nameText(series.name), valueText(series, series.value[i]));
        }
    for (const LogEvent& event : log.logEvents)
        if (const auto content = lines.find(event.line); content != lines.end())
            content->second = fmt::format("“{}”", sanitizedText(event.text.substr(0, event.text.find('\n'))));
    return lines;
}

std::string NoteLookup::textAtLine(const RunLog& log, std::uint64_t line)
{
    const auto [entry, isNew] = m_lines.try_emplace(log.trace.get());
    if (isNew)
        entry->second = linesOf(*log.trace);
    const auto content = entry->second.find(line);
    return content == entry->second.end() ? std::string() : content->second;
}

} // namespace highwater
