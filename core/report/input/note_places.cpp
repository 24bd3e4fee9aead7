#include "core/report/input/note_places.h"

#include <algorithm>

#include "core/report/input/note_lookup.h"

namespace highwater {

namespace {

bool isOnDevice(const Note& note, const NotedDevice& device)
{
    return note.run == device.run && (note.file.empty() || note.file == device.file)
        && (note.device.empty() || note.device == device.study.about().label());
}

/// Calls `visit` with each note on the device, and its number.
template <typename Visit>
void forNotesOf(const Notes& notes, const NotedDevice& device, const Visit& visit)
{
    for (std::size_t i = 0; i < notes.size(); ++i)
        if (isOnDevice(notes[i], device))
            visit(notes[i], static_cast<int>(i) + 1);
}

/// Returns the place of a note as events of the device.
std::optional<EventRange> eventsOf(const DeviceStudy& study, NotedAllocations& allocations, const Note& note)
{
    const std::int64_t events = study.curve.eventCount();
    if (const auto* moment = std::get_if<NotedMoment>(&note.place);
        moment && moment->event >= -1 && moment->event < events)
        return EventRange{moment->event, moment->event};
    if (const auto* range = std::get_if<NotedRange>(&note.place);
        range && range->first >= 0 && range->first < events && range->last > range->first)
        return EventRange{range->first, std::min(range->last, events)};
    if (const auto* step = std::get_if<NotedStep>(&note.place)) {
        const auto index = static_cast<std::size_t>(step->step);
        if (step->step >= 0 && index < study.steps.steps.size())
            return EventRange{study.steps.steps[index].begin, study.steps.steps[index].end};
    }
    if (const auto* allocation = std::get_if<NotedAllocation>(&note.place);
        allocation && allocations.find(*allocation) != AllocationTable::kNoAllocation)
        return EventRange{allocation->allocEvent, allocation->allocEvent};
    return std::nullopt;
}

NoteFlag flagOf(const Note& note, int number, double first, double last)
{
    return {number, first, last, note.color, note.title};
}

} // namespace

std::vector<NoteFlag> eventFlags(const Notes& notes, const NotedDevice& device)
{
    std::vector<NoteFlag> flags;
    NotedAllocations allocations(device.study);
    forNotesOf(notes, device, [&](const Note& note, int number) {
        if (const std::optional<EventRange> events = eventsOf(device.study, allocations, note))
            flags.push_back(
                flagOf(note, number, static_cast<double>(events->first), static_cast<double>(events->last)));
    });
    return flags;
}

std::vector<NoteFlag> alignedFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const RunAlignment& alignment)
{
    std::vector<NoteFlag> flags;
    for (const NotedDevice* device : {&before, &after}) {
        const EventScale& scale = device == &before ? alignment.before : alignment.after;
        for (NoteFlag& flag : eventFlags(notes, *device)) {
            const bool isMoment = flag.first == flag.last;
            flag.first = scale.positionOf(static_cast<std::int64_t>(flag.first));
            const auto last = static_cast<std::int64_t>(flag.last) - 1;
            flag.last = isMoment ? flag.first : std::max(flag.first, scale.positionOf(last));
            flags.push_back(std::move(flag));
        }
    }
    return flags;
}

std::vector<NoteFlag> stepFlags(const Notes& notes, const NotedDevice& device)
{
    std::vector<NoteFlag> flags;
    NotedAllocations allocations(device.study);
    forNotesOf(notes, device, [&](const Note& note, int number) {
        const std::optional<EventRange> events = eventsOf(device.study, allocations, note);
        if (!events)
            return;
        const std::optional<std::size_t> first = device.study.steps.stepOf(events->first);
        const std::optional<std::size_t> last
            = device.study.steps.stepOf(std::max(events->last - 1, events->first));
        if (first && last)
            flags.push_back(flagOf(note, number, static_cast<double>(*first), static_cast<double>(*last)));
    });
    return flags;
}

std::vector<NoteFlag> stepPairFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const AlignedSteps& aligned)
{
    std::vector<NoteFlag> flags;
    const std::vector<StepPair>& pairs = aligned.pairs;
    for (const NotedDevice* device : {&before, &after}) {
        const auto step = device == &before ? &StepPair::before : &StepPair::after;
        std::vector<double> pairOf(device->study.steps.steps.size());
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (pairs[i].*step)
                pairOf.at(*(pairs[i].*step)) = static_cast<double>(i);
        for (NoteFlag& flag : stepFlags(notes, *device)) {
            flag.first = pairOf.at(static_cast<std::size_t>(flag.first));
            flag.last = pairOf.at(static_cast<std::size_t>(flag.last));
            flags.push_back(std::move(flag));
        }
    }
    return flags;
}

NotedDevice notedDevice(const RunMaterial& run)
{
    return {*run.study.device(), run.study.name(), run.role == "before" ? NoteRun::Before : NoteRun::After};
}

std::vector<NoteFlag> lineFlags(
    const ReportMaterial& material, const RunMaterial& run, const std::string& log)
{
    std::vector<NoteFlag> flags;
    const Notes& notes = material.request.notes;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const auto* line = std::get_if<NotedLine>(&notes[i].place);
        const bool isOnThisLog = line && runOfNote(material, notes[i]) == &run && logOfNote(run, notes[i])
            && logOfNote(run, notes[i])->name == log;
        if (isOnThisLog)
            flags.push_back(flagOf(notes[i], static_cast<int>(i) + 1, static_cast<double>(line->line),
                static_cast<double>(line->line)));
    }
    return flags;
}

} // namespace highwater
