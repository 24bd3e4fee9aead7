#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/detectors/worth_saying.h"
#include "core/analysis/steps/stack_roles.h"

namespace highwater {

/// Finds the line that calls the model whose modules allocate.
class ModelCallers
{
public:
    /// O(frames + stacks). The trace must outlive it.
    explicit ModelCallers(const Trace& trace);

    /// Returns a number for the stack that calls the outermost module; 0 outside modules, where batches and
    /// losses are made.
    std::uint32_t callerOf(StackId stack);

private:
    const Trace& m_trace;
    StacksWith m_inModule;
    std::vector<std::uint32_t> m_known; ///< by stack id; 0 if not yet computed
};

/// True if autograd's engine freed the allocation: it frees what it has used on threads that run no Python.
bool isFreedByBackward(const DeviceStudy& study, const StackRoles& roles, AllocationIndex allocation);

/// Returns the largest call sites of some allocations, three at most: "2.00 GiB from forward model.py:53, …".
std::string largestSites(const DeviceStudy& study, const std::vector<AllocationIndex>& some);

} // namespace highwater
