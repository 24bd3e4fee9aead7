#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

namespace highwater {

/// What happened to a fault between two runs.
enum class FaultChange : std::uint8_t
{
    Fixed, ///< found before, but not after
    Still,
    New
};

/// "fixed", "still there", "new".
std::string_view toText(FaultChange change);

/// A rule that reports a fault in one of two runs, or in both.
struct ChangedFault
{
    FaultChange change = FaultChange::Still;
    const Finding* before = nullptr; ///< first finding of the rule; null: none
    const Finding* after = nullptr;

    const Finding& shown() const { return after ? *after : *before; }
};

/// By rule: fixed ones first, then those that are still there, then new ones; questions (grade C) count only
/// if the other run has the rule with a better grade. Pointers into the runs' findings.
std::vector<ChangedFault> changedFaults(const RunMaterial& before, const RunMaterial& after);

/// "generation with gradients".
std::string ruleWords(std::string rule);

/// "Fixed: …" and similar, one sentence for each kind of change; out-of-memory failures are not included.
std::vector<std::string> faultSentences(const std::vector<ChangedFault>& faults);

} // namespace highwater
