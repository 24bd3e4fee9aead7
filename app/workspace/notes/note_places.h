#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/workspace/document/document.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/drawing/note_flag.h"
#include "core/run/note.h"

/// Finds the places that notes are about in the runs on screen: events, allocations, steps, rows and lines.
namespace highwater::gui {

/// A possible subject of notes on screen: a device of a run, or a log.
struct NoteSubject
{
    NoteRun run = NoteRun::After;
    std::shared_ptr<const Document> document; ///< may be null
    std::shared_ptr<const DeviceAnalysis> analysis; ///< null if the file has no device, or until it is known
};

/// Returns the subject of a page that shows one file without a device, such as a log: that file, as the run
/// after. Returns no subject if `document` is null.
std::vector<NoteSubject> onlySubject(const std::shared_ptr<const Document>& document);

/// Returns an empty note at this place.
Note noteAt(NotePlace place);

/// True if the note is about this device of this file of this run. False for a subject without `analysis`.
bool isAbout(const Note& note, const NoteSubject& subject);
/// True if the note is about this file of this run, on any device. False for a subject without `document`.
bool isAboutFile(const Note& note, const NoteSubject& subject);
/// Returns the index of the note's device in the file; the main device for a note without one. Returns
/// nothing if the file has no such device.
std::optional<DeviceIndex> deviceOf(const Note& note, const Document& document);

/// Returns the events [first, last) of a place: one for a moment or an allocation, [−1, 0) for a moment
/// before the first event and for an allocation older than the trace. A range is cut to the events of the
/// device. Returns nothing if the place is not on the timeline, or the device does not have it.
std::optional<EventRange> eventsOf(const NotePlace& place, const DeviceAnalysis& analysis);

/// Returns the noted allocation, or kNoAllocation if the device does not have it. O(log events); O(older
/// allocations) if it was allocated before recording began.
AllocationIndex allocationOf(const NotedAllocation& noted, const AllocationTable& table);
NotedAllocation notedAllocation(const AllocationTable& table, AllocationIndex allocation);
/// Returns which allocations belong to the call site, by allocation.
std::vector<bool> membersOf(const NotedSite& site, const DeviceAnalysis& analysis);

/// A note on the timeline. `flag.first` is an event, `flag.last` the end of a range or step, else the same
/// event.
struct TimelineNote
{
    NoteFlag flag;
    bool canMove = false; ///< true for the note on a moment
};

/// Returns the notes on the device's timeline, in the order of their numbers.
std::vector<TimelineNote> timelineNotes(const Notes& notes, const NoteSubject& subject);
/// Returns the notes on steps. `first` = `last` is the index of the noted step, or of the step in which the
/// noted events begin.
std::vector<NoteFlag> stepNotes(const Notes& notes, const NoteSubject& subject);
/// Returns the notes on lines of the log `file`, a name without folders; `first` = `last` is the line.
/// `isMain`: the log itself is the run.
std::vector<NoteFlag> lineNotes(const Notes& notes, NoteRun run, const std::string& file, bool isMain);

/// A note on a row of the comparison, or on a call site, whose row the comparison may or may not have. The
/// flag has no place: `first` and `last` are 0.
struct RowNote
{
    NotedRow row;
    NoteFlag flag;
};
/// Returns all notes on rows and call sites, in the order of their numbers.
std::vector<RowNote> rowNotes(const Notes& notes);

/// Returns "note 3: the logits" for each note on the allocation; "note 3, on its call site: the logits" for
/// one on its call site.
QStringList notesOn(AllocationIndex allocation, const Notes& notes, const NoteSubject& subject);

/// Describes place and figures: "event 5,701 · 14.5 GiB", "step 3 · peak 14.5 GiB allocated"; says
/// if the device does not have the place.
QString placeWithFigures(const NotePlace& place, const DeviceAnalysis& analysis);
/// Like `placeWithFigures`, but names a moment by the peak that it is, with its time: "the peak of step 3,
/// 1.28 s". Defined in note_targets.cpp.
QString placeWithRole(const NotePlace& place, const DeviceAnalysis& analysis);

/// Returns the title; "Untitled" if it is empty.
QString titleOf(const Note& note);

} // namespace highwater::gui
