#include <fmt/format.h>

#include "core/analysis/budget/gpu_need.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/budget_tables.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxSentencesOfABudget = 4;

/// Makes each text a full sentence.
std::vector<std::string> fullSentences(std::vector<std::string> sentences)
{
    for (std::string& sentence : sentences)
        sentence = fullSentence(std::move(sentence));
    return sentences;
}

void addBudgetOfRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    if (!run.study.budgetTrouble().empty())
        blocks.push_back(paragraph(
            captioned(run, fmt::format("No budget could be computed: {}.", run.study.budgetTrouble())),
            Tone::Warning));
    // Without a configuration there are only the GPUs, for which a short report has no room.
    const BudgetStudy* const found
        = material.isBrief() || material.isPullRequest() ? run.study.budget() : run.study.gpuFits();
    if (!found)
        return;
    const BudgetStudy& study = *found;
    if (study.isOfConfiguration && (!study.budget.lines.empty() || study.observed))
        blocks.push_back(tableOfRun(run, budgetLineTable(study)));
    if (std::vector<std::string> sentences = fullSentences(study.sentences()); !sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    if (!study.fits.empty() && !material.isBrief()) {
        std::vector<std::string> needs;
        for (const GpuNeed& need : gpuNeeds(study))
            needs.push_back(fullSentence(need.text()));
        blocks.push_back(ReportList{std::move(needs)});
        Table gpus = tableOfRun(run, gpuFitTable(study));
        cutRows(gpus, material.maxRows(), "GPUs");
        blocks.push_back(std::move(gpus));
    }
    if (material.isBrief())
        return;
    std::vector<std::string> caveats;
    for (const LeftOutLine& line : study.budget.leftOut)
        caveats.push_back("Not counted: " + fullSentence(line.sentence));
    for (const std::string& assumption : study.budget.assumptions)
        caveats.push_back("Assumed: " + fullSentence(assumption));
    if (!caveats.empty())
        blocks.push_back(ReportList{std::move(caveats)});
}

/// Adds one table for both runs, and the first sentences of the run after. Adds nothing and returns false if
/// there is only one run, one of them has no budget or was not observed, or their budgets have other lines.
bool addSharedBudget(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (!material.before || !material.before->study.budget() || !material.run.study.budget())
        return false;
    const BudgetStudy& before = *material.before->study.budget();
    const BudgetStudy& after = *material.run.study.budget();
    std::optional<Table> shared = sharedBudgetTable(before, after);
    if (!shared)
        return false;
    blocks.push_back(*std::move(shared));
    std::vector<std::string> sentences = fullSentences(after.sentences());
    if (sentences.size() > kMaxSentencesOfABudget)
        sentences.resize(kMaxSentencesOfABudget);
    for (std::string& sentence : sentences)
        sentence = captioned(material.run, sentence);
    if (!sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    return true;
}

} // namespace

std::vector<ReportBlock> budgetPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.isBrief() && addSharedBudget(blocks, material))
        return blocks;
    for (const RunMaterial* run : material.runs())
        addBudgetOfRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
