#include "core/analysis/diff/diff_findings.h"

#include "core/analysis/diff/joined_file_text.h"
#include "core/analysis/diff/moved_rows.h"
#include "core/analysis/diff/size_cause_text.h"

namespace highwater {

namespace {

/// Two moments compared by one key, with the contents of their rows.
struct ComparedMoments
{
    RunDiff diff;
    DiffContents contents;
};

ComparedMoments compareMoments(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const SharedEnds& ends)
{
    ComparedMoments compared;
    compared.diff = diffRuns(before, after, key, classes);
    if (key == GroupKey::Stack)
        markMovedRows(before, after, classes, compared.diff);
    markCutRows(before, after, key, classes, ends, compared.diff);
    compared.contents = collectContents(compared.diff, before, after, key, classes);
    return compared;
}

} // namespace

DiffFindings findDiff(const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes, const std::vector<SettingChange>& settings, const MomentNames& names,
    const SharedEnds& ends)
{
    DiffFindings found;
    SizeCauses stackCauses;
    { // frees the rows of this comparison before another one is made
        ComparedMoments stacks = compareMoments(before, after, GroupKey::Stack, classes, ends);
        stackCauses = sizeCauses(
            stacks.diff, stacks.contents, findSizeFactors(stacks.diff, stacks.contents, settings));
        for (const Replacement& replacement : stackCauses.replacements)
            found.replacements.push_back(replacementSentence(stacks.diff, stackCauses, replacement));
        if (key == GroupKey::Stack)
            found.diff = std::move(stacks.diff);
    }
    if (key == GroupKey::Stack) {
        found.causes = std::move(stackCauses);
    } else {
        ComparedMoments shown = compareMoments(before, after, key, classes, ends);
        found.causes = sizeCauses(shown.diff, shown.contents, stackCauses.factors);
        found.diff = std::move(shown.diff);
    }
    found.verdict = diffVerdict(found.diff, key, names, &found.causes);
    for (const std::string& sentence : cutSentences(found.diff))
        found.verdict.details.push_back(sentence + '.');
    for (std::string& sentence : joinedFileSentences(classes.joinedFiles))
        found.verdict.details.push_back(std::move(sentence));
    return found;
}

} // namespace highwater
