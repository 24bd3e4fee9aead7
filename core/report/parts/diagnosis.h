#pragma once

#include <string>

#include "core/report/input/report_material.h"

namespace highwater {

/// The kind of memory problem that a run has.
enum class Trouble : std::uint8_t
{
    None, ///< memory did not run out and does not keep growing
    Growth, ///< every step retains memory: at least a quarter of the peak is from earlier steps
    Fragmentation, ///< enough memory was free inside the allocator, but fragmented
    Divided, ///< enough was free in total, but in different places
    TooBig, ///< the run needs more at one time than the device has
    Unknown ///< memory ran out for an unknown reason
};

struct Diagnosis
{
    Trouble trouble = Trouble::None;
    bool ranOut = false; ///< the run ran out of memory
    const Finding* cause = nullptr; ///< the finding that shows it; null: none
    /// The most important fault apart from the failure itself; null: none.
    const Finding* worst = nullptr;
};

/// Whether the finding is the failure itself: fragmentation, divided free memory, or too big.
bool isFailure(const Finding& finding);
/// Classifies a run by its findings.
Diagnosis diagnose(const RunMaterial& run);

/// One sentence for the whole run: that memory ran out and why, else how high the peak was.
std::string runVerdict(const RunMaterial& run);
/// States which kind of problem the run has and which it does not have ("It is growth, not …", "It is neither
/// fragmentation nor growth: …"), and how much memory could be avoided; empty if there is no problem.
/// `withCause`: also states the cause, where the run's verdict is not shown elsewhere.
std::string troubleSentence(const RunMaterial& run, bool withCause);
/// The action for a finding: "Find what refers to these tensors … (saves 13.99 GiB in this run)."; empty
/// without one.
std::string actionSentence(const Finding& finding);

} // namespace highwater
