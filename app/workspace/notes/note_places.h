#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/workspace/document/document.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/drawing/note_flag.h"
#include "core/run/note.h"

/// Where notes lie in the runs that are on screen.
namespace highwater::gui {

/// What notes on screen can be about: a device of a run, or a log.
struct NoteSubject
{
    NoteRun run = NoteRun::After;
    std::shared_ptr<const Document> document;
    std::shared_ptr<const DeviceAnalysis> analysis; ///< null: the file has no device
};

/// A new note there, with nothing in it.
Note noteAt(NotePlace place);

/// Whether the note is about this device of this file of this run.
bool isAbout(const Note& note, const NoteSubject& subject);
/// Whether it is about this file, whichever device of it.
bool isAboutFile(const Note& note, const NoteSubject& subject);
/// Index of the note's device in the file; none: it has no such device.
std::optional<DeviceIndex> deviceOf(const Note& note, const Document& document);

/// The events [first, last) that a place takes: a moment and an allocation take one, a moment before the
/// first event [−1, 0). None for a place that no event belongs to, or that the device does not have.
std::optional<EventRange> eventsOf(const NotePlace& place, const DeviceAnalysis& analysis);

/// The allocation that is meant; kNoAllocation where the device has none such. O(log events); O(older
/// allocations) for one that is older than the trace.
AllocationIndex allocationOf(const NotedAllocation& noted, const AllocationTable& table);
NotedAllocation notedAllocation(const AllocationTable& table, AllocationIndex allocation);
/// By allocation, those of the call site.
std::vector<bool> membersOf(const NotedSite& site, const DeviceAnalysis& analysis);

/// A flag on the timeline: `first` is an event, `last` the end of its events where it is a range.
struct TimelineNote
{
    NoteFlag flag;
    bool canMove = false; ///< it is of a moment
};

/// Those that lie on the device's timeline, in the order of their numbers.
std::vector<TimelineNote> timelineNotes(const Notes& notes, const NoteSubject& subject);
/// `first` = `last` is a step: the noted one, or the one that the noted events begin in.
std::vector<NoteFlag> stepNotes(const Notes& notes, const NoteSubject& subject);
/// `first` = `last` is a line of the log `file`, a name without folders; `isMain`: it is the file that the
/// run is shown by.
std::vector<NoteFlag> lineNotes(const Notes& notes, NoteRun run, const std::string& file, bool isMain);

/// A note on a row of the comparison, or on a call site that is such a row.
struct RowNote
{
    NotedRow row;
    NoteFlag flag;
};
std::vector<RowNote> rowNotes(const Notes& notes);

/// "note 3: the logits" of each note on the allocation or its call site.
QStringList notesOn(AllocationIndex allocation, const Notes& notes, const NoteSubject& subject);

/// Place and figures: "event 5,701 · 14.50 GiB requested", "step 3 · peak 14.50 GiB requested", …
QString placeWords(const NotePlace& place, const DeviceAnalysis& analysis);

/// The title; "Untitled" where it has none.
QString titleOf(const Note& note);

} // namespace highwater::gui
