#include <fmt/format.h>

#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/budget_tables.h"

namespace highwater {

namespace {

std::vector<std::string> sentencesOf(std::vector<std::string> sentences)
{
    for (std::string& sentence : sentences)
        sentence = fullSentence(std::move(sentence));
    return sentences;
}

void addRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    if (!run.study.budgetTrouble().empty())
        blocks.push_back(
            paragraph(captioned(run, fmt::format("There is no budget: {}.", run.study.budgetTrouble())),
                Tone::Warning));
    if (!run.study.budget())
        return;
    const BudgetStudy& study = *run.study.budget();
    if (!study.budget.lines.empty() || study.observed)
        blocks.push_back(ofRun(run, budgetLineTable(study)));
    if (std::vector<std::string> sentences = sentencesOf(study.sentences()); !sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    if (!study.fits.empty()) {
        Table gpus = ofRun(run, gpuFitTable(study));
        cutRows(gpus, material.mostRows(), "GPUs");
        blocks.push_back(std::move(gpus));
    }
    std::vector<std::string> limits;
    for (const LeftOutLine& line : study.budget.leftOut)
        limits.push_back("Left out: " + fullSentence(line.sentence));
    for (const std::string& assumption : study.budget.assumptions)
        limits.push_back("Assumed: " + fullSentence(assumption));
    if (!limits.empty())
        blocks.push_back(ReportList{std::move(limits)});
}

} // namespace

std::vector<ReportBlock> budgetPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs())
        addRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
