#pragma once

#include <cstdint>

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/view/selection.h"

/// Names what is selected, in the same words wherever it is named.
namespace highwater::gui {

/// Returns "at the run's peak", since a step may be selected that has a peak of its own; or the moment that
/// the run's peak is, if it is another (`KeyMomentKind`).
QString runPeakMomentText(const DeviceAnalysis& analysis);

/// Returns "Allocation of event 11,204".
QString allocationTitle(const DeviceAnalysis& analysis, AllocationIndex allocation);

/// Returns "event 6,230, step 6" or "event 6,230, peak of step 6".
QString momentText(const DeviceAnalysis& analysis, std::int64_t event);

/// Returns "step 3, peak 3.1 GiB".
QString stepText(const DeviceAnalysis& analysis, std::size_t step);

/// Returns the name of the selection's subject; empty if there is none.
QString selectionText(const DeviceAnalysis& analysis, const Selection& selection);

} // namespace highwater::gui
