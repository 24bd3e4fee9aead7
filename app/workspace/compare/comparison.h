#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/workspace/document/document.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/diff/matching/stack_classes.h"
#include "core/analysis/diff/run_diff.h"
#include "core/analysis/diff/setting_changes.h"

namespace highwater::gui {

/// One of two runs: a device of an open file, read in the bytes that both are compared in.
struct ComparedRun
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const BandPalette> palette; ///< of its allocations: what both runs have looks alike

    AlignmentInput alignmentInput() const
    {
        return {*analysis->trace, analysis->device, analysis->steps, analysis->phases};
    }
    DiffInput diffInput(std::int64_t event) const
    {
        return {*analysis->trace, analysis->allocations, analysis->sites, &analysis->categories,
            analysis->allocations.liveAt(event)};
    }
    CurvePeak peak() const { return analysis->curve.peak(); }
};

/// Two runs and what does not depend on the moment that is looked at. Immutable; made on a worker thread.
struct Comparison
{
    ComparedRun before;
    ComparedRun after;
    bool inferred = false; ///< the bytes of one run follow the allocator's rounding rule
    StackClasses classes;
    AlignedSteps steps;
    std::vector<SettingChange> settings;
    std::vector<RunAxis> axes; ///< those that can be shown, best first

    std::shared_ptr<const RunAlignment> align(RunAxis axis) const;
};

/// A device of an open file.
struct RunChoice
{
    std::shared_ptr<const Document> document;
    DeviceIndex device = 0; ///< in `Document::devices`
};

/// An error if their bytes cannot be compared. O(events) if a run has to be read in another quantity; else
/// O(frames + stacks).
Result<std::shared_ptr<const Comparison>> compareRuns(const RunChoice& before, const RunChoice& after);

} // namespace highwater::gui
