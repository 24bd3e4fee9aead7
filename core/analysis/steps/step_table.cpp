#include "core/analysis/steps/step_table.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kNames
    = {"profiler-step", "optimizer-annotation", "nvtx", "log", "frames", "periodicity", "manual", "whole"};

} // namespace

std::string_view toText(StepSource source)
{
    return kNames[static_cast<std::size_t>(source)];
}

std::optional<StepSource> stepSourceFromText(std::string_view text)
{
    const auto found = std::find(kNames.begin(), kNames.end(), text);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<StepSource>(found - kNames.begin());
}

std::optional<std::size_t> StepTable::stepOf(std::int64_t event) const
{
    const auto after = std::upper_bound(steps.begin(), steps.end(), event,
        [](std::int64_t wanted, const Step& step) { return wanted < step.begin; });
    if (after == steps.begin() || std::prev(after)->end <= event)
        return std::nullopt;
    return static_cast<std::size_t>(after - steps.begin()) - 1;
}

} // namespace highwater
