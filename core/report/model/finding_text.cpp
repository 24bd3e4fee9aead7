#include "core/report/model/finding_text.h"

#include <fmt/format.h>

#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/diagnosis/clean_words.h"
#include "core/study/diagnosis/diagnosis.h"
#include "core/study/gpu_answer.h"

namespace highwater {

std::string_view gradeMeaning(Grade grade)
{
    switch (grade) {
    case Grade::A: return "it follows from the data";
    case Grade::B: return "a strong inference";
    case Grade::C: return "to be checked";
    }
    return {};
}

std::vector<std::string> findingFacts(const ReportFinding& reported)
{
    const Finding& finding = reported.finding;
    std::vector<std::string> facts{std::string(toText(finding.kind))};
    if (!reported.run.empty())
        facts.push_back("run " + reported.run);
    if (reported.rank)
        facts.push_back(fmt::format("rank {}", *reported.rank));
    if (finding.device)
        facts.push_back("GPU " + std::to_string(*finding.device));
    if (finding.step)
        facts.push_back("see step " + formatCount(*finding.step));
    else if (finding.event >= 0)
        facts.push_back("see event " + formatCount(finding.event));
    return facts;
}

bool savesMemory(const Finding& finding)
{
    return finding.remedy.savedBytes > 0 && finding.mergedInto.empty() && !isFailure(finding);
}

std::string savingText(const Finding& finding)
{
    const Remedy& remedy = finding.remedy;
    if (!finding.mergedInto.empty())
        return "these bytes are part of the " + ruleWords(finding.mergedInto);
    if (!savesMemory(finding) || !remedy.setting.empty())
        return {};
    const std::string_view bound = remedy.isUpperBound ? "at most " : remedy.isLowerBound ? "at least " : "";
    return fmt::format("saves {}{}", bound, formatBytes(remedy.savedBytes));
}

std::string actionSentence(const Finding& finding)
{
    if (finding.remedy.action.empty())
        return {};
    const std::string saving = savingText(finding);
    const std::string action = fullSentence(finding.remedy.action);
    return saving.empty() ? action : action + " " + fullSentence(saving);
}

std::string adviceText(const Finding& finding, const RunStudy* run)
{
    std::string advice = actionSentence(finding);
    if (run && !advice.empty())
        appendSentence(advice, fitSentence(*run, finding));
    return advice;
}

std::string noteTitle(const ReportNote& note)
{
    return note.note.title.empty() ? "Note " + std::to_string(note.number) : note.note.title;
}

} // namespace highwater
