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
    Outside, ///< allocated by Python code that runs in no module
    /// Allocated by autograd, whose threads have no Python frames; the blocks that it frees show no module.
    Backward,
    NoFrames, ///< no Python frame is known
    Recomputed, ///< a checkpoint runs a module again in backward, and the frames do not show which
};
inline constexpr std::size_t kNoModuleReasons = 4;

/// The evidence for the module of an allocation, best first.
enum class ModuleSource : std::uint8_t
{
    Label, ///< a label that the program recorded (RecordedLabels)
    Frames, ///< the frames of its stack
    Backward, ///< the module of the block that autograd frees next: see ModuleTable
};
inline constexpr std::size_t kModuleSourceCount = 3;

/// The name of a module as a recording gives it.
enum class ModuleNaming : std::uint8_t
{
    Label, ///< the program gives its name in a label
    Instance, ///< a profiler gives its class and a number
    Function, ///< nothing; the frames show the function that it runs
};

/// A module of the run, as far as labels and stacks show it.
struct ModuleNode
{
    ModuleId caller; ///< the enclosing module; isNone() for the outermost
    ModuleCallId call; ///< isNone() if a label names the module
    /// Number of the call, from 0, among the calls from one place during one call of the enclosing module:
    /// the layers of a loop. −1 if there is only one such call, or if the module only has memory from before
    /// the recording, whose order is unknown. For a label, the number in its name, or −1.
    std::int32_t number = -1;
    std::uint32_t label = 0; ///< index into ModuleTable's labels, if `call` isNone()
};

/// Finds the module in which each allocation of a device was made.
///
/// A recorded label gives the module directly: "layers.3.mlp" is mlp in layers.3, and a text attached to the
/// allocation is a module below. Without a label, the module is inferred from frames. A new call from the
/// same place (the next layer) is recognised because the first allocation of the previous call is repeated,
/// with its stack and size, after other allocations. Consecutive layers with a single allocation each
/// therefore count as one. Calls of the outermost module (a forward of the model) are counted as passes and
/// share their nodes. Memory of backward has no Python frames. Autograd frees the blocks that an operation
/// saved right after the backward of the operation. So memory that autograd allocates belongs to a layer
/// around the module of the block that it frees next, if no Python code allocates in between (see
/// `inferBackward`).
class ModuleTable
{
public:
    /// Costs O(allocations × (depth of modules + log allocations) + frames + stacks). All arguments must
    /// outlive the table.
    ModuleTable(const Trace& trace, const AllocationTable& allocations, const CallSites& sites);

    /// Returns the module of an allocation; isNone() if it is in no module, and then `reason` gives the
    /// reason.
    ModuleId of(AllocationIndex i) const { return m_moduleOf[i]; }
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
    /// Returns the name that the recording gives: "layers.3" by a label, "Linear_2" by a profiler, else the
    /// function and the number of the call, "forward block.py [3]". Recordings of other runs have the same.
    std::string name(ModuleId id) const;
    /// Returns `name` with the lines of the function: "forward (block.py:62–70) [3]".
    std::string title(ModuleId id) const;
    /// Returns the title that all modules of the loop share: "layers", "Linear", "forward (block.py:62–70)".
    std::string kindTitle(ModuleId id) const;
    /// Returns the number of a layer or of an instance; −1 if there is none.
    std::int32_t number(ModuleId id) const;
    ModuleNaming naming(ModuleId id) const;
    /// Returns the class of the module; empty if the recording does not show it (`ModuleCalls::className`).
    std::string className(ModuleId id) const;
    /// Returns "gpt2.py:66–80 / block.py:62–70 [3]", or "gpt2.py:66–80 / Linear (gpt2.py:72)". With
    /// `isPlaced`, the outermost module has the line that calls it: "gpt2.py:66–80 from train.py:9 /
    /// block.py:62–70 [3]".
    std::string shortPath(ModuleId id, bool isPlaced = false) const;
    /// Returns a text that modules have in common if one place calls them with the same code, or if their
    /// names differ by a number only: "forward block.py (gpt2.py:66)".
    std::string kind(ModuleId id) const;
    /// Returns what a module has in common with the others of its loop: the path without its own number.
    std::string family(ModuleId id) const;
    /// Returns "gpt2.py:66", the line that calls the module; empty for a label.
    std::string calledAt(ModuleId id) const;
    /// Returns "forward gpt2.py (train.py:9) / forward block.py [3] (gpt2.py:66)", which is unique.
    std::string path(ModuleId id) const;
    /// Returns the innermost module that contains both, which may be one of the two; isNone() if there is
    /// none.
    ModuleId commonOf(ModuleId a, ModuleId b) const;

private:
    class Builder;
    std::string baseName(ModuleId id) const;
    std::string numbered(std::string text, ModuleId id) const;
    std::string shortTitle(ModuleId id) const;
    void inferBackward();
    /// Returns the outermost numbered module (a layer of a loop) among `id` and the modules around it; else
    /// the module around `id`, or `id` if it is the outermost.
    ModuleId layerOf(ModuleId id) const;

    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    ModuleCalls m_calls;
    std::vector<ModuleNode> m_nodes; ///< callers come before what they call
    std::vector<std::string> m_labels; ///< the parts of labels that name a module
    std::vector<ModuleId> m_moduleOf;
    std::vector<ModuleSource> m_source;
    std::vector<std::uint32_t> m_pass;
};

/// Returns a text for a row of a table: "(outside of modules)", …
std::string_view titleOf(NoModule reason);
/// Returns "label", "frames", "backward".
std::string_view toText(ModuleSource source);

} // namespace highwater
