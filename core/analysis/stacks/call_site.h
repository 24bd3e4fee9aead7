#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/base/hash.h"
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
/// Whether a Python file is the user's own: neither of these, nor of an installed package.
bool isUserFile(std::string_view file);

/// The autograd node applied by a C++ frame: "BmmBackward0" for
/// "torch::autograd::generated::BmmBackward0::apply(…)"; empty for other frames.
std::string_view autogradNodeOf(std::string_view function);

/// Who asked, in short: the innermost Python frame, and the next one of the user's own code that calls it
/// ("relu functional.py:1701 ← update_nodes models.py:181"); of C++ frames alone their call site. Empty
/// without a stack. O(frames).
std::string requesterText(const Trace& trace, StackId stack);

/// Call sites of all stacks that the allocations of one device have: some 20 bytes each, since their texts
/// are made when asked for. Points to the allocations and their trace.
class CallSites
{
public:
    CallSites(const Trace& trace, const AllocationTable& allocations);

    std::size_t size() const { return m_kinds.size(); }
    SiteId of(AllocationIndex allocation) const;
    /// With its texts. O(length of the texts).
    CallSite site(SiteId id) const;
    SiteKind kind(SiteId id) const { return m_kinds[id.index()]; }
    /// As CallSite::freed.
    bool isFreed(SiteId id) const { return (m_details[id.index()] & kFreedBit) != 0; }
    /// The frame of a User or Library site; none: the site is of another kind.
    FrameId frame(SiteId id) const { return m_frames[id.index()]; }
    /// The site of that key; none: no site has it. O(sites).
    SiteId withKey(std::string_view key) const;

private:
    static constexpr std::uint32_t kFreedBit = 1; ///< memory that was freed there

    class Finder;

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    std::vector<FrameId> m_frames; ///< by site
    std::vector<SiteKind> m_kinds; ///< by site
    std::vector<std::uint32_t>
        m_details; ///< by site: kFreedBit; above it the number of its text, if without a frame
    std::vector<std::string> m_texts;
    std::vector<SiteId> m_ofStack; ///< of what an allocation event made; one more, for no stack
    NumberMap<std::uint64_t, SiteId> m_ofOther; ///< by stack and origin
};

/// By index of the allocation: whether it is of the call site with that key. O(allocations + sites).
std::vector<bool> allocationsOf(
    const CallSites& sites, const AllocationTable& allocations, std::string_view key);

} // namespace highwater
