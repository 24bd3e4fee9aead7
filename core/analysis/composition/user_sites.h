#pragma once

#include <string>

#include "core/analysis/composition/composition.h"

namespace highwater {

/// The place in the user's own code that an allocation is owed to, and what it called there:
///   "step (/app/train.py:42) [forward (/…/transformers/modeling_llama.py:210)]".
/// The first is the innermost Python frame outside of all installed packages; in brackets stands the call
/// site where that is a package's, else torch's innermost frame, wrappers of calls left aside. Without such a
/// frame it is the call site itself.
struct UserSite
{
    std::string key; ///< with whole paths: different for different places
    std::string label; ///< short: "step train.py:42 [forward modeling_llama.py:210]"
};

/// O(frames).
UserSite userSiteOf(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    AllocationIndex allocation);

/// What was live right after `event` (−1: before the first), by user site. O(allocations).
Composition userSitesAt(
    const Trace& trace, const AllocationTable& allocations, const CallSites& sites, std::int64_t event);

} // namespace highwater
