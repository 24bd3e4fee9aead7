#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/finding.h"

namespace highwater {

struct DetectorInput;

/// Looks for one thing, or for what excludes each other. Pure: the same input gives the same findings, none
/// where there is nothing to report.
using Detector = std::vector<Finding> (*)(const DetectorInput& input);

/// A rule (`Finding::rule`): who finds it, and how its findings are treated.
struct Rule
{
    enum Trait : std::uint8_t
    {
        FromLogs = 1, ///< its detector also runs where there are logs alone
        Slow = 2, ///< its detector replays the allocator, which takes longer than all others
        SureOfCutFiles = 4, ///< it accounts for cut-off files itself, or depends only on rises and falls
        RestsOnCategories = 8, ///< it is no surer than the categories of the blocks in its evidence
        OfMessages = 16, ///< it is read from a message; its page is in the folder of failures
        RightSettingHelps = 32, ///< settings-advice may be the cure of it, and then says nothing new
        NeedsHistory = 64, ///< it is silent where the file shows one moment
    };

    std::string_view name;
    Detector find = nullptr; ///< the same for several rules: it runs once; null: detectors do not find it
    unsigned traits = 0;
    /// Rules about memory that is kept, from the cause to its appearance: of two findings about the same
    /// blocks the one with the lower number explains the other. 0: another rule.
    int fromCause = 0;

    bool is(Trait trait) const { return (traits & trait) != 0; }
};

/// All rules. To add one: its detector, declared in rules.h, its row here, and its page in the manual.
std::span<const Rule> rules();

/// Null: there is no such rule.
const Rule* ruleNamed(std::string_view name);

/// The names of all rules, sorted. Each has a page in resources/manual/findings, with its name.
std::span<const std::string_view> ruleNames();

/// The file of the page about a rule, below resources/manual: "findings/growth.md". Empty: there is no such
/// rule. Whoever links to the page gets its name here.
std::string rulePageFile(std::string_view rule);

/// The page about a rule, in Markdown: what it says, when it is silent, how it can be wrong, what to do.
/// Empty: there is no such rule.
std::string_view rulePage(std::string_view rule);

} // namespace highwater
