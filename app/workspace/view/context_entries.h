#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "app/workspace/document/device_analysis.h"

namespace highwater::gui {

/// The entries that context menus offer for a place in the run, without any menu. Texts are for a QMenu: an
/// ampersand in a name is doubled.
template <typename Command>
struct ContextEntry
{
    Command command;
    QString text;
    std::size_t other = 0; ///< for StepCommand::Compare, the step to compare with
};

/// Commands on the allocation under the mouse.
enum class BandCommand
{
    Pin,
    HighlightSite, ///< highlights all allocations of its call site
    CopyPlace, ///< copies "file:line" of its call site
    ShowMoment ///< shows what is in use at the event under the mouse
};

/// A point on a band.
struct BandTarget
{
    const DeviceAnalysis& analysis;
    AllocationIndex allocation = 0;
    bool isPinned = false; ///< the allocation is pinned already
    bool hasViews = true; ///< highlight and Moment are available
};

std::vector<ContextEntry<BandCommand>> bandEntries(const BandTarget& target);

/// Returns "/src/model.py:39", the place of the allocation's call site, without a line if that is unknown;
/// empty if it is not in Python.
QString placeOf(const DeviceAnalysis& analysis, AllocationIndex allocation);

enum class StepCommand
{
    Select, ///< marks its events and moves the cursor to its peak
    Zoom,
    Compare, ///< compares another step with this one
    ShowLeftBehind, ///< shows what it allocated that is still in use one step later
    ShowLargest, ///< pins the largest allocation in use at its peak
    AddNote
};

/// Returns the steps that are worth comparing with a step: the selected one, the step before it, the one
/// after it, and the one with the highest peak; each once, and without the step itself.
std::vector<std::size_t> comparableSteps(
    const StepTable& table, std::size_t step, std::optional<std::size_t> selected);

/// Returns the step with the highest peak; the table has at least one.
std::size_t highestStep(const StepTable& table);

/// `selected` is the step of the selection, see `selectedStep`.
std::vector<ContextEntry<StepCommand>> stepEntries(
    const StepTable& table, std::size_t step, std::optional<std::size_t> selected);

} // namespace highwater::gui
