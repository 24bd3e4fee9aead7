#include "core/report/note_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_words.h"
#include "core/base/text_format.h"
#include "core/report/note_places.h"
#include "core/report/parts/part_words.h"

namespace highwater {

namespace {

constexpr std::size_t kMostValues = 3;

/// The words for each kind of place, where the note is about what the report shows.
class PlaceWords
{
public:
    PlaceWords(const ReportMaterial& material, const RunMaterial& run, const Note& note)
        : m_material(material)
        , m_run(run)
        , m_note(note)
    {
    }

    std::string operator()(const std::monostate&) const { return "the run as a whole"; }

    std::string operator()(const NotedMoment& moment) const
    {
        if (moment.event < -1 || moment.event >= events())
            return missing();
        return fmt::format("{} · {} live", momentWords(study(), moment.event), liveAt(moment.event));
    }

    std::string operator()(const NotedRange& range) const
    {
        if (range.first < 0 || range.first >= events() || range.last <= range.first)
            return missing();
        const std::int64_t last = std::min(range.last, events());
        const CurvePeak peak = study().curve.peak(range.first, last);
        return fmt::format("events {} to {}{} · {} live at most (event {})", formatCount(range.first),
            formatCount(last - 1), range.last > last ? " (the file ends there)" : "", amount(peak.bytes),
            formatCount(peak.event));
    }

    std::string operator()(const NotedStep& step) const
    {
        const std::vector<Step>& steps = study().steps.steps;
        if (step.step < 0 || static_cast<std::size_t>(step.step) >= steps.size())
            return missing();
        const Step& noted = steps[static_cast<std::size_t>(step.step)];
        return fmt::format("{} · peak {} (event {})", sanitizedText(noted.name), amount(noted.peakBytes),
            formatCount(noted.peakEvent));
    }

    std::string operator()(const NotedAllocation& noted) const
    {
        const AllocationTable& table = study().allocations;
        const AllocationIndex found = allocationOfNote(study(), noted);
        if (found == AllocationTable::kNoAllocation)
            return missing();
        const std::int64_t peak = study().curve.peak().event;
        return fmt::format("{}, {}, made at {} · {}", placeText(m_note.place), amount(table.bytes(found)),
            study().sites.site(study().sites.of(found)).label,
            table.isLiveAt(found, peak) ? "alive at the peak"
                : table.death(found) == AllocationTable::kNeverFreed
                ? "never freed in the trace"
                : "freed at event " + formatCount(table.death(found)));
    }

    std::string operator()(const NotedSite& noted) const
    {
        const Composition bySite = compositionAt(
            study().trace, study().allocations, study().sites, study().curve.peak().event, GroupKey::Site);
        const auto group = std::ranges::find(bySite.groups, noted.site, &CompositionGroup::key);
        if (group != bySite.groups.end())
            return fmt::format("call site {} · {} in {} at the peak", noted.site, amount(group->bytes),
                countedText(group->count, "block", "blocks"));
        for (std::size_t i = 0; i < study().sites.size(); ++i)
            if (study().sites.site(SiteId{static_cast<std::uint32_t>(i)}).key == noted.site)
                return fmt::format("call site {} · nothing of it is alive at the peak", noted.site);
        return missing();
    }

    std::string operator()(const NotedRow& noted) const
    {
        if (!m_material.devices)
            return fmt::format("{} (a row of a comparison, and the report has none)", noted.key);
        const std::optional<GroupKey> key = groupKeyFromText(noted.group);
        const RunDiff diff = key ? diffBy(*key) : RunDiff();
        const auto row = std::ranges::find_if(diff.rows,
            [&](const DiffRow& each) { return each.key == noted.key || each.beforeKey == noted.key; });
        if (row == diff.rows.end())
            return missing();
        return fmt::format("the row of {} · {} before, {} after ({})", rowLabel(*row),
            amount(row->before.bytes), amount(row->after.bytes), formatBytesDelta(row->delta()));
    }

    std::string operator()(const NotedLine& noted) const
    {
        const ReportLog* log = logOfNote(m_run, m_note);
        if (!log)
            return missing();
        const std::string said = saidAt(*log->trace, noted.line);
        return fmt::format("{}, line {}{}", log->name, formatCount(static_cast<std::int64_t>(noted.line)),
            said.empty() ? "" : " · " + said);
    }

private:
    const DeviceStudy& study() const { return *m_run.study(); }
    std::int64_t events() const { return study().curve.eventCount(); }
    std::string missing() const
    {
        return fmt::format("{} (the file has no such place)", placeText(m_note.place));
    }
    std::string amount(Bytes bytes) const
    {
        return fmt::format("{} ({})", formatBytes(bytes), inWords(study().allocations.quantity()));
    }
    std::string liveAt(std::int64_t event) const { return amount(study().curve.at(event)); }

