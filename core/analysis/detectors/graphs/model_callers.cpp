#include "core/analysis/detectors/graphs/model_callers.h"

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// True for functions that run a module's forward, by their names.
bool callsModules(std::string_view function)
{
    return function == "forward" || function == "_call_impl" || function == "_wrapped_call_impl";
}

} // namespace

ModelCallers::ModelCallers(const Trace& trace)
    : m_trace(trace)
    , m_inModule(StacksWith::function(trace, callsModules))
    , m_callerOf(trace.stacks.nodeCount())
{
}

std::uint32_t ModelCallers::callerOf(StackId stack)
{
    if (!m_inModule.contains(stack))
        return 0;
    std::uint32_t& callerNumber = m_callerOf[stack.index()];
    if (callerNumber == 0) {
        const StackId caller = m_trace.stacks.caller(stack);
        callerNumber
            = m_inModule.contains(caller) ? callerOf(caller) : static_cast<std::uint32_t>(caller.index()) + 1;
    }
    return callerNumber;
}

bool isFreedByBackward(const DeviceStudy& study, const StackRoles& roles, AllocationIndex allocation)
{
    const std::int64_t death = study.allocations.death(allocation);
    if (death == AllocationTable::kNeverFreed)
        return false;
    const StackRole role = roles.roleOf(study.trace.events.stack[study.trace.row(study.device, death)]);
    return role.hasPython || role.hasNative ? role.phase == Phase::Backward
                                            : study.phases.at(death) == Phase::Backward;
}

std::string largestSites(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    const GroupedAllocations bySite
        = groupAllocations(study.trace, study.allocations, study.sites, blocks, GroupKey::Site);
    std::string text;
    Bytes restBytes = bySite.composition.bytes;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, bySite.composition.groups.size()); ++i) {
        const CompositionGroup& group = bySite.composition.groups[i];
        restBytes -= group.bytes;
        text += fmt::format("{}{} from {}", i == 0 ? "" : ", ", formatBytes(group.bytes),
            study.sites.site(study.sites.of(group.example)).label);
    }
    return restBytes > 0 ? fmt::format("{}, {} from elsewhere", text, formatBytes(restBytes)) : text;
}

} // namespace highwater
