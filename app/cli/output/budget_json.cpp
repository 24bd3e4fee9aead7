#include "app/cli/output/budget_output.h"
#include "core/analysis/budget/budget_gap.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Returns observed / expected; null if nothing was observed or expected.
Json ratioJson(const Bytes* observed, Bytes expected)
{
    if (!observed || expected <= 0)
        return nullptr;
    return static_cast<double>(*observed) / static_cast<double>(expected);
}

Json linesJson(const BudgetReport& report)
{
    Json lines = Json::array();
    for (const BudgetLine& line : report.budget.lines) {
        const ObservedBudget::Line* const observedLine
            = report.observed ? report.observed->find(line.name) : nullptr;
        Json json = {{"name", toText(line.name)}, {"formula", line.formula()}, {"low_bytes", line.low()},
            {"bytes", line.likely()}, {"high_bytes", line.high()},
            {"observed_bytes", observedLine ? Json(observedLine->bytes) : Json(nullptr)},
            {"ratio", ratioJson(observedLine ? &observedLine->bytes : nullptr, line.likely())},
            {"low_formula", line.range.low.text()}, {"high_formula", line.range.high.text()}};
        if (observedLine) {
            const std::optional<WrongSide> wrong = wrongSide(line, *report.observed);
            json["likely_wrong"] = wrong ? Json(toText(*wrong)) : Json(nullptr);
            json["observed_is_guess"] = observedLine->isGuess;
            json["observed_is_shared"] = observedLine->isShared;
            json["observed_site"] = observedLine->site;
        }
        lines.push_back(std::move(json));
    }
    return lines;
}

Json leftOutJson(const Budget& budget)
{
    Json lines = Json::array();
    for (const LeftOutLine& line : budget.leftOut)
        lines.push_back(
            {{"name", toText(line.name)}, {"missing", line.missing}, {"sentence", line.sentence}});
    return lines;
}

Json fitsJson(const BudgetReport& report)
{
    Json gpus = Json::array();
    for (const GpuFit& fit : report.fits)
        gpus.push_back({{"gpu", fit.gpu}, {"capacity_bytes", fit.capacity}, {"fits", fit.fits},
            {"headroom_bytes", fit.headroom}, {"tight", fit.isTight}, {"verdict", verdictText(fit)},
            {"estimate_headroom_bytes",
                report.isOfConfiguration ? Json(estimateHeadroom(report.budget, fit)) : Json(nullptr)}});
    return gpus;
}

Json observedJson(const BudgetReport& report)
{
    const ObservedBudget& observed = *report.observed;
    Json rest = Json::array();
    for (const ObservedBudget::CategoryPart& part : observed.rest)
        rest.push_back({{"category", toText(part.category)}, {"bytes", part.bytes}});
    return {{"path", report.path}, {"device", report.ordinal}, {"quantity", toText(observed.quantity)},
        {"event", observed.event}, {"needed_bytes", observed.needed.most},
        {"reserved_bytes", observed.outcome.reservedPeak}, {"ran_out", observed.outcome.ranOut},
        {"leaked_bytes", observed.outcome.kept}, {"leaked_by", observed.outcome.keeper},
        {"other_gpu", !report.otherGpus().empty()}, {"from_earlier_steps_bytes", observed.fromEarlierSteps},
        {"logits_tensors", observed.logitsTensorCount}, {"unexplained", rest}};
}

std::string_view kindText(StatedVerdict::Kind kind)
{
    switch (kind) {
    case StatedVerdict::Kind::Decimal: return "decimal";
    case StatedVerdict::Kind::Binary: return "binary";
    case StatedVerdict::Kind::Both: return "both";
    case StatedVerdict::Kind::AsObserved: return "as-observed";
    case StatedVerdict::Kind::StatedTooLow: return "low";
    case StatedVerdict::Kind::StatedTooHigh: return "high";
    case StatedVerdict::Kind::NotComputed: return "not-computed";
    }
    return {};
}

Json statedJson(const StatedFigures& stated)
{
    Json verdicts = Json::array();
    for (const StatedVerdict& verdict : stated.verdicts)
        verdicts.push_back(
            {{"name", verdict.line ? toText(*verdict.line) : "total"}, {"verdict", kindText(verdict.kind)},
                {"computed_bytes", verdict.computed}, {"sentence", verdict.sentence}});
    return verdicts;
}

Json caseJson(const WhatIfGrid& grid, const WhatIfCase& whatIfCase, const BudgetReport& report)
{
    Json settings = Json::object();
    for (std::size_t i = 0; i < grid.axes.size(); ++i)
        settings[grid.axes[i].key] = whatIfCase.values[i];
    Json lines = Json::object();
    for (const BudgetLine& line : whatIfCase.budget.lines)
        lines[std::string(toText(line.name))]
            = line.name == BudgetLineName::Activations ? whatIfCase.activations : line.likely();
    Json fitting = Json::array();
    for (const GpuFit& fit : fitGpus(whatIfCase.expected, report.gpus, report.leftOutOutsideBytes()))
        if (fit.fits)
            fitting.push_back(fit.gpu);
    return {{"settings", settings}, {"accumulation", orNull(whatIfCase.accumulation)},
        {"effective_batch", orNull(whatIfCase.effectiveBatch)},
        {"keeps_effective_batch", whatIfCase.keepsEffectiveBatch}, {"lines", lines},
        {"low_bytes", whatIfCase.low}, {"expected_bytes", whatIfCase.expected},
        {"high_bytes", whatIfCase.high}, {"delta_bytes", whatIfCase.expected - grid.asConfigured.expected},
        {"fits", fitting}};
}

Json whatIfJson(const BudgetReport& report)
{
    if (!report.whatIf)
        return nullptr;
    Json cases = Json::array();
    for (const WhatIfCase& whatIfCase : report.whatIf->cases)
        cases.push_back(caseJson(*report.whatIf, whatIfCase, report));
    return {{"effective_batch", orNull(report.whatIf->effectiveBatch)},
        {"expected_bytes", report.whatIf->asConfigured.expected},
        {"activations_factor", orNull(report.whatIf->activationsFactor)}, {"cases", cases}};
}

} // namespace

nlohmann::ordered_json budgetJson(const BudgetReport& report)
{
    const Budget& budget = report.budget;
    const Bytes* const observed = report.observed ? &report.observed->total : nullptr;
    Json json = {{"config", report.isOfConfiguration ? Json(report.config) : Json(nullptr)},
        {"lines", linesJson(report)}, {"expected_bytes", budget.expected}, {"low_bytes", budget.low},
        {"high_bytes", budget.high}, {"observed_bytes", observed ? Json(*observed) : Json(nullptr)},
        {"ratio", ratioJson(observed, budget.expected)},
        {"unexplained_bytes", report.observed ? Json(report.observed->unexplained) : Json(nullptr)},
        {"fits", fitsJson(report)}, {"left_out", leftOutJson(budget)}, {"assumptions", budget.assumptions},
        {"parameters", orNull(budget.parameters)}, {"trained_parameters", orNull(budget.trainedCount)},
        {"stated", statedJson(report.stated)}, {"sentences", report.sentences()}};
    json["observed"] = report.observed ? observedJson(report) : Json(nullptr);
    json["what_if"] = whatIfJson(report);
    return json;
}

} // namespace highwater::cli
