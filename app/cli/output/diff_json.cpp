#include "app/cli/console/output.h"
#include "app/cli/output/diff_output.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json diffedRunJson(const DiffedRun& run)
{
    const CurvePeak peak = run.study.curve.peak();
    return {{"path", run.path}, {"device", run.study.about().ordinal},
        {"kind", toText(run.study.about().kind)}, {"quantity", toText(run.study.allocations.quantity())},
        {"peak_bytes", peak.bytes}, {"peak_event", peak.event}, {"event", run.event},
        {"bytes", run.study.curve.at(run.event)}};
}

/// Number of sizes of a row above which none of them is listed.
constexpr std::size_t kMaxParts = 32;

Json rowJson(const DiffRow& row)
{
    Json json = {{"key", row.key}, {"before_bytes", row.before.bytes}, {"before_count", row.before.count},
        {"after_bytes", row.after.bytes}, {"after_count", row.after.count}, {"delta_bytes", row.delta()},
        {"status", toText(row.status())}};
    if (!row.beforeKey.empty())
        json["before_key"] = row.beforeKey;
    if (row.isLoose)
        json["loose"] = true;
    if (row.isMoved)
        json["moved"] = true;
    if (const std::optional<double> ratio = row.sizeRatio()) {
        json["before_each_bytes"] = row.before.bytesOfEach;
        json["after_each_bytes"] = row.after.bytesOfEach;
        json["size_ratio"] = *ratio;
    }
    return json;
}

Json powerJson(const SizeFactors& factors, SizePower power)
{
    return {
        {"dimension", power.dimension}, {"precision", power.precision}, {"text", powerText(factors, power)}};
}

Json sizeJson(const SizeFactors& factors, const SizePart& part)
{
    Json json = {{"before_each_bytes", part.before.each}, {"before_count", part.before.count},
        {"after_each_bytes", part.after.each}, {"after_count", part.after.count}};
    if (part.power && factors.cause != SizeCause::None)
        json["factors"] = powerJson(factors, *part.power);
    return json;
}

/// Adds the sizes of a row that has several, or the factors of its only size.
void addSizes(Json& json, const SizeCauses& causes, std::uint32_t row)
{
    const std::vector<SizePart>& parts = causes.parts[row];
    if (parts.size() == 1 && parts.front().power && causes.factors.cause != SizeCause::None)
        json["factors"] = powerJson(causes.factors, *parts.front().power);
    if (parts.size() > 1 && parts.size() <= kMaxParts)
        for (const SizePart& part : parts)
            json["parts"].push_back(sizeJson(causes.factors, part));
}

/// Adds to rows what their sizes suggest: a row that they replace, a copy of the model, halves of parameters.
void addHints(Json& rows, const DiffFindings& found)
{
    for (const Replacement& hint : found.causes.replacements) {
        Json sizes = {{"all_sizes", hint.isWhole()}};
        sizes.update(sizeJson(found.causes.factors, {hint.gone, hint.came, hint.power}));
        Json gone = {{"key", found.diff.rows[hint.goneRow].key}};
        Json came = {{"key", found.diff.rows[hint.newRow].key}};
        gone.update(sizes);
        came.update(sizes);
        rows[hint.newRow]["in_place_of"].push_back(std::move(gone));
        rows[hint.goneRow]["replaced_by"].push_back(std::move(came));
    }
    for (const ExtraModelCopy& copy : found.causes.modelCopies)
        for (const std::uint32_t row : copy.rows)
            rows[row]["copy_of_model"] = true;
    for (const ParameterCopies& copies : found.causes.copies)
        rows[copies.row]["half_of_parameters"].push_back({{"each_bytes", copies.blocks.each},
            {"count", copies.blocks.count}, {"parameters", copies.parameters.count},
            {"same_size", copies.sameSize}, {"likely_copies", copies.areLikely()}});
}

Json causesJson(const SizeFactors& factors)
{
    return {{"cause", toText(factors.cause)}, {"dimension", factors.dimension},
        {"precision", factors.precision}, {"dimension_setting", textOrNull(factors.dimensionSetting)},
        {"precision_setting", textOrNull(factors.precisionSetting)}, {"copies_of_parameters", factors.copies},
        {"copies_of_parameters_bytes", factors.copiesBytes}, {"changed_bytes", factors.changedBytes},
        {"explained_bytes", factors.explainedBytes}, {"legend", legendSentences(factors)}};
}

Json stepPairsJson(const DiffReport& report)
{
    Json list = Json::array();
    for (const StepPair& pair : report.runs.steps().pairs) {
        const auto peak = [](const DiffedRun& run, const std::optional<std::size_t>& step) {
            return step ? Json(run.study.steps.steps[*step].peakBytes) : Json(nullptr);
        };
        Json json = {{"before", pair.before ? Json(*pair.before) : Json(nullptr)},
            {"after", pair.after ? Json(*pair.after) : Json(nullptr)},
            {"before_peak_bytes", peak(report.before, pair.before)},
            {"after_peak_bytes", peak(report.after, pair.after)}, {"delta_bytes", nullptr}};
        if (pair.before && pair.after)
            json["delta_bytes"] = report.after.study.steps.steps[*pair.after].peakBytes
                - report.before.study.steps.steps[*pair.before].peakBytes;
        list.push_back(std::move(json));
    }
    return list;
}

Json joinedFilesJson(const std::vector<JoinedFile>& joinedFiles)
{
    Json list = Json::array();
    for (const JoinedFile& file : joinedFiles)
        list.push_back({{"before", file.before}, {"after", file.after},
            {"functions", file.likeness.sharedFunctions}, {"of_functions", file.likeness.mostFunctions},
            {"allocations_share", file.likeness.allocationShare}});
    return list;
}

} // namespace

void printDiffJson(const DiffReport& report, const BothDiagnoses& diagnoses)
{
    Json document = {{"before", diffedRunJson(report.before)}, {"after", diffedRunJson(report.after)},
        {"quantity", toText(report.found.diff.quantity)}, {"inferred", report.isInferred},
        {"group", report.group}, {"delta_bytes", report.found.diff.delta()}, {"rows", Json::array()},
        {"steps", stepPairsJson(report)}, {"step_alignment", toText(report.runs.steps().alignment)},
        {"settings", Json::array()}, {"matched_files", joinedFilesJson(report.runs.classes().joinedFiles)},
        {"verdict", {{"headline", report.found.verdict.headline}, {"details", report.found.verdict.details}}},
        {"causes", causesJson(report.found.causes.factors)}};
    document["before"]["diagnosis"] = diagnoses.before;
    document["after"]["diagnosis"] = diagnoses.after;
    document["causes"]["replacements"] = report.found.replacements;
    for (std::uint32_t row = 0; row < report.found.diff.rows.size(); ++row) {
        Json json = rowJson(report.found.diff.rows[row]);
        addSizes(json, report.found.causes, row);
        document["rows"].push_back(std::move(json));
    }
    addHints(document["rows"], report.found);
    for (const SettingChange& change : report.runs.settings())
        document["settings"].push_back(
            {{"name", change.name}, {"before", change.before}, {"after", change.after}});
    printDocument(document);
}

} // namespace highwater::cli
