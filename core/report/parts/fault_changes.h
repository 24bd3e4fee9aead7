#pragma once

#include <string>
#include <vector>

#include "core/report/material/report_material.h"

namespace highwater {

/// What became of a fault between two runs.
enum class FaultChange : std::uint8_t
{
    Fixed, ///< found before, no longer after
    Still,
    New
};

/// "fixed", "still there", "new".
std::string_view toText(FaultChange change);

/// A rule whose fault one of two runs has, or both.
struct ChangedFault
{
    FaultChange change = FaultChange::Still;
    const Finding* before = nullptr; ///< the first one of the rule; null: there is none
    const Finding* after = nullptr;

    const Finding& shown() const { return after ? *after : *before; }
};

/// By rule: fixed ones first, then those that are still there, then new ones; questions (grade C) count only
/// where the other run has the rule better founded. Pointers into the runs' findings.
std::vector<ChangedFault> changedFaults(const RunMaterial& before, const RunMaterial& after);

/// "generation with gradients".
std::string ruleWords(std::string rule);

/// "Fixed: …" and the like, a sentence for each kind that there is; that memory ran out is not among them.
std::vector<std::string> faultSentences(const std::vector<ChangedFault>& faults);

} // namespace highwater
