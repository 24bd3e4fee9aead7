#pragma once

#include <memory>
#include <vector>

#include "app/workspace/document/document.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/study/run_comparison.h"

namespace highwater::gui {

/// One side of a comparison: a device of an open file, analysed in the quantity common to both sides.
struct ComparedRun
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const BandPalette> palette; ///< gives groups that both runs have the same colour

    CurvePeak peak() const { return analysis->curve.peak(); }
};

/// Two runs and everything that does not depend on the compared moments. Immutable; made on a worker thread.
struct Comparison
{
    ComparedRun before;
    ComparedRun after;
    bool isInferred = false; ///< allocated bytes of one run were computed from the allocator's rounding rule
    RunComparison runs;
    std::vector<RunAxis> axes; ///< axes that both runs support, best first

    std::shared_ptr<const RunAlignment> align(RunAxis axis) const;
};

/// A run chosen for a comparison: one device of an open file.
struct RunChoice
{
    std::shared_ptr<const Document> document;
    DeviceIndex device = 0; ///< index in `Document::devices`
    std::vector<ConfigurationEntry> settings = {}; ///< entries of the run's configuration file
    bool isAllocated = false; ///< compare allocated bytes if both runs have them

    bool operator==(const RunChoice&) const = default;
};

/// Compares the runs, whose devices must exist. Fails with BadRequest if their quantities cannot be compared.
/// O(allocations + frames + stacks + steps); also O(events) if a run has to be analysed in another quantity.
Result<std::shared_ptr<const Comparison>> compareRuns(const RunChoice& before, const RunChoice& after);

} // namespace highwater::gui
