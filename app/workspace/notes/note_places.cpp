#include "app/workspace/notes/note_places.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/composition/composition.h"

namespace highwater::gui {

namespace {

/// Returns the flag of a note of the list.
NoteFlag flagAt(const Notes& notes, std::size_t index, double first, double last)
{
    return {static_cast<int>(index) + 1, first, last, notes[index].color, notes[index].title};
}

/// Returns the noted step; null if the device does not have it.
const Step* stepOf(const NotedStep& noted, const DeviceAnalysis& analysis)
{
    const std::vector<Step>& steps = analysis.steps.steps;
    const bool exists = noted.step >= 0 && static_cast<std::uint64_t>(noted.step) < steps.size();
    return exists ? &steps[static_cast<std::size_t>(noted.step)] : nullptr;
}

/// Finds the events of a place (`eventsOf`).
class PlaceEvents
{
public:
    explicit PlaceEvents(const DeviceAnalysis& analysis)
        : m_analysis(analysis)
    {
    }

    std::optional<EventRange> operator()(const NotedMoment& moment) const
    {
        return singleEvent(moment.event);
    }
    std::optional<EventRange> operator()(const NotedRange& range) const
    {
        const std::int64_t first = std::max<std::int64_t>(range.first, 0);
        const std::int64_t last = std::min(range.last, count());
        return first < last ? std::optional(EventRange{first, last}) : std::nullopt;
    }
    std::optional<EventRange> operator()(const NotedStep& noted) const
    {
        const Step* const step = stepOf(noted, m_analysis);
        return step && step->begin < step->end ? std::optional(EventRange{step->begin, step->end})
                                               : std::nullopt;
    }
    std::optional<EventRange> operator()(const NotedAllocation& noted) const
    {
        const AllocationIndex allocation = allocationOf(noted, m_analysis.allocations);
        return allocation == AllocationTable::kNoAllocation
            ? std::nullopt
            : singleEvent(m_analysis.allocations.birth(allocation));
    }
    template <typename OtherPlace>
    std::optional<EventRange> operator()(const OtherPlace&) const
    {
        return std::nullopt;
    }

private:
    std::int64_t count() const { return m_analysis.allocations.eventCount(); }
    std::optional<EventRange> singleEvent(std::int64_t event) const
    {
        return event >= -1 && event < count() ? std::optional(EventRange{event, event + 1}) : std::nullopt;
    }

    const DeviceAnalysis& m_analysis;
};

/// Makes the figures that follow the name of a place, which must have events.
class PlaceFigures
{
public:
    explicit PlaceFigures(const DeviceAnalysis& analysis)
        : m_analysis(analysis)
    {
    }

    QString operator()(const NotedMoment& moment) const
    {
        return amountText(m_analysis, m_analysis.curve.at(moment.event));
    }
    QString operator()(const NotedRange& range) const
    {
        const EventRange events = *eventsOf(range, m_analysis);
        return peakText(m_analysis.curve.peak(events.first, events.last).bytes);
    }
    QString operator()(const NotedStep& noted) const
    {
        return peakText(stepOf(noted, m_analysis)->peakBytes);
    }
    QString operator()(const NotedAllocation& noted) const
    {
        const AllocationIndex i = allocationOf(noted, m_analysis.allocations);
        return amountText(m_analysis, m_analysis.allocations.bytes(i)) + QStringLiteral(" · ")
            + toQString(m_analysis.sites.site(m_analysis.sites.of(i)).label);
    }
    template <typename OtherPlace>
    QString operator()(const OtherPlace&) const
    {
        return {};
    }

private:
    QString peakText(Bytes bytes) const { return QObject::tr("peak %1").arg(amountText(m_analysis, bytes)); }

    const DeviceAnalysis& m_analysis;
};

/// True for a place in the events of one device.
bool isOnDevice(const NotePlace& place)
{
    return std::holds_alternative<NotedMoment>(place) || std::holds_alternative<NotedRange>(place)
        || std::holds_alternative<NotedStep>(place) || std::holds_alternative<NotedAllocation>(place);
}

} // namespace

std::vector<NoteSubject> onlySubject(const std::shared_ptr<const Document>& document)
{
    return document ? std::vector{NoteSubject{NoteRun::After, document, nullptr}}
                    : std::vector<NoteSubject>();
}

Note noteAt(NotePlace place)
{
    Note note;
    note.place = std::move(place);
    return note;
}

bool isAboutFile(const Note& note, const NoteSubject& subject)
{
    return note.run == subject.run && subject.document
        && (note.file.empty() || note.file == subject.document->fileName());
}

std::optional<DeviceIndex> deviceOf(const Note& note, const Document& document)
{
    if (note.device.empty())
        return document.mainDevice;
    const std::vector<Device>& devices = document.trace().devices;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].label() == note.device)
            return static_cast<DeviceIndex>(i);
    return std::nullopt;
}

bool isAbout(const Note& note, const NoteSubject& subject)
{
    return isAboutFile(note, subject) && subject.analysis
        && deviceOf(note, *subject.document) == subject.analysis->device;
}

std::optional<EventRange> eventsOf(const NotePlace& place, const DeviceAnalysis& analysis)
{
    return std::visit(PlaceEvents(analysis), place);
}

