#pragma once

#include <span>
#include <string>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Where in the user's own code blocks come from that outlive their step. What a module allocates says
/// little: a model allocates in the same lines what is kept and what is not, so the line that calls it
/// counts.
struct LeakPlace
{
    /// "log_probs r1_grpo.py:70": the innermost line of the user's own code, outside of models, that half of
    /// the bytes come through; empty: there is none.
    std::string line;
    Bytes through = 0; ///< of all, what comes through it
    Bytes all = 0;
    /// "forward bank.py:20": the line within a model that nine tenths come through; empty: there is none.
    std::string inModel;
    /// When it should have gone: "update, called at train r1_grpo.py:101, returned"; "the loop came back to
    /// main train.py:20", where the loop itself runs the model; empty: the loop is not known.
    std::string end;

    /// " through log_probs r1_grpo.py:70", for a title; empty: there is none.
    std::string inTitle() const { return line.empty() ? "" : " through " + line; }
    /// The whole; empty: nothing tells.
    std::string sentence() const;
};

/// O(blocks × depth of their stacks), and one look for the training loop.
LeakPlace leakPlaceOf(const DeviceStudy& study, std::span<const AllocationIndex> blocks);

} // namespace highwater
