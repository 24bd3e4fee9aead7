#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/trace.h"

namespace highwater {

/// True if any frame calls or names a module. O(functions).
bool callsModules(const Trace& trace);

/// Identifies a module call together with the calls around it. Repeated calls from one place have the same
/// ID.
using ModuleCallId = StrongId<struct ModuleCallTag>;

/// A module and the place that calls it. Snapshots do not record which module is called, only frames. A
/// function that `nn.Module.__call__` runs is identified by that function and by the line that made the call.
/// Profiler traces name modules: "nn.Module: Linear_2".
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
    std::int32_t firstLine = 0; ///< the lines of the function in the stacks of the call; 0 if unknown
    std::int32_t lastLine = 0;
    StringId library = {}; ///< the function of torch.nn.functional that the function calls; may be none
};

/// The module calls of every stack of a trace.
class ModuleCalls
{
public:
    /// Calls nested deeper than this count as part of the last one, so that a hostile file cannot nest
    /// without limit.
    static constexpr int kDeepest = 64;
    /// Profiler traces put this before the name of a module.
    static constexpr std::string_view kNamedPrefix = "nn.Module: ";

    /// Costs O(frames + stacks). The trace must outlive it.
    explicit ModuleCalls(const Trace& trace);

    /// Returns the innermost module call in the stack; isNone() if the stack contains none.
    ModuleCallId callOf(StackId stack) const
    {
        return stack.isNone() ? ModuleCallId() : m_ofStack[stack.index()];
    }
    const ModuleCall& call(ModuleCallId id) const { return m_calls[id.index()]; }
    std::size_t size() const { return m_calls.size(); }
    /// Returns the calls from the outermost to this one.
    std::vector<ModuleCallId> chain(ModuleCallId id) const;
    /// True if the trace gives the name of the module, so that calls of one name are calls of one module.
    bool isNamed(ModuleCallId id) const;
    /// Returns the function that the call runs, "forward gpt2.py"; "Linear_2" if the trace names the module.
    std::string name(ModuleCallId id) const;
    /// Returns `name` with the lines of the function that the stacks show: "forward (gpt2.py:62–70)", or
    /// "Linear_2:62–70" if the trace names the module.
    std::string title(ModuleCallId id) const;
    /// Returns the class of the module if the recording shows it: "Linear" for "Linear_2", and for code of
    /// torch.nn that belongs to one class. A subclass without a `forward` of its own has the class whose
    /// `forward` runs. Empty if unknown.
    std::string className(ModuleCallId id) const;
    /// Returns "gpt2.py:70"; empty if unknown.
    std::string calledAt(ModuleCallId id) const;

private:
    struct Reading;
    class Numbering;
    void readPlain(Reading& reading, Numbering& numbering, FrameId frame);

    const Trace& m_trace;
    std::vector<ModuleCall> m_calls;
    std::vector<ModuleCallId> m_ofStack; ///< by stack id
};

} // namespace highwater
