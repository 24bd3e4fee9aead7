#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/theme/band_palette.h"
#include "core/analysis/categories/categories.h"
#include "core/analysis/composition/band_groups.h"
#include "core/analysis/composition/held_blocks.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/base/lazy.h"

namespace highwater::gui {

/// Options for reading a device.
struct AnalysisChoice
{
    Quantity quantity = Quantity::Requested; ///< one that `AllocationTable` can give for the device
    StepRequest steps;
    std::vector<CategoryRule> rules;

    bool operator==(const AnalysisChoice&) const = default;
};

/// Everything that the window asks about one device, worked out once when the file is loaded and immutable
/// from then on. The tables refer to each other, so it neither moves nor copies.
struct DeviceAnalysis
{
    /// In the device's own quantity, with the best source of steps and no rules.
    DeviceAnalysis(std::shared_ptr<const Trace> trace, DeviceIndex device);
    /// Of the same allocations under the same indices, read in another way.
    DeviceAnalysis(std::shared_ptr<const Trace> trace, DeviceIndex device, AnalysisChoice choice);
    DeviceAnalysis(const DeviceAnalysis&) = delete;
    DeviceAnalysis& operator=(const DeviceAnalysis&) = delete;

    /// Which bytes its figures count.
    Quantity quantity() const { return allocations.quantity(); }
    const Device& info() const { return trace->devices[device]; }

    /// Kept once: where times are irregular, making one costs a pass over them.
    /// Aligned: by step, where steps are known, else by event.
    const EventScale& scale(AxisKind axis) const
    {
        if (axis == AxisKind::Aligned && byStep)
            return *byStep;
        return axis == AxisKind::Time ? byTime : byEvent;
    }
    /// Whether it has that axis.
    bool hasAxis(AxisKind axis) const
    {
        return axis == AxisKind::Event
            || (axis == AxisKind::Time ? trace->hasTimes(device) : byStep.has_value());
    }
    /// The least of each step; worked out when it is first asked for.
    const std::vector<Bytes>& lowestOfSteps() const;

    const std::shared_ptr<const Trace> trace;
    const DeviceIndex device;
    const AnalysisChoice choice;
    const DeviceStudy study; ///< what the next ones and `phases`, `steps`, `categories` are parts of
    const AllocationTable& allocations;
    const UsageCurve& curve;
    const DeviceFigures& figures; ///< in the quantity of `allocations`
    const std::optional<DeviceCapacity> capacity; ///< as far as the file tells
    const CallSites& sites;
    const LiveIndex live;
    const EventScale byEvent;
    const EventScale byTime; ///< of use only where the device has times
    const PhaseTable& phases;
    const StepTable& steps;
    const std::optional<EventScale> byStep;
    const CategoryTable& categories;
    const KnownNumbers numbers; ///< that shapes of tensors are made of
    const std::vector<CategoryBytes> categoriesAtStepPeaks; ///< parallel to `steps`
    const std::shared_ptr<const HeldBlocks> held;
    const std::vector<BandMode> bandModes; ///< those that show more than one group; Allocations comes first
    const std::shared_ptr<const BandGroups> siteGroups;
    const std::shared_ptr<const BandGroups> siteStack; ///< the bands of mode Site as they lie
    const std::shared_ptr<const BandPalette> sitePalette;
    const std::shared_ptr<const BandGroups> categoryGroups;
    const SiteSteps siteSteps; ///< at the peak
    const std::shared_ptr<const BandPalette> categoryPalette;

    /// Colours of single allocations: by category, or by call site if categories do not divide them.
    const std::shared_ptr<const BandPalette>& allocationPalette() const;

private:
    Lazy<std::vector<Bytes>> m_lowestOfSteps;
};

/// Its study, which keeps it alive.
inline std::shared_ptr<const DeviceStudy> studyOf(const std::shared_ptr<const DeviceAnalysis>& analysis)
{
    return {analysis, &analysis->study};
}

/// One of its own scales, which keeps it alive.
std::shared_ptr<const EventScale> ownScale(
    const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis);

} // namespace highwater::gui
