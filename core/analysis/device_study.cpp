#include "core/analysis/device_study.h"

namespace highwater {

DeviceStudy::DeviceStudy(const Trace& ofTrace, DeviceIndex ofDevice, const std::vector<CategoryRule>& rules)
    : trace(ofTrace)
    , device(ofDevice)
    , allocations(trace, device)
    , curve(trace, allocations)
    , sites(trace, allocations)
    , phases(findPhases(trace, device))
    , steps(findSteps(trace, allocations, curve, phases))
    , categories(categorize(trace, allocations, phases, steps, rules))
{
}

} // namespace highwater
