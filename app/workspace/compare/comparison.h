#pragma once

#include <memory>
#include <vector>

#include "app/workspace/document/document.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/study/run_comparison.h"

namespace highwater::gui {

/// One of two runs: a device of an open file, read in the bytes that both are compared in.
struct ComparedRun
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const BandPalette> palette; ///< of its allocations: what both runs have looks alike

    CurvePeak peak() const { return analysis->curve.peak(); }
};

/// Two runs and what does not depend on the moment that is looked at. Immutable; made on a worker thread.
struct Comparison
{
    ComparedRun before;
    ComparedRun after;
    bool inferred = false; ///< the bytes of one run follow the allocator's rounding rule
    RunComparison runs;
    std::vector<RunAxis> axes; ///< those that can be shown, best first

    std::shared_ptr<const RunAlignment> align(RunAxis axis) const;
};

/// A device of an open file.
struct RunChoice
{
    std::shared_ptr<const Document> document;
    DeviceIndex device = 0; ///< in `Document::devices`
    std::vector<ConfigurationEntry> settings = {}; ///< of the run's configuration file
    bool isAllocated = false; ///< its allocated bytes are wanted, where both runs can tell theirs

    bool operator==(const RunChoice&) const = default;
};

/// An error if their bytes cannot be compared. O(events) if a run has to be read in another quantity; else
/// O(frames + stacks).
Result<std::shared_ptr<const Comparison>> compareRuns(const RunChoice& before, const RunChoice& after);

} // namespace highwater::gui
