#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

/// Expected bytes, and what the device held on the same lines; both sum up.
ReportTable lineTable(const RunMaterial& run)
{
    const Budget& budget = run.study.budget()->budget;
    const ObservedBudget* observed = run.study.budget()->observed ? &*run.study.budget()->observed : nullptr;
    ReportTable table{idFor(run, "budget"),
        captioned(run,
            observed
                ? fmt::format("Expected bytes, and what was alive at the peak on the same lines ({} bytes)",
                    inWords(observed->quantity))
                : std::string("Expected bytes")),
        {{"Line", "name", false}, {"Expected", "expected_bytes", true}, {"At least", "low_bytes", true},
            {"At most", "high_bytes", true}},
        {}, {}, {}};
    if (observed) {
        table.columns.push_back({"Observed", "observed_bytes", true});
        table.columns.push_back({"Factor", "ratio_thousandths", true});
    }
    table.columns.push_back({"Formula, in bytes", "formula", false});
    const auto add = [&](std::string name, ReportCell expected, ReportCell low, ReportCell high,
                         ReportCell seen, ReportCell ratio, std::string formula) {
        std::vector<ReportCell> row{std::move(name), std::move(expected), std::move(low), std::move(high)};
        if (observed) {
            row.push_back(std::move(seen));
            row.push_back(std::move(ratio));
        }
        row.push_back(textCell(std::move(formula)));
        return row;
    };
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* seen = observed ? observed->find(line.name) : nullptr;
        table.rows.push_back(add(std::string(titleOf(line.name)), bytesCell(line.likely()),
            bytesCell(line.low()), bytesCell(line.high()), seen ? bytesCell(seen->bytes) : ReportCell(),
            seen ? factorCell(seen->bytes, line.likely()) : ReportCell(), line.formula()));
    }
    if (observed)
        for (const ObservedBudget::Rest& rest : observed->rest)
            table.rows.push_back(add(fmt::format("(on no line: {})", titleOf(rest.category)), {}, {}, {},
                bytesCell(rest.bytes), {}, ""));
    table.total = add("total", bytesCell(budget.expected), bytesCell(budget.low), bytesCell(budget.high),
        observed ? bytesCell(observed->total) : ReportCell(),
        observed ? factorCell(observed->total, budget.expected) : ReportCell(), "");
    return table;
}

ReportTable cardTable(const RunMaterial& run, std::size_t mostRows)
{
    ReportTable table{idFor(run, "cards"), captioned(run, "Which GPUs the expected bytes fit"),
        {{"GPU", "gpu", false}, {"Reported", "capacity_bytes", true}, {"Fits", "fits", false},
            {"To spare", "headroom_bytes", true}, {"Too much by", "missing_bytes", true}},
        {}, {}, {}};
    const std::vector<GpuFit>& fits = run.study.budget()->fits;
    for (std::size_t i = 0; i < std::min(mostRows, fits.size()); ++i)
        table.rows.push_back({fits[i].gpu, bytesCell(fits[i].capacity),
            std::string(!fits[i].fits ? "no"
                    : fits[i].isTight ? "yes, with less to spare than a CUDA context likely takes"
                                      : "yes"),
            fits[i].headroom >= 0 ? bytesCell(fits[i].headroom) : ReportCell(),
            fits[i].headroom < 0 ? bytesCell(-fits[i].headroom) : ReportCell()});
    if (table.rows.size() < fits.size())
        table.leftOut = fmt::format("and {} more GPUs", fits.size() - table.rows.size());
    return table;
}

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
        blocks.push_back(lineTable(run));
    if (std::vector<std::string> sentences = sentencesOf(study.sentences()); !sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    if (!study.fits.empty())
        blocks.push_back(cardTable(run, material.mostRows()));
    std::vector<std::string> limits;
    for (const LeftOutLine& line : study.budget.leftOut)
        limits.push_back("Left out: " + fullSentence(line.sentence));
    for (const std::string& assumption : study.budget.assumptions)
        limits.push_back("Taken for granted: " + fullSentence(assumption));
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
