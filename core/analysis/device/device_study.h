#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/categories/categories.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// All analyses of one device that tables, figures and reports need. Neither copied nor moved, because its
/// members refer to each other. The trace must outlive it.
struct DeviceStudy
{
    /// Computes all members, so it costs as much as all of their constructors and functions.
    DeviceStudy(const Trace& ofTrace, DeviceIndex ofDevice, const std::vector<CategoryRule>& rules = {});
    /// Uses a quantity that `AllocationTable` can give for the device.
    DeviceStudy(const Trace& ofTrace, DeviceIndex ofDevice, Quantity quantity,
        const std::vector<CategoryRule>& rules = {}, const StepRequest& stepRequest = {});
    DeviceStudy(const DeviceStudy&) = delete;
    DeviceStudy& operator=(const DeviceStudy&) = delete;

    const Device& about() const { return trace.devices[device]; }
    /// Returns "in the forward of step 14", "in forward, outside the steps", "in forward", "in step 14" or
    /// "outside the steps"; empty if neither is known. A phase that is likely or a guess is left out, because
    /// certain findings name the place. `peak-phase` gives it with its grade.
    std::string placeText(std::int64_t event) const;

    const Trace& trace;
    DeviceIndex device;
    AllocationTable allocations;
    UsageCurve curve;
    DeviceFigures figures; ///< in the quantity of the allocations
    CallSites sites;
    PhaseTable phases;
    StepTable steps;
    CategoryTable categories;
    GuessedCategories guessed; ///< over all allocations
};

} // namespace highwater
