#pragma once

#include <string>

#include "core/report/material/report_material.h"

namespace highwater {

/// Which of three things a memory problem is.
enum class Trouble : std::uint8_t
{
    None, ///< memory did not run out, and does not keep growing
    Growth, ///< each step keeps something: at least a quarter of the peak is from earlier steps
    Fragmentation, ///< enough was free inside the allocator, in pieces
    Divided, ///< enough was free in sum, but not in one place
    TooBig, ///< what is needed at one time is more than there is
    Unknown ///< memory ran out, and nothing tells why
};

struct Diagnosis
{
    Trouble trouble = Trouble::None;
    bool ranOut = false; ///< memory did run out
    const Finding* cause = nullptr; ///< that says so; null: there is none
    /// The fault that is worth most to look at, other than the failure itself; null: there is none.
    const Finding* worst = nullptr;
};

/// Whether the finding is the failure itself: fragmentation, divided free memory, too big.
bool isFailure(const Finding& finding);
/// From the findings of a run.
Diagnosis diagnose(const RunMaterial& run);

/// The whole run in one sentence: that memory ran out and why, else how high the peak was.
std::string runVerdict(const RunMaterial& run);
/// "It is growth, not …", "It is neither fragmentation nor growth: …": which of the three it is and which it
/// is not, and what of it need not be; empty where there is no trouble. `withCause`: where the verdict of the
/// run stands nowhere else.
std::string troubleSentence(const RunMaterial& run, bool withCause);
/// "Find what refers to these tensors … (saves 13.99 GiB here)."; empty without an action.
std::string actionSentence(const Finding& finding);

} // namespace highwater
