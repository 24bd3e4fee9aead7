#pragma once

#include <string>

#include "core/analysis/composition/composition.h"

namespace highwater {

/// The place in the user's own code that made an allocation, and the library function that it called there:
/// "step (/app/train.py:42) [forward (/…/transformers/modeling_llama.py:210)]". The first part is the
/// innermost Python frame outside all installed packages. The part in brackets is the call site if that is in
/// a package, else torch's innermost frame, without wrappers of calls. If there is no user frame, the user
/// site is the call site itself.
struct UserSite
{
    std::string key; ///< with whole paths, so different places have different keys
    std::string label; ///< short: "step (train.py:42) [forward (modeling_llama.py:210)]"
};

/// Returns the user site of one allocation. O(frames of its stack).
UserSite findUserSite(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    AllocationIndex allocation);

/// Groups the memory that was live right after `event` (−1: before the first) by user site. O(allocations +
/// sites × log sites).
Composition userSitesAt(
    const Trace& trace, const AllocationTable& allocations, const CallSites& sites, std::int64_t event);

} // namespace highwater