AllocationIndex allocationOf(const NotedAllocation& noted, const AllocationTable& table)
{
    if (noted.allocEvent >= 0) {
        if (noted.allocEvent >= table.eventCount())
            return AllocationTable::kNoAllocation;
        const AllocationIndex found = table.ofEvent(noted.allocEvent);
        const bool isAllocationAction
            = found != AllocationTable::kNoAllocation && table.birth(found) == noted.allocEvent;
        return isAllocationAction ? found : AllocationTable::kNoAllocation;
    }
    for (AllocationIndex i = 0; i < table.olderCount(); ++i)
        if (table.address(i) == noted.address)
            return i;
    return AllocationTable::kNoAllocation;
}

NotedAllocation notedAllocation(const AllocationTable& table, AllocationIndex allocation)
{
    return {table.birth(allocation), table.address(allocation)};
}

std::vector<bool> membersOf(const NotedSite& site, const DeviceAnalysis& analysis)
{
    return allocationsOf(analysis.sites, analysis.allocations, site.site);
}

std::vector<TimelineNote> timelineNotes(const Notes& notes, const NoteSubject& subject)
{
    std::vector<TimelineNote> placed;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (!isOnDevice(notes[i].place) || !isAbout(notes[i], subject))
            continue;
        const std::optional<EventRange> events = eventsOf(notes[i].place, *subject.analysis);
        if (!events)
            continue;
        const bool isRange = std::holds_alternative<NotedRange>(notes[i].place)
            || std::holds_alternative<NotedStep>(notes[i].place);
        const auto first = static_cast<double>(events->first);
        placed.push_back({flagAt(notes, i, first, isRange ? static_cast<double>(events->last) : first),
            std::holds_alternative<NotedMoment>(notes[i].place)});
    }
    return placed;
}

std::vector<NoteFlag> stepNotes(const Notes& notes, const NoteSubject& subject)
{
    std::vector<NoteFlag> flags;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (!isOnDevice(notes[i].place) || !isAbout(notes[i], subject))
            continue;
        std::optional<std::size_t> step;
        if (const auto* noted = std::get_if<NotedStep>(&notes[i].place)) {
            if (stepOf(*noted, *subject.analysis))
                step = static_cast<std::size_t>(noted->step);
        } else if (const auto events = eventsOf(notes[i].place, *subject.analysis)) {
            step = subject.analysis->steps.stepOf(std::max<std::int64_t>(0, events->first));
        }
        if (step)
            flags.push_back(flagAt(notes, i, static_cast<double>(*step), static_cast<double>(*step)));
    }
    return flags;
}

std::vector<NoteFlag> lineNotes(const Notes& notes, NoteRun run, const std::string& file, bool isMain)
{
    std::vector<NoteFlag> flags;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const auto* line = std::get_if<NotedLine>(&notes[i].place);
        if (!line || notes[i].run != run || (notes[i].file != file && !(isMain && notes[i].file.empty())))
            continue;
        flags.push_back(flagAt(notes, i, static_cast<double>(line->line), static_cast<double>(line->line)));
    }
    return flags;
}

std::vector<RowNote> rowNotes(const Notes& notes)
{
    std::vector<RowNote> rows;
    for (std::size_t i = 0; i < notes.size(); ++i)
        if (const auto* row = std::get_if<NotedRow>(&notes[i].place))
            rows.push_back({*row, flagAt(notes, i, 0, 0)});
        else if (const auto* site = std::get_if<NotedSite>(&notes[i].place))
            rows.push_back({{std::string(toText(GroupKey::Site)), site->site}, flagAt(notes, i, 0, 0)});
    return rows;
}

QStringList notesOn(AllocationIndex allocation, const Notes& notes, const NoteSubject& subject)
{
    QStringList lines;
    if (!subject.analysis)
        return lines;
    const NotedAllocation wanted = notedAllocation(subject.analysis->allocations, allocation);
    const std::string site = subject.analysis->sites.site(subject.analysis->sites.of(allocation)).key;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const auto* noted = std::get_if<NotedAllocation>(&notes[i].place);
        const auto* notedSite = std::get_if<NotedSite>(&notes[i].place);
        const bool isOnAllocation = noted && noted->allocEvent == wanted.allocEvent
            && (wanted.allocEvent >= 0 || noted->address == wanted.address);
        const bool isOnSite = notedSite && notedSite->site == site;
        if ((!isOnAllocation && !isOnSite) || !isAbout(notes[i], subject))
            continue;
        const QString pattern
            = isOnSite ? QObject::tr("note %1, on its call site: %2") : QObject::tr("note %1: %2");
        lines << pattern.arg(i + 1).arg(titleOf(notes[i]));
    }
    return lines;
}

QString placeWithFigures(const NotePlace& place, const DeviceAnalysis& analysis)
{
    QString words = toQString(placeText(place));
    if (const auto* step = std::get_if<NotedStep>(&place))
        if (const Step* const shownStep = stepOf(*step, analysis))
            words = toQString(shownStep->name);
    const bool hasEvents = eventsOf(place, analysis).has_value();
    const QString figures = hasEvents ? std::visit(PlaceFigures(analysis), place) : QString();
    if (figures.isEmpty())
        return hasEvents || !isOnDevice(place) ? words
                                               : QObject::tr("%1, which is not in the file").arg(words);
    return words + QStringLiteral(" · ") + figures;
}

QString titleOf(const Note& note)
{
    return note.title.empty() ? QObject::tr("Untitled") : toQString(note.title);
}

} // namespace highwater::gui
