#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/finding.h"

namespace highwater {

struct DetectorInput;

/// Looks for one problem, or for several that exclude each other. A pure function: the same input gives the
/// same findings. Returns no findings if there is nothing to report.
using Detector = std::vector<Finding> (*)(const DetectorInput& input);

/// A rule (`Finding::rule`): the detector that finds it, and how its findings are treated.
struct Rule
{
    enum Trait : std::uint16_t
    {
        FromLogs = 1, ///< the detector also runs if there are only logs
        Slow = 2, ///< the detector replays the allocator, which takes longer than any other work
        ToleratesCutFiles = 4, ///< stays at grade A although the file is cut off and totals are lower bounds
        GradedByCategories = 8, ///< no finding has a better grade than the categories of its blocks
        ReadFromMessages = 16, ///< read from a message of a log; the manual page is in the failures folder
        /// An allocator setting may cure the problem: settings-advice is then merged into it
        CurableBySetting = 32,
        NeedsHistory = 64, ///< skipped if the file shows only one moment
        /// Compares totals of the whole run, so a file that is cut off cannot show it
        NeedsWholeFile = 256,
        PartOfAllocations = 128, ///< the bytes are a part of each listed allocation, or of its pool
    };

    std::string_view name;
    Detector find = nullptr; ///< runs once even if several rules share it; null if no detector finds the rule
    unsigned traits = 0;
    /// Position of a rule about kept memory between cause and symptom. Of two findings about the same blocks,
    /// the one with the lower number explains the other. 0 for all other rules.
    int causeOrder = 0;

    bool is(Trait trait) const { return (traits & trait) != 0; }
};

/// Returns all rules; two may have one name, with different detectors. To add one, write its detector,
/// declare it in rules.h, and add a row in rule_table.cpp and a page in the manual.
std::span<const Rule> rules();

/// Returns the first rule with this name, or null if there is none.
const Rule* ruleNamed(std::string_view name);

/// Returns the names of all rules, sorted, each once. Each has a page (`rulePageFile`).
std::span<const std::string_view> ruleNames();

/// Returns the file of the page about a rule, relative to resources/manual: "findings/growth.md". Empty if
/// there is no such rule. All links to the page use this name.
std::string rulePageFile(std::string_view rule);

/// Returns the Markdown page about a rule: what the rule reports, when it is silent, how it can be wrong, and
/// what to do. Empty if there is no such rule.
std::string_view rulePage(std::string_view rule);

} // namespace highwater
