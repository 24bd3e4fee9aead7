#include "core/report/parts/fault_changes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/part_text.h"
#include "core/study/diagnosis/diagnosis.h"
#include "core/study/fault_fate.h"

namespace highwater {

namespace {

bool isFault(const Finding& finding)
{
    return finding.kind == FindingKind::Fault;
}

/// Returns the first fault of the rule; null if the run has none.
const Finding* faultOf(const RunMaterial& run, const std::string& rule)
{
    const auto found = std::ranges::find_if(run.study.findings(),
        [&](const Finding& finding) { return isFault(finding) && finding.rule == rule; });
    return found == run.study.findings().end() ? nullptr : &*found;
}

/// Returns the change of a fault that only the earlier run reports.
FaultChange changeOfMissing(const Finding& fault, const RunMaterial& before, const RunMaterial& after)
{
    switch (faultFate(fault, before.study, after.study)) {
    case FaultFate::Gone: return FaultChange::Fixed;
    case FaultFate::Unreported: return FaultChange::Unreported;
    case FaultFate::NotSeen: break;
    }
    return FaultChange::NotSeen;
}

void addRule(const std::string& rule, const RunMaterial& earlier, const RunMaterial& later,
    std::vector<ComparedFault>& faults)
{
    const Finding* const before = faultOf(earlier, rule);
    const Finding* const after = faultOf(later, rule);
    const auto isSecondary = [](const Finding* finding) {
        return !finding || finding->grade == Grade::C || !finding->mergedInto.empty();
    };
    if (isSecondary(before) && isSecondary(after))
        return;
    const FaultChange change = !after ? changeOfMissing(*before, earlier, later)
        : !before                     ? FaultChange::New
                                      : FaultChange::Still;
    faults.push_back({change, before, after});
}

} // namespace

std::string_view toText(FaultChange change)
{
    static constexpr std::array<std::string_view, 5> kNames{
        "fixed", "still there, though not reported", "not seen in the later run", "still there", "new"};
    return kNames[static_cast<std::size_t>(change)];
}

std::vector<ComparedFault> comparedFaults(const RunMaterial& before, const RunMaterial& after)
{
    std::vector<std::string> rules;
    for (const RunMaterial* run : {&before, &after})
        for (const Finding& finding : run->study.findings())
            if (isFault(finding) && std::ranges::find(rules, finding.rule) == rules.end())
                rules.push_back(finding.rule);
    std::vector<ComparedFault> faults;
    for (const std::string& rule : rules)
        addRule(rule, before, after, faults);
    std::ranges::stable_sort(faults, {}, &ComparedFault::change);
    return faults;
}

std::vector<std::string> faultSentences(const std::vector<ComparedFault>& faults, std::string_view headline)
{
    std::vector<std::string> sentences;
    for (const FaultChange change : {FaultChange::Fixed, FaultChange::Unreported, FaultChange::NotSeen,
             FaultChange::Still, FaultChange::New}) {
        std::string names;
        std::string actions;
        for (const ComparedFault& fault : faults)
            if (fault.change == change && !isFailure(fault.shown())) {
                names += (names.empty() ? "" : ", ") + ruleWords(fault.shown().rule);
                if (change == FaultChange::Unreported && !fault.shown().remedy.action.empty())
                    actions += " " + fullSentence(fault.shown().remedy.action);
                const std::string bytes = formatBytes(fault.shown().bytes);
                const PairText both = fault.before && fault.after
                    ? formatPair(fault.before->bytes, fault.after->bytes)
                    : PairText{bytes, bytes};
                if (change == FaultChange::Still || !contains(headline, bytes))
                    names += fmt::format(" ({})", pairText(both.before, both.after));
            }
        if (names.empty())
            continue;
        sentences.push_back(
            fmt::format("{}: {}.{}", upperFirst(std::string(toText(change))), names, actions));
    }
    return sentences;
}

} // namespace highwater
