#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

namespace highwater {

/// The change of a fault between two runs.
enum class FaultChange : std::uint8_t
{
    Fixed, ///< Only the earlier run reports it, and the later run has the data in which it would show
    Unreported, ///< The later run has the same blocks, but no finding on them
    NotSeen, ///< The later run has too few steps or no data for it, so nothing shows that it is fixed
    Still, ///< Both runs report it
    New ///< Only the later run reports it
};

/// Returns "fixed", "still there, though not reported", "not seen in the later run", "still there",
/// "new".
std::string_view toText(FaultChange change);

/// A rule that reports a fault in one of two runs or in both.
struct ComparedFault
{
    FaultChange change = FaultChange::Still;
    const Finding* before = nullptr; ///< First fault of the rule; null if the run has none
    const Finding* after = nullptr;

    const Finding& shown() const { return after ? *after : *before; }
};

/// Returns the faults of both runs by rule, in the order of `FaultChange`. Omits rules whose findings in both
/// runs are missing, questions (grade C) or merged into others. The result points into the runs' findings.
std::vector<ComparedFault> comparedFaults(const RunMaterial& before, const RunMaterial& after);

/// Returns "Fixed: …" and similar, one sentence per kind of change, with the bytes of each fault unless the
/// headline has them; faults that remain always have theirs. Failures of memory are not included.
std::vector<std::string> faultSentences(const std::vector<ComparedFault>& faults, std::string_view headline);

} // namespace highwater
