#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/trace.h"

namespace highwater {

/// Whether any frame calls a module. O(functions).
bool callsModules(const Trace& trace);

/// A chain of modules that call each other, without telling apart the calls of one place.
using ModuleCallId = StrongId<struct ModuleCallTag>;

/// A module and the place that calls it. Snapshots do not record which module is called, only frames: one
/// between a call of `nn.Module.__call__` and what it runs is known by that function and by the line that
/// made the call. Profiler traces name modules.
struct ModuleCall
{
    ModuleCallId caller; ///< the module around it; none: the outermost
    std::size_t function = 0; ///< of StackTable::function: what the call runs; of a trace the module itself
    FrameId calledAt; ///< the frame that calls it; none: the trace names modules, or the stack begins there
    /// Called again by a checkpoint in backward, which does not tell from which layer.
    bool isRecomputed = false;
};

/// The module calls of every stack of a trace.
class ModuleCalls
{
public:
    /// No model nests deeper; what is below belongs to the last.
    static constexpr int kDeepest = 64;

    /// O(frames + stacks). The trace must outlive it.
    explicit ModuleCalls(const Trace& trace);

    /// The innermost module that the stack is in; none: none, or it has no such frames.
    ModuleCallId of(StackId stack) const
    {
        return stack.isNone() ? ModuleCallId() : m_ofStack[stack.index()];
    }
    const ModuleCall& call(ModuleCallId id) const { return m_calls[id.index()]; }
    std::size_t size() const { return m_calls.size(); }
    /// From the outermost to it.
    std::vector<ModuleCallId> chain(ModuleCallId id) const;
    /// Whether the trace names the module, so that each is one.
    bool isNamed(ModuleCallId id) const;
    /// "linear", after the file whose code the call runs; "Linear_2" where the trace names it.
    std::string name(ModuleCallId id) const;
    /// "gpt2.py:70"; empty where that is not known.
    std::string calledAt(ModuleCallId id) const;

private:
    const Trace& m_trace;
    std::vector<ModuleCall> m_calls;
    std::vector<ModuleCallId> m_ofStack; ///< by stack id
};

} // namespace highwater
