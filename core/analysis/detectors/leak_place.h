#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// The place in the user's own code that allocates blocks which outlive their step. A model allocates kept
/// blocks and freed blocks in the same lines. The place is therefore the line that calls the model, not a
/// line inside the model.
struct LeakPlace
{
    /// Innermost line of the user's own code, outside models, that more than half of the bytes pass through:
    /// "log_probs (r1_grpo.py:70)". Empty if there is none.
    std::string line;
    Bytes throughBytes = 0; ///< bytes that pass through `line`, out of `allBytes`
    Bytes allBytes = 0;
    /// Innermost such line that all bytes pass through. Empty if there is none, or if `line` carries at least
    /// nine tenths.
    std::string commonLine;
    /// Innermost line within a model that at least nine tenths of the bytes pass through: "forward
    /// (bank.py:20)". Empty if there is none.
    std::string inModel;
    /// The moment at which the memory should have been freed: "update (trainer.py) returned to train
    /// (r1_grpo.py:101)", or "the loop came back to main (train.py:20)" if the training loop itself calls the
    /// model. Empty if the training loop is unknown.
    std::string end;
    std::vector<Keeper> keepers; ///< see `findKeepers`

    /// True if at least nine tenths of the bytes pass through `line`.
    bool isNearlyAll() const { return throughBytes * 10 >= allBytes * 9; }
    /// Returns " from log_probs (r1_grpo.py:70)", or ", mostly from …" if not nearly all bytes pass through
    /// the line; for a title. Empty if `line` is.
    std::string inTitle() const;
    /// Returns what is known beyond `line` as one sentence: `commonLine` and the bytes of `line`, or its
    /// share, `inModel` and `end`. Empty if nothing is, or if `line` is empty.
    std::string sentence() const;
};

/// Finds the place that allocates most of the bytes of `blocks`. O(blocks × depth of their stacks), plus one
/// search for the training loop (`findLoopLine`).
LeakPlace findLeakPlace(const DeviceStudy& study, std::span<const AllocationIndex> blocks);

/// Finds the lines that keep `blocks`. The first is the line of `LeakPlace`, with all blocks that come
/// through it. The next is found in the same way among the other blocks, and so on, until no line carries
/// more than half of what is left. O(blocks × log blocks + stacks × their depth × log bytes).
std::vector<Keeper> findKeepers(const DeviceStudy& study, std::span<const AllocationIndex> blocks);

/// Returns the call that keeps most of a finding's memory, for its advice: "the call at evaluate
/// (train.py:58)"; `otherwise` if no line is known.
std::string callKeeping(const Finding& finding, std::string_view otherwise = "this part");

} // namespace highwater