    RunDiff diffBy(GroupKey key) const
    {
        if (key == GroupKey::Site)
            return m_material.devices->bySite.diff;
        if (key == GroupKey::Category)
            return m_material.devices->byCategory;
        if (!isComparable(key))
            return {};
        const DeviceStudy& before = *m_material.before->study();
        const DeviceStudy& after = *m_material.run.study();
        const auto input = [](const DeviceStudy& of) {
            return DiffInput{of.trace, of.allocations, of.sites, &of.categories,
                of.allocations.liveAt(of.curve.peak().event)};
        };
        return diffRuns(input(before), input(after), key, matchStacks(before.trace, after.trace));
    }

    /// What the log's line was read as: a message, or values.
    static std::string saidAt(const Trace& log, std::uint64_t line)
    {
        for (const LogEvent& event : log.logEvents)
            if (event.line == line)
                return fmt::format("“{}”", sanitizedText(event.text.substr(0, event.text.find('\n'))));
        std::string said;
        std::size_t values = 0;
        for (const CounterSeries& series : log.counters)
            for (std::size_t i = 0; i < series.line.size() && values < kMostValues; ++i)
                if (series.line[i] == line) {
                    said += fmt::format("{}{} {}", values++ == 0 ? "" : ", ", sanitizedText(series.name),
                        valueText(series, series.value[i]));
                    break;
                }
        return said;
    }

    const ReportMaterial& m_material;
    const RunMaterial& m_run;
    const Note& m_note;
};

bool needsDevice(const NotePlace& place)
{
    return !std::holds_alternative<std::monostate>(place) && !std::holds_alternative<NotedLine>(place)
        && !std::holds_alternative<NotedRow>(place);
}

/// Of what the report does not show: the place as it is written, and whose it is.
std::string elsewhere(const RunMaterial& run, const Note& note)
{
    std::string text = placeText(note.place);
    if (!note.file.empty() && note.file != run.run->name)
        text = note.file + ", " + text;
    if (!note.device.empty())
        text += " on " + note.device;
    return text
        + (run.study()
                ? fmt::format(" (the report is about {} of {})", run.study()->about().label(), run.run->name)
                : std::string(" (the file tells no allocations)"));
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
    return run.study() && (note.file.empty() || note.file == run.run->name)
        && (note.device.empty() || note.device == run.study()->about().label());
}

AllocationIndex allocationOfNote(const DeviceStudy& study, const NotedAllocation& noted)
{
    const AllocationTable& table = study.allocations;
    if (noted.allocEvent >= 0) {
        const AllocationIndex found = noted.allocEvent < table.eventCount() ? table.ofEvent(noted.allocEvent)
                                                                            : AllocationTable::kNoAllocation;
        const bool isBorn = found != AllocationTable::kNoAllocation && table.birth(found) == noted.allocEvent;
        return isBorn ? found : AllocationTable::kNoAllocation;
    }
    for (AllocationIndex i = 0; i < table.olderCount(); ++i)
        if (table.address(i) == noted.address)
            return i;
    return AllocationTable::kNoAllocation;
}

const ReportLog* logOfNote(const RunMaterial& run, const Note& note)
{
    if (note.file.empty())
        return run.logs.empty() || (run.study() && run.logs.size() > 1) ? nullptr : &run.logs.front();
    const auto found = std::ranges::find(run.logs, note.file, &ReportLog::name);
    return found == run.logs.end() ? nullptr : &*found;
}

std::string placeWords(const ReportMaterial& material, const Note& note)
{
    const RunMaterial* run = runOfNote(material, note);
    if (!run)
        return fmt::format("before · {} (the report is about one run)", placeText(note.place));
    const std::string role = run->role.empty() ? "" : run->role + " · ";
    if (needsDevice(note.place) && !isAboutDevice(*run, note))
        return role + elsewhere(*run, note);
    const bool isOfBoth = std::holds_alternative<NotedRow>(note.place);
    return (isOfBoth ? "" : role) + std::visit(PlaceWords(material, *run, note), note.place);
}

} // namespace highwater
