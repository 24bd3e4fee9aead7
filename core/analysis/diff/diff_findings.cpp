#include "core/analysis/diff/diff_findings.h"

namespace highwater {

namespace {

SizeFactors factorsOfStacks(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
    const std::vector<SettingChange>& settings)
{
    const RunDiff stacks = diffRuns(before, after, GroupKey::Stack, classes);
    return findSizeFactors(stacks, contentsOf(stacks, before, after, GroupKey::Stack, classes), settings);
}

} // namespace

DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, bool atPeaks)
{
    DiffFindings found;
    found.diff = diffRuns(before, after, key, classes);
    const DiffContents contents = contentsOf(found.diff, before, after, key, classes);
    const SizeFactors factors = key == GroupKey::Stack ? findSizeFactors(found.diff, contents, settings)
                                                       : factorsOfStacks(before, after, classes, settings);
    found.causes = sizeCauses(found.diff, contents, factors);
    found.verdict = diffVerdict(found.diff, key, atPeaks, &found.causes);
    return found;
}

} // namespace highwater
