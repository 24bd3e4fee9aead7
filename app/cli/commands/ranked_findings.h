#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/input/run_input.h"
#include "core/study/finding_place.h"

namespace highwater::cli {

/// A rank with a finding, and the bytes of the finding there.
struct FindingRank
{
    RunMember member;
    Bytes bytes = 0;
};

/// A finding, the file with it, and all ranks that have it.
struct RankedFinding
{
    Finding finding;
    std::string path;
    std::vector<FindingRank> ranks; ///< empty if the run has one rank; `finding` has the figures of the first
    bool titleDiffers = false; ///< the title has figures that some of the ranks do not have
    bool detailsDiffer = false; ///< the evidence or the saving has such figures
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

/// Returns the title; if other ranks have other figures, it says whose these are: "Rank 1: the peak is 3
/// GiB".
std::string titleOf(const RankedFinding& found, const Run& run);
/// Returns "on all 4 ranks", "on ranks 0, 3; details of rank 0" or, if the figures of the title are those of
/// rank 1, "also on rank 0 (527 MiB)". Files of unknown rank are not called ranks: "in a.pickle, b.pickle".
/// The details, which may be those of one rank, are what is printed below the title (`hasDetails`).
std::string ranksText(const RankedFinding& found, const Run& run, bool hasDetails);

} // namespace highwater::cli
