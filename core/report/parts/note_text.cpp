#include "core/report/parts/note_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/report/parts/part_text.h"

namespace highwater {

namespace {

/// Describes each kind of place, for notes on content of the report.
class PlaceWords
{
public:
    PlaceWords(NoteLookup& lookup, const RunMaterial& run, const Note& note)
        : m_lookup(lookup)
        , m_run(run)
        , m_note(note)
    {
    }

    std::string operator()(const std::monostate&) const { return "the run as a whole"; }

    std::string operator()(const NotedMoment& moment) const
    {
        if (moment.event < -1 || moment.event >= events())
            return notInFile();
        return fmt::format("{} · {} in use", momentWords(study(), moment.event), liveAt(moment.event));
    }

    std::string operator()(const NotedRange& range) const
    {
        if (range.first < 0 || range.first >= events() || range.last <= range.first)
            return notInFile();
        const std::int64_t last = std::min(range.last, events());
        const CurvePeak peak = study().curve.peak(range.first, last);
        return fmt::format("events {} to {}{} · at most {} in use (event {})", formatCount(range.first),
            formatCount(last - 1), range.last > last ? " (the file ends there)" : "", amount(peak.bytes),
            formatCount(peak.event));
    }

    std::string operator()(const NotedStep& step) const
    {
        const std::vector<Step>& steps = study().steps.steps;
        if (step.step < 0 || static_cast<std::size_t>(step.step) >= steps.size())
            return notInFile();
        const Step& noted = steps[static_cast<std::size_t>(step.step)];
        return fmt::format("{} · peak {} (event {})", nameText(noted.name), amount(noted.peakBytes),
            formatCount(noted.peakEvent));
    }

    std::string operator()(const NotedAllocation& noted) const
    {
        const AllocationTable& table = study().allocations;
        const AllocationIndex found = m_lookup.allocation(m_run, noted);
        if (found == AllocationTable::kNoAllocation)
            return notInFile();
        const std::int64_t peak = study().curve.peak().event;
        return fmt::format("{}, {}, allocated at {} · {}", placeText(m_note.place),
            amount(table.bytes(found)), study().sites.site(study().sites.of(found)).label,
            table.isLiveAt(found, peak) ? "in use at the peak"
                : table.death(found) == AllocationTable::kNeverFreed
                ? "not freed in the trace"
                : "freed at event " + formatCount(table.death(found)));
    }

    std::string operator()(const NotedSite& noted) const
    {
        const std::optional<CompositionGroup> group = m_lookup.siteAtPeak(m_run, noted.site);
        if (!group)
            return notInFile();
        if (group->count > 0)
            return fmt::format("call site {} · {} in {} at the peak", noted.site, amount(group->bytes),
                counted(group->count, "allocation", "allocations"));
        return fmt::format("call site {} · nothing in use at the peak", noted.site);
    }

    std::string operator()(const NotedRow& noted) const
    {
        if (!m_lookup.material().devices())
            return fmt::format("{} (a row of a comparison; this report has none)", noted.key);
        const DiffRow* row = m_lookup.row(noted.group, noted.key);
        if (!row)
            return notInFile();
        return fmt::format("the row of {} · {} before, {} after ({})", rowLabel(*row),
            amount(row->before.bytes), amount(row->after.bytes), formatBytesDelta(row->delta()));
    }

    std::string operator()(const NotedLine& noted) const
    {
        const RunLog* log = logOfNote(m_run, m_note);
        if (!log)
            return notInFile();
        const std::string content = m_lookup.textAtLine(*log, noted.line);
        return fmt::format(
            "{}, line {}{}", log->name, formatCount(noted.line), content.empty() ? "" : " · " + content);
    }

private:
    const DeviceStudy& study() const { return *m_run.study.device(); }
    std::int64_t events() const { return study().curve.eventCount(); }
    std::string notInFile() const { return fmt::format("{} (not in the file)", placeText(m_note.place)); }
    std::string amount(Bytes bytes) const
    {
        return fmt::format("{} ({})", formatBytes(bytes), inWords(study().allocations.quantity()));
    }
    std::string liveAt(std::int64_t event) const { return amount(study().curve.at(event)); }

    NoteLookup& m_lookup;
    const RunMaterial& m_run;
    const Note& m_note;
};

bool needsDevice(const NotePlace& place)
{
    return !std::holds_alternative<std::monostate>(place) && !std::holds_alternative<NotedLine>(place)
        && !std::holds_alternative<NotedRow>(place);
}

/// Returns the location of a note on content that the report does not show: the place as the note states it,
/// and the note's file or device.
std::string placeOutsideReport(const RunMaterial& run, const Note& note)
{
    std::string text = placeText(note.place);
    if (!note.file.empty() && note.file != run.study.name())
        text = note.file + ", " + text;
    if (!note.device.empty())
        text += " on " + note.device;
    return text
        + (run.study.device() ? fmt::format(
               " (the report is about {} of {})", run.study.device()->about().label(), run.study.name())
                              : std::string(" (the file has no allocations)"));
}

} // namespace

std::string notePlaceWords(NoteLookup& lookup, const Note& note)
{
    const RunMaterial* run = runOfNote(lookup.material(), note);
    if (!run)
        return fmt::format("before · {} (the report is about one run)", placeText(note.place));
    const std::string role = run->role.empty() ? "" : run->role + " · ";
    if (needsDevice(note.place) && !isAboutDevice(*run, note))
        return role + placeOutsideReport(*run, note);
    const bool isRowOfBoth = std::holds_alternative<NotedRow>(note.place);
    return (isRowOfBoth ? "" : role) + std::visit(PlaceWords(lookup, *run, note), note.place);
}

} // namespace highwater
