#include "core/analysis/diff/diff_findings.h"

#include <fmt/format.h>

#include "core/analysis/diff/moved_rows.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/analysis/diff/taken_file_text.h"

namespace highwater {

namespace {

/// Two moments compared by one key, with the contents of their rows.
struct Examined
{
    RunDiff diff;
    DiffContents contents;
};

Examined examine(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes)
{
    Examined examined;
    examined.diff = diffRuns(before, after, key, classes);
    if (key == GroupKey::Stack)
        markMovedRows(before, after, classes, examined.diff);
    examined.contents = contentsOf(examined.diff, before, after, key, classes);
    return examined;
}

std::vector<std::string> replacementSentences(const RunDiff& diff, const SizeCauses& causes)
{
    std::vector<std::string> sentences;
    for (const Replacement& hint : causes.replacements)
        sentences.push_back(
            fmt::format("{}: {}.", rowLabel(diff.rows[hint.newRow]), replacementText(diff, causes, hint)));
    return sentences;
}

} // namespace

DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, bool atPeaks)
{
    DiffFindings found;
    SizeCauses ofStacks;
    { // frees the rows of this comparison before another one is made
        Examined stacks = examine(before, after, GroupKey::Stack, classes);
        ofStacks = sizeCauses(
            stacks.diff, stacks.contents, findSizeFactors(stacks.diff, stacks.contents, settings));
        found.replacements = replacementSentences(stacks.diff, ofStacks);
        if (key == GroupKey::Stack)
            found.diff = std::move(stacks.diff);
    }
    if (key == GroupKey::Stack) {
        found.causes = std::move(ofStacks);
    } else {
        Examined shown = examine(before, after, key, classes);
        found.causes = sizeCauses(shown.diff, shown.contents, ofStacks.factors);
        found.diff = std::move(shown.diff);
    }
    found.verdict = diffVerdict(found.diff, key, atPeaks, &found.causes);
    for (std::string& sentence : takenFileSentences(classes.taken))
        found.verdict.details.push_back(std::move(sentence));
    return found;
}

} // namespace highwater
