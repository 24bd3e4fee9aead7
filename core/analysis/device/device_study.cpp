#include "core/analysis/device/device_study.h"

namespace highwater {

DeviceStudy::DeviceStudy(const Trace& ofTrace, DeviceIndex ofDevice, const std::vector<CategoryRule>& rules)
    : DeviceStudy(ofTrace, ofDevice, ofTrace.devices[ofDevice].quantity, rules)
{
}

DeviceStudy::DeviceStudy(const Trace& ofTrace, DeviceIndex ofDevice, Quantity quantity,
    const std::vector<CategoryRule>& rules, const StepRequest& stepRequest)
    : trace(ofTrace)
    , device(ofDevice)
    , allocations(trace, device, quantity)
    , curve(trace, allocations)
    , figures(convertedFigures(allocations, curve, deviceFigures(trace, device)))
    , sites(trace, allocations)
    , phases(findPhases(allocations))
    , steps(findSteps(trace, allocations, curve, phases, stepRequest))
    , categories(categorize(trace, allocations, phases, steps, rules))
    , guessed(guessedCategories(allocations, categories))
{
}

} // namespace highwater
