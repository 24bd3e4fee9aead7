#include "core/analysis/device/device_study.h"

#include <fmt/format.h>

#include "core/analysis/device/lost_start.h"

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
    steps.startsLate = lostStart(allocations).has_value();
}

std::string DeviceStudy::placeText(std::int64_t event) const
{
    const std::string step = steps.placeText(event);
    const Phase phase = phases.at(event);
    if (phase == Phase::Unknown || phases.gradeAt(event) != Grade::A)
        return step;
    constexpr std::string_view kIn = "in ";
    return step.starts_with(kIn)
        ? fmt::format("in the {} of {}", phaseNoun(toText(phase)), step.substr(kIn.size()))
        : fmt::format("in {}{}{}", toText(phase), step.empty() ? "" : ", ", step);
}

} // namespace highwater
