#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/modules/module_calls.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

using ModuleId = StrongId<struct ModuleTag>;

/// Reason why an allocation is in no module.
enum class NoModule : std::uint8_t
{
    Outside, ///< made by Python code that runs in no module
    /// Made by autograd, whose threads have no Python frames; what it frees next shows no module either.
    Backward,
    NoFrames, ///< no Python frame is known
    Recomputed, ///< a checkpoint runs a module again in backward, and the frames do not show which
};
inline constexpr std::size_t kNoModules = 4;

/// The evidence for the module of an allocation, best first.
enum class ModuleSource : std::uint8_t
{
    Label, ///< a label that the program recorded (RecordedLabels)
    Frames, ///< the frames of its stack
    Backward, ///< memory that backward frees next: see ModuleTable
};
inline constexpr std::size_t kModuleSources = 3;

/// A module of the run, as far as labels and stacks show it.
struct ModuleNode
{
    ModuleId caller; ///< the module around it; isNone() for the outermost
    ModuleCallId call; ///< isNone() if a label names the module
    /// Number of the call among those that one place makes during one call of the module around it, from 0:
    /// the layers of a loop over them. −1 if it makes only one, or if only memory allocated before recording
    /// began is in the module, whose order is unknown. For a label, the number in its name, or −1.
    std::int32_t number = -1;
    std::uint32_t label = 0; ///< index into ModuleTable's names, if `call` isNone()
};

/// The module in which each allocation of a device was made.
///
/// A label names it: "layers.3.mlp" is mlp in layers.3; a text attached to the allocation is below its
/// module. Without a label, it is inferred from frames. Two calls from one place are told apart if the first
/// allocation of the earlier one comes again, with its stack and size, after others; layers that make a
/// single allocation each, in a row, count as one. Calls of the outermost module (a forward of the model) are
/// counted as passes, and share their nodes. Backward has no Python frames. Autograd frees what an
/// operation saved right after the operation's backward. So memory that it allocates belongs to the modules
/// of the block that it frees next, if no Python code allocates in between: to a layer around the module that
/// made that block and the one that allocated after it (see `inferBackward`).
class ModuleTable
{
public:
    /// Costs O(allocations × (depth of modules + log allocations) + frames + stacks). All arguments must
    /// outlive the table.
    ModuleTable(const Trace& trace, const AllocationTable& allocations, const CallSites& sites);

    /// Returns the module of an allocation; isNone() if it is in no module, and then `reason` gives the
    /// reason.
    ModuleId of(AllocationIndex i) const { return m_of[i]; }
    NoModule reason(AllocationIndex i) const;
    /// Valid only if `of` is a module.
    ModuleSource source(AllocationIndex i) const { return m_source[i]; }
    /// Returns which call of the outermost module made the allocation, from 0; also 0 if it was allocated
    /// before recording began, or if only a label names its module. Valid only if `of` is a module.
    std::uint32_t pass(AllocationIndex i) const { return m_pass[i]; }
    const ModuleNode& node(ModuleId id) const { return m_nodes[id.index()]; }
    std::size_t size() const { return m_nodes.size(); }
    /// Returns the number of modules around `id`, `id` included; 0 if `id` isNone().
    int depth(ModuleId id) const;
    /// Returns the module around `id` at that depth, or `id` if it is no deeper.
    ModuleId outer(ModuleId id, int depth) const;
    /// Returns "block[3]".
    std::string name(ModuleId id) const;
    /// Returns "gpt2.py:66", the line that calls the module; empty for a label.
    std::string calledAt(ModuleId id) const;
    /// Returns "gpt2 (train.py:9) / block[3] (gpt2.py:66)", which is unique.
    std::string path(ModuleId id) const;
    /// Returns the innermost module around both, which may be one of them; isNone() if there is none.
    ModuleId commonOf(ModuleId a, ModuleId b) const;

private:
    class Builder;
    void inferBackward();
    /// Returns the outermost module of which one place calls several, among `id` and those around it; else
    /// the module around `id`, or `id` if it is outermost.
    ModuleId layerOf(ModuleId id) const;

    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    ModuleCalls m_calls;
    std::vector<ModuleNode> m_nodes; ///< callers come before what they call
    std::vector<std::string> m_labels; ///< the parts of labels that name a module
    std::vector<ModuleId> m_of;
    std::vector<ModuleSource> m_source;
    std::vector<std::uint32_t> m_pass;
};

/// Returns "(outside of modules)", …
std::string_view titleOf(NoModule reason);
/// Returns "label", "frames", "backward".
std::string_view toText(ModuleSource source);

} // namespace highwater
