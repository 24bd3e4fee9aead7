#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/steps/stack_roles.h"

namespace highwater {

/// Finds the caller of the model for stacks that allocate within its modules. The trace must outlive it.
class ModelCallers
{
public:
    /// Costs O(frames + stacks).
    explicit ModelCallers(const Trace& trace);

    /// Returns a number that identifies the stack which calls the outermost module. 0 for stacks outside
    /// modules, where batches and losses are made. O(1) on average: answers are stored.
    std::uint32_t callerOf(StackId stack);

private:
    const Trace& m_trace;
    StacksWith m_inModule;
    std::vector<std::uint32_t> m_callerOf; ///< by stack id; 0 if not yet computed
};

/// True if a backward freed the allocation. Autograd's engine frees what it has used on threads that run no
/// Python, so the stack of the free or else the phase decides.
bool isFreedByBackward(const DeviceStudy& study, const StackRoles& roles, AllocationIndex allocation);

/// Returns the call sites with most bytes among some allocations, three at most, and the rest: "2 GiB from
/// forward (model.py:53), …, 1 GiB from elsewhere".
std::string largestSites(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks);

} // namespace highwater
