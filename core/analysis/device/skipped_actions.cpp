#include "core/analysis/device/skipped_actions.h"

#include <array>

namespace highwater {

std::vector<Action> skippedActions(const Trace& trace, DeviceIndex device)
{
    const Device& about = trace.devices[device];
    std::array<bool, 256> occurs{};
    for (std::uint32_t row = about.events.first; row < about.events.last; ++row)
        occurs[static_cast<std::size_t>(trace.events.action[row])] = true;
    const auto doesOccur = [&](Action action) { return occurs[static_cast<std::size_t>(action)]; };
    std::vector<Action> skipped;
    if (!about.addressesRecorded || doesOccur(Action::Free) || !trace.metadata.hasHistory)
        return skipped;
    if (doesOccur(Action::FreeCompleted) && !doesOccur(Action::FreeRequested))
        skipped.push_back(Action::FreeRequested);
    if (doesOccur(Action::FreeRequested) && !doesOccur(Action::FreeCompleted))
        skipped.push_back(Action::FreeCompleted);
    return skipped;
}

} // namespace highwater
