#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QList>

#include "app/window/palette/palette_index.h"

class QAction;

namespace highwater::gui {

class DocumentPage;
class NoteCommands;
class RunSession;
struct DeviceAnalysis;

/// Everything that the palette finds.
struct PaletteSources
{
    std::vector<PaletteEntry> entries; ///< the first of them are listed before anything is typed
    /// Makes more entries; called off the GUI thread, because a run can have 100,000 call sites. May be null.
    std::function<std::vector<PaletteEntry>()> more = {};
    /// Makes entries from what was typed, such as an event from its number. May be null.
    std::function<std::vector<PaletteEntry>(const QString& text)> typed = {};
};

// Each of the following functions makes the entries of one kind. Page and session must outlive the entries.
// Entries for steps, devices, call sites and places do nothing if the page shows another device or file by
// the time they are chosen, because files that are still being loaded may replace the one on screen.

/// Lists the commands of the menus. Commands that cannot be run now are disabled.
std::vector<PaletteEntry> commandEntries(const QList<QAction*>& menus);
/// Lists what the drop-down lists of the views below the timeline offer: "Moment › As: Flame".
std::vector<PaletteEntry> viewEntries(DocumentPage& page);
/// Lists the groups that bands can be stacked by.
std::vector<PaletteEntry> bandEntries(DocumentPage& page);
/// Lists the steps; choosing one zooms to it and moves the cursor to its peak.
std::vector<PaletteEntry> stepEntries(DocumentPage& page);
/// Lists the steps to compare with the selected one, else with the one that has the highest peak.
std::vector<PaletteEntry> comparedStepEntries(DocumentPage& page);
/// Lists the findings, once they are complete.
std::vector<PaletteEntry> findingEntries(DocumentPage& page);
/// Lists the files of the run if it has several.
std::vector<PaletteEntry> fileEntries(RunSession& session);
/// Lists the devices of the file if it has several.
std::vector<PaletteEntry> deviceEntries(DocumentPage& page);
/// Lists the call sites, the largest at the peak first. Choosing one highlights its allocations.
/// O(sites + allocations alive at the peak); may be called on any thread, since only `run` uses the page.
std::vector<PaletteEntry> callSiteEntries(
    const std::shared_ptr<const DeviceAnalysis>& analysis, DocumentPage& page);
/// Returns the first ten events, times and addresses that `parseGoTo` finds in a text; none for a step, which
/// has its own entry.
std::vector<PaletteEntry> placeEntries(
    const QString& text, const std::shared_ptr<const DeviceAnalysis>& analysis, DocumentPage& page);

/// Lists the notes, found by their titles and texts; choosing one goes to its place.
std::vector<PaletteEntry> noteEntries(NoteCommands& notes);

/// Collects all of the above; only commands and notes without a page, because another one is on screen, or
/// without a device.
PaletteSources paletteSources(
    const QList<QAction*>& menus, DocumentPage* page, RunSession& session, NoteCommands& notes);

} // namespace highwater::gui
