#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/stacks/source_files.h"
#include "core/analysis/usage/allocations.h"
#include "core/base/hash.h"
#include "core/trace/trace.h"

namespace highwater {

using SiteId = StrongId<struct SiteTag>;

/// The way in which a call site was found, best first.
enum class SiteKind : std::uint8_t
{
    User, ///< innermost Python frame of code other than torch and the standard library; may be of a package
    Backward, ///< no user frame, but an autograd frame in C++: backward runs on C++ threads
    Library, ///< innermost Python frame of torch or the standard library
    Native, ///< C++ frames only, no autograd: the operator or the innermost meaningful frame
    NoStack, ///< no stack; the key gives the reason
};

/// The beginning of key and label of a site where memory was freed (`CallSite::freed`).
inline constexpr std::string_view kFreedBy = "freed by ";

/// The place in the code that a developer would name as the origin of an allocation.
struct CallSite
{
    SiteKind kind = SiteKind::NoStack;
    std::string
        key; ///< unique: "run_softmax (/…/adapters.py:817)", "backward · BmmBackward0", "(no stack: …)"
    std::string label; ///< short, for legends: "run_softmax (adapters.py:817)"
    /// True if the memory was freed at this site. It was allocated before the trace, at an unknown place.
    bool freed = false;
};

/// Makes the label of a site from its key alone: "validate (train.py:22)" from "validate
/// (/workspace/train.py:22)". Other keys are returned unchanged.
std::string siteLabel(std::string_view key);

/// Returns the autograd node that a C++ frame, or an operator of a profiler trace, runs: "BmmBackward0" for
/// "torch::autograd::generated::BmmBackward0::apply(…)". Empty for other functions.
std::string_view autogradNode(std::string_view function);

/// Returns the line of code that a developer looks at first: the innermost Python frame of the user's code,
/// else the innermost Python frame; isNone() without a Python frame. O(frames).
FrameId codeFrame(const Trace& trace, StackId stack);

/// Returns the code that requested memory: the innermost Python frame, and its innermost caller in the user's
/// own code, which is also the place that a diagnosis names ("update_nodes (models.py:181) [relu
/// (functional.py:1701)]"). Without such a caller, it names the innermost caller in a package other than
/// torch and the standard library. If the innermost frame is itself the user's code, its next caller outside
/// torch and the standard library follows ("score (evaluate.py:33) ← main (evaluate.py:58)"). For a stack
/// with only C++ frames, returns the label of its call site; empty without a stack. O(frames), plus
/// O(functions) if only C++ frames exist.
std::string requesterText(const Trace& trace, StackId stack);

/// The call sites of one device's allocations, numbered by `SiteId` from 0 on. Texts are made on request, so
/// it takes about 10 bytes per site, and 4 bytes per stack of the trace. The trace and the table must outlive
/// the object.
class CallSites
{
public:
    /// O(allocations + stacks, frames and functions of the trace).
    CallSites(const Trace& trace, const AllocationTable& allocations);

    std::size_t size() const { return m_kinds.size(); }
    SiteId of(AllocationIndex allocation) const;
    /// Returns the site with its texts. O(length of the texts).
    CallSite site(SiteId id) const;
    SiteKind kind(SiteId id) const { return m_kinds[id.index()]; }
    /// Returns `CallSite::freed` without making the texts.
    bool isFreed(SiteId id) const { return (m_details[id.index()] & kFreedBit) != 0; }
    /// Returns the frame of a User or Library site; it isNone() for other kinds.
    FrameId frame(SiteId id) const { return m_frames[id.index()]; }
    /// Returns the site with this key; isNone() if there is none. O(length of all keys).
    SiteId siteWithKey(std::string_view key) const;

private:
    static constexpr std::uint32_t kFreedBit = 1; ///< set if `CallSite::freed` is true

    class Finder;

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    std::vector<FrameId> m_frames; ///< by site
    std::vector<SiteKind> m_kinds; ///< by site
    std::vector<std::uint32_t>
        m_details; ///< by site: kFreedBit; the higher bits are the index of its text, if it has no frame
    std::vector<std::string> m_texts;
    std::vector<SiteId> m_siteOfStack; ///< for stacks of alloc events; one more entry for no stack
    NumberMap<std::uint64_t, SiteId> m_siteOfOtherStack; ///< for all other stacks, by stack and origin
};

/// Returns a mask by allocation: true if it belongs to the call site with this key. O(allocations +
/// length of all keys).
std::vector<bool> allocationsOf(
    const CallSites& sites, const AllocationTable& allocations, std::string_view key);

} // namespace highwater
