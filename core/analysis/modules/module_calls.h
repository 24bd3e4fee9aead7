#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/trace.h"

namespace highwater {

/// True if any frame calls a module. O(functions).
bool callsModules(const Trace& trace);

/// Identifies a module call together with the calls around it. Repeated calls from one place have the same
/// ID.
using ModuleCallId = StrongId<struct ModuleCallTag>;

/// A module and the place that calls it. Snapshots do not record which module is called, only frames. A
/// function that `nn.Module.__call__` runs is identified by that function and by the line that made the call.
/// Profiler traces name modules.
struct ModuleCall
{
    ModuleCallId caller; ///< the call of the enclosing module; isNone() for the outermost
    /// Index for StackTable::function: the function that the call runs, or the frame that names the module.
    std::size_t function = 0;
    /// The frame that calls the module; isNone() if the trace names modules, or if the stack begins with the
    /// call.
    FrameId calledAt;
    /// True if a checkpoint calls the module again in backward, where the frames do not show the layer.
    bool isRecomputed = false;
};

/// The module calls of every stack of a trace.
class ModuleCalls
{
public:
    /// Calls nested deeper than this count as part of the last one, so that a hostile file cannot nest
    /// without limit.
    static constexpr int kDeepest = 64;

    /// Costs O(frames + stacks). The trace must outlive it.
    explicit ModuleCalls(const Trace& trace);

    /// Returns the innermost module call in the stack; isNone() if the stack contains none.
    ModuleCallId of(StackId stack) const
    {
        return stack.isNone() ? ModuleCallId() : m_ofStack[stack.index()];
    }
    const ModuleCall& call(ModuleCallId id) const { return m_calls[id.index()]; }
    std::size_t size() const { return m_calls.size(); }
    /// Returns the calls from the outermost to this one.
    std::vector<ModuleCallId> chain(ModuleCallId id) const;
    /// True if the trace gives the name of the module, so that calls of one name are calls of one module.
    bool isNamed(ModuleCallId id) const;
    /// Returns "linear", after the file whose code the call runs; "Linear_2" if the trace names it.
    std::string name(ModuleCallId id) const;
    /// Returns "gpt2.py:70"; empty if unknown.
    std::string calledAt(ModuleCallId id) const;

private:
    const Trace& m_trace;
    std::vector<ModuleCall> m_calls;
    std::vector<ModuleCallId> m_ofStack; ///< by stack id
};

} // namespace highwater
