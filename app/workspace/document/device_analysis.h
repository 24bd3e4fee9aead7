#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/theme/band_palette.h"
#include "core/analysis/categories/categories.h"
#include "core/analysis/composition/band_groups.h"
#include "core/analysis/composition/kept_blocks.h"
#include "core/analysis/composition/step_figures.h"
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

namespace highwater::gui {

/// Options for analysing a device.
struct AnalysisChoice
{
    Quantity quantity = Quantity::Requested; ///< a quantity that `AllocationTable` can compute for the device
    StepRequest steps;
    std::vector<CategoryRule> rules;

    bool operator==(const AnalysisChoice&) const = default;
};

/// Everything that the window needs to know about one device, analysed with one set of options. The
/// constructor computes all of it; immutable afterwards. The members refer to each other, so a DeviceAnalysis
/// can be neither moved nor copied.
struct DeviceAnalysis
{
    /// Analyses the device in its own quantity, with the best source of steps and without rules.
    DeviceAnalysis(std::shared_ptr<const Trace> trace, DeviceIndex device);
    /// Analyses the device with other options. Each allocation has the same index whatever the options are.
    DeviceAnalysis(std::shared_ptr<const Trace> trace, DeviceIndex device, AnalysisChoice choice);
    DeviceAnalysis(const DeviceAnalysis&) = delete;
    DeviceAnalysis& operator=(const DeviceAnalysis&) = delete;

    /// Returns the kind of bytes that all figures count.
    Quantity quantity() const { return allocations.quantity(); }
    const Device& info() const { return trace->devices[device]; }

    /// Returns a stored scale, because making a scale takes a pass over all times if they are irregular. For
    /// AxisKind::Aligned, returns the scale by step if steps are known, else by event.
    const EventScale& scale(AxisKind axis) const
    {
        if (axis == AxisKind::Aligned && byStep)
            return *byStep;
        return axis == AxisKind::Time ? byTime : byEvent;
    }
    /// True if the device has this axis.
    bool hasAxis(AxisKind axis) const
    {
        return axis == AxisKind::Event
            || (axis == AxisKind::Time ? trace->hasTimes(device) : byStep.has_value());
    }

    const std::shared_ptr<const Trace> trace;
    const DeviceIndex device;
    const AnalysisChoice choice;
    const DeviceStudy study; ///< owns what the references below refer to
    const AllocationTable& allocations;
    const UsageCurve& curve;
    const DeviceFigures& figures; ///< in the quantity of `allocations`
    const std::optional<DeviceCapacity> capacity; ///< empty if the file does not contain it
    const CallSites& sites;
    const LiveIndex live;
    const EventScale byEvent;
    const EventScale byTime; ///< valid only if the device has times
    const PhaseTable& phases;
    const StepTable& steps;
    const std::optional<EventScale> byStep;
    const CategoryTable& categories;
    const KnownNumbers numbers; ///< numbers that tensor shapes are made of
    const std::shared_ptr<const KeptBlocks> keptBlocks;
    const StepPeaks atStepPeaks;
    const std::vector<BandMode> bandModes; ///< modes with more than one group; Allocations comes first
    const std::shared_ptr<const BandGroups> siteGroups;
    const std::shared_ptr<const BandGroups> siteStack; ///< bands of mode Site in stacking order
    const std::shared_ptr<const BandPalette> sitePalette;
    const std::shared_ptr<const BandGroups> categoryGroups;
    const SiteVariants siteVariants; ///< variants of colours of the call sites, by their bytes at the peak
    const SiteGuesses siteGuesses; ///< call sites whose bands are nearly grey
    const std::shared_ptr<const BandPalette> categoryPalette;

    /// Colours of single allocations: by category, or by call site if there is only one category.
    const std::shared_ptr<const BandPalette>& allocationPalette() const;
};

/// Returns the study of an analysis; the pointer keeps the analysis alive.
inline std::shared_ptr<const DeviceStudy> studyOf(const std::shared_ptr<const DeviceAnalysis>& analysis)
{
    return {analysis, &analysis->study};
}

/// Returns a scale of an analysis; the pointer keeps the analysis alive.
std::shared_ptr<const EventScale> ownScale(
    const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis);

} // namespace highwater::gui
