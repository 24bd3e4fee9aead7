#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/modules/module_calls.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

using ModuleId = StrongId<struct ModuleTag>;

/// Why an allocation is in no module.
enum class NoModule : std::uint8_t
{
    Outside, ///< Python code that runs in no module
    Backward, ///< autograd runs it, whose threads have no Python frames, and what it frees does not tell
    NoFrames, ///< no Python frame is known
    Recomputed, ///< a checkpoint runs a module again in backward, and the frames do not tell which
};
inline constexpr std::size_t kNoModules = 4;

/// What tells the module of an allocation, best first.
enum class ModuleSource : std::uint8_t
{
    Label, ///< the program recorded it (RecordedLabels)
    Frames, ///< the frames of its stack
    Backward, ///< what backward frees next: see ModuleTable
};
inline constexpr std::size_t kModuleSources = 3;

/// A module of the run, as far as labels and stacks tell.
struct ModuleNode
{
    ModuleId caller; ///< the module around it; none: the outermost
    ModuleCallId call; ///< none: it is named by a label
    /// Which of the calls that one place makes during one call of the module around it, from 0: the layers of
    /// a loop over them. −1: it makes only one.
    std::int32_t number = -1;
    std::uint32_t label = 0; ///< of ModuleTable's names, if `call` is none
};

/// The module in which each allocation of a device was made.
///
/// A label names it: "layers.3.mlp" is mlp in layers.3; a text attached to the allocation stands below its
/// module. Else it is inferred from frames: two calls of one place are told apart where the first allocation
/// of the earlier one comes again, with its stack and size, after others: layers of a single allocation, made
/// in a row, read as one. Calls of the outermost module (a forward of the model) are counted as passes, and
/// share their nodes. Backward has no Python frames. Autograd frees what a node saved for it right after it
/// ran, so what it allocates belongs to the module whose memory it frees next, if no Python code allocates
/// between the two.
class ModuleTable
{
public:
    /// O(allocations × depth of modules + stacks). All must outlive it.
    ModuleTable(const Trace& trace, const AllocationTable& allocations, const CallSites& sites);

    /// None: `reason` says why.
    ModuleId of(AllocationIndex i) const { return m_of[i]; }
    NoModule reason(AllocationIndex i) const;
    /// Only where `of` is a module.
    ModuleSource source(AllocationIndex i) const { return m_source[i]; }
    /// Which call of the outermost module made it, from 0; only where `of` is a module.
    std::uint32_t pass(AllocationIndex i) const { return m_pass[i]; }
    const ModuleNode& node(ModuleId id) const { return m_nodes[id.index()]; }
    std::size_t size() const { return m_nodes.size(); }
    /// How many modules are around it, itself included; 0 for none.
    int depth(ModuleId id) const;
    /// The module around it that is so deep, or itself where it is no deeper.
    ModuleId outer(ModuleId id, int depth) const;
    /// "block[3]".
    std::string name(ModuleId id) const;
    /// "gpt2.py:66": the line that calls it; empty for a label.
    std::string calledAt(ModuleId id) const;
    /// "gpt2 (train.py:9) / block[3] (gpt2.py:66)": unique.
    std::string path(ModuleId id) const;
    /// The innermost module around both, which may be one of them; none: there is none.
    ModuleId commonOf(ModuleId a, ModuleId b) const;

private:
    class Reader;
    void inferBackward();
    /// The outermost of several that one place calls, else the module around it.
    ModuleId layerOf(ModuleId id) const;

    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    ModuleCalls m_calls;
    std::vector<ModuleNode> m_nodes; ///< callers before what they call
    std::vector<std::string> m_labels; ///< the parts of labels that name a module
    std::vector<ModuleId> m_of;
    std::vector<ModuleSource> m_source;
    std::vector<std::uint32_t> m_pass;
};

/// "(outside of modules)", …
std::string_view titleOf(NoModule reason);
/// "label", "frames", "backward".
std::string_view toText(ModuleSource source);

} // namespace highwater
