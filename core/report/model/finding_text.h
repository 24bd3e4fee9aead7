#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

class RunStudy;

/// Returns the meaning of a grade: "it follows from the data", "a strong inference", "to be checked".
std::string_view gradeMeaning(Grade grade);

/// Returns the facts below a finding's title: "fault", "run after", "GPU 0", and "see step 3" or, without a
/// step, "see event 5,701". Facts that do not apply are omitted.
std::vector<std::string> findingFacts(const ReportFinding& finding);

/// Returns "saves 3.61 GiB", with "at most" or "at least" for a bound, or "these bytes are part of the leak";
/// empty if the finding saves no memory, or changes a setting, whose effect is the title.
std::string savingText(const Finding& finding);
/// True if acting on the finding lowers the peak by bytes that no other finding counts. False for failures:
/// to serve a failed request lowers no peak.
bool savesMemory(const Finding& finding);

/// Returns the action for a finding and its saving: "Find what still refers to the tensors from main
/// train.py:20…. Saves 13.99 GiB."; empty without an action.
std::string actionSentence(const Finding& finding);

/// Returns the whole advice of a finding: its action, its saving, and what its fix means for the chosen GPU
/// of the run; empty without an action. A null run is one that is not judged yet.
std::string adviceText(const Finding& finding, const RunStudy* run);

/// Returns the note's title, or "Note 3" without one.
std::string noteTitle(const ReportNote& note);

} // namespace highwater
