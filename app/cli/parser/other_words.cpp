#include "app/cli/parser/other_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text/near_text.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

/// Words of other tools and of the field, each with a command or rule of this program. A word may have
/// several rows; the first one whose command or rule is known counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kOtherWords{{{"compare", "diff"},
    {"cmp", "diff"}, {"analyze", "findings"}, {"analyse", "findings"}, {"analysis", "findings"},
    {"diagnose", "findings"}, {"why", "findings"}, {"explain", "findings"}, {"leak", "growth"},
    {"leaks", "growth"}, {"leak", "findings"}, {"leaks", "findings"}, {"oom", "too-big"}, {"oom", "findings"},
    {"show", "info"}, {"list", "info"}, {"stats", "info"}, {"view", "open"}, {"gui", "open"}, {"ui", "open"},
    {"plot", "figure"}, {"draw", "figure"}, {"picture", "figure"}, {"merge", "ranks"}, {"estimate", "budget"},
    {"simulate", "rehearse"}, {"replay", "what-if"}, {"limit", "check"}}};

} // namespace

std::string didYouMeanWord(std::string_view word, const std::vector<std::string>& known)
{
    const std::string lower = lowered(word);
    for (const auto& [other, ours] : kOtherWords)
        if (other == lower && std::ranges::count(known, ours) > 0)
            return "; did you mean " + std::string(ours) + "?";
    return didYouMean(word, known);
}

} // namespace highwater::cli
