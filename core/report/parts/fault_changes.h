#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

namespace highwater {

/// The change of a fault between two runs.
enum class FaultChange : std::uint8_t
{
    Fixed, ///< Found before; the later run was examined at the same phase and does not have it
    OffPeak, ///< The later run still has it, but not where it raises the peak
    NotSeen, ///< The later run did not come as far, so nothing shows that it is fixed
    Still,
    New
};

/// Returns "fixed", "still there, without raising the peak", "not seen in the later run", "still there",
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

/// Returns "Fixed: …" and similar, one sentence per kind of change, without bytes that the headline has.
/// Out-of-memory failures are not included.
std::vector<std::string> faultSentences(const std::vector<ComparedFault>& faults, std::string_view headline);

} // namespace highwater
