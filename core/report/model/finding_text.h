#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

/// What a grade means: "decidable from the data", "strong inference", "a question".
std::string_view gradeMeaning(Grade grade);

/// What stands below a finding's title, in parts: "fault", "oversized-logits", "run after", "device 0",
/// "event 5,701", "step 3". What does not apply is left out.
std::vector<std::string> findingFacts(const ReportFinding& finding);

/// "saves 3.61 GiB here", "saves at most 3.61 GiB here"; empty where nothing can be told.
std::string savingText(const Remedy& remedy);

/// "Note 3" where a note has no title.
std::string noteTitle(const ReportNote& note);

} // namespace highwater
