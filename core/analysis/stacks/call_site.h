#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/trace/trace.h"

namespace highwater {

using SiteId = StrongId<struct SiteTag>;

/// How a call site was found, best first.
enum class SiteKind : std::uint8_t
{
    User, ///< innermost Python frame outside of torch and the standard library
    Backward, ///< no such frame; an autograd node among the C++ frames (backward runs on C++ threads)
    Library, ///< innermost Python frame of torch or the standard library
    Native, ///< C++ frames only, no autograd: the operator or the innermost meaningful frame
    NoStack, ///< no stack; the key says why
};

/// The place that a developer would name as the origin of an allocation.
inline constexpr std::string_view kFreedBy = "freed by ";

struct CallSite
{
    SiteKind kind = SiteKind::NoStack;
    std::string
        key; ///< unique: "run_softmax (/…/adapters.py:817)", "backward · BmmBackward0", "(no stack: …)"
    std::string label; ///< short, for legends: "run_softmax adapters.py:817"
    /// The site is where the memory was freed: it was allocated before the trace, and where is not known. Key
    /// and label begin with kFreedBy.
    bool freed = false;
};

/// Whether a Python file belongs to torch or to the standard library.
bool isLibraryFile(std::string_view file);

/// The autograd node applied by a C++ frame: "BmmBackward0" for
/// "torch::autograd::generated::BmmBackward0::apply(…)"; empty for other frames.
std::string_view autogradNodeOf(std::string_view function);

/// Who asked, in short: the innermost Python frame, and the next one of the user's own code that calls it
/// ("relu functional.py:1701 ← update_nodes models.py:181"); of C++ frames alone their call site. Empty
/// without a stack. O(frames).
std::string requesterText(const Trace& trace, StackId stack);

/// Call sites of all stacks that the allocations of one device have.
class CallSites
{
public:
    CallSites(const Trace& trace, const AllocationTable& allocations);

    std::size_t size() const { return m_sites.size(); }
    const CallSite& site(SiteId id) const { return m_sites[id.index()]; }
    SiteId of(AllocationIndex allocation) const { return m_ofSlot[slotOf(allocation)]; }

private:
    /// Index under which the site of an allocation is stored: sites differ by stack, and by what the stack
    /// describes.
    std::size_t slotOf(AllocationIndex allocation) const;
    SiteId intern(CallSite site);

    const AllocationTable& m_allocations;
    std::deque<CallSite> m_sites;
    tsl::robin_map<std::string_view, std::uint32_t> m_idOfKey; ///< keys of the sites
    std::vector<SiteId> m_ofSlot;
};

} // namespace highwater
