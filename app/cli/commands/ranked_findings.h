#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/input/run_input.h"
#include "core/study/finding_place.h"

namespace highwater::cli {

/// A finding, the file with it, and all ranks that have it.
struct RankedFinding
{
    Finding finding;
    std::string path;
    std::vector<RunMember> ranks; ///< empty if the run has one rank; `finding` has the figures of the first
    bool differs = false; ///< some of the ranks have other figures
    bool isNamed = false; ///< the diagnosis names it
    std::optional<FailurePlace> place = {}; ///< nullopt if unknown, or if the main rank lacks the finding
    std::string fit = {}; ///< sentence on the GPU of `--gpu`, if the finding's fix saves memory
};

/// Returns the findings in reading order: the one that the diagnosis names, then as `readsBefore` sorts them.
/// The pointers are into `all`.
std::vector<const RankedFinding*> inReadingOrder(const std::vector<RankedFinding>& all);

/// Returns the findings of the main rank, with sentences on the chosen GPU if `hasGpu`, and those that only
/// other ranks have, in the order of `comesBefore`.
std::vector<RankedFinding> collectFindings(const Run& run, bool hasGpu);

} // namespace highwater::cli
