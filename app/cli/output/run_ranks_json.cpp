#include "app/cli/output/run_ranks_json.h"

#include "core/base/json.h"
#include "core/report/json/run_json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json foundJson(const RankIdentity& identity)
{
    Json found = Json::object();
    for (const auto& [field, source] : identity.found)
        found[field] = source;
    return found;
}

/// Describes a rank, which has a row and a device because it was merged.
Json rankJson(const RunRanks& run, std::size_t index, const RankRow& row)
{
    const MergedRank& rank = run.ranks[index];
    const RankIdentity& identity = rank.identity;
    const RankFile& file = *run.table.files[rank.file];
    const RankDevice& device = *file.mainDevice();
    return {{"rank", orNull(identity.rank)}, {"path", file.member.path}, {"step", orNull(identity.step)},
        {"tp", orNull(identity.tp)}, {"pp", orNull(identity.pp)}, {"dp", orNull(identity.dp)},
        {"ep", orNull(identity.ep)}, {"host", textOrNull(identity.host)}, {"found_by", foundJson(identity)},
        {"device", device.label}, {"quantity", toText(device.quantity)}, {"complete", !rank.cutOff},
        {"peak_bytes", device.peakBytes}, {"peak_event", device.peakEvent},
        {"peak_step", textOrNull(rank.peakStep)}, {"peak_phase", textOrNull(rank.peakPhase)},
        {"above_median_bytes", row.group == RankRow::kNone ? Json(nullptr) : Json(row.aboveMedian)},
        {"outlier", row.isOutlier}, {"reserved_peak_bytes", device.reservedPeakBytes},
        {"free_at_peak_bytes", orNull(rank.freeAtPeak)}, {"steps", rank.stepCount},
        {"growth_per_step_bytes", orNull(rank.growthPerStep)}, {"leaks", rank.leaks},
        {"ooms", device.oomCount}};
}

Json ranksJson(const RunRanks& run)
{
    std::vector<const RankRow*> rows(run.ranks.size(), nullptr);
    for (const RankRow& row : run.table.rows)
        if (!rows[row.file])
            rows[row.file] = &row;
    Json ranks = Json::array();
    for (std::size_t i = 0; i < run.ranks.size(); ++i)
        ranks.push_back(rankJson(run, i, *rows[i]));
    return ranks;
}

Json groupsJson(const RunRanks& run)
{
    Json groups = Json::array();
    for (const RankGroup& group : run.table.groups)
        groups.push_back({{"stage", orNull(group.stage)}, {"step", orNull(group.step)},
            {"quantity", toText(group.quantity)}, {"ranks", group.rankCount},
            {"median_peak_bytes", group.medianPeak}, {"deviation_bytes", group.deviation},
            {"lowest_peak_bytes", group.lowestPeak}, {"highest_peak_bytes", group.highestPeak}});
    return groups;
}

/// Returns the number of a rank, or the path of its file if the number is unknown.
Json idJson(const RunRanks& run, std::size_t rank)
{
    const RankIdentity& identity = run.ranks[rank].identity;
    return identity.rank ? Json(*identity.rank) : Json(run.table.files[run.ranks[rank].file]->member.path);
}

Json rankFailuresJson(const RunRanks& run)
{
    Json failures = Json::array();
    for (const RankFailure& failure : run.failures)
        failures.push_back({{"rank", idJson(run, failure.rank)}, {"event", failure.event},
            {"step", orNull(failure.at.step)}, {"time_ns", orNull(failure.at.time)},
            {"requested_bytes", failure.requestedBytes}, {"site", textOrNull(failure.site)}});
    return failures;
}

Json leaksJson(const RunRanks& run)
{
    Json leaks = Json::array();
    for (const StageLeak& leak : run.leaks) {
        Json leaking = Json::array();
        for (const std::size_t rank : leak.leaking)
            leaking.push_back(idJson(run, rank));
        leaks.push_back({{"stage", orNull(leak.stage)}, {"ranks", leak.rankCount},
            {"leaking", std::move(leaking)}, {"median_per_step_bytes", leak.medianPerStep}});
    }
    return leaks;
}

Json settingsJson(const RunRanks& run)
{
    Json settings = Json::array();
    for (const SettingOfRanks& setting : run.settings) {
        Json values = Json::array();
        for (const SettingValue& value : setting.values) {
            Json examples = Json::array();
            for (const std::size_t rank : value.first)
                examples.push_back(idJson(run, rank));
            values.push_back({{"value", orNull(value.value)}, {"ranks", value.rankCount},
                {"examples", std::move(examples)}});
        }
        settings.push_back({{"name", setting.name}, {"values", std::move(values)}});
    }
    return settings;
}

Json troublesJson(const RunRanks& run)
{
    Json troubles = Json::array();
    for (const RankTrouble& trouble : run.troubles)
        troubles.push_back({{"path", trouble.path}, {"rank", orNull(trouble.rank)},
            {"kind", toText(trouble.kind)}, {"reason", trouble.reason}});
    return troubles;
}

/// Returns the peak of each rank in each column of `steps_per_column` steps; null if the rank has none of
/// them.
Json heatJson(const StepHeat& heat)
{
    Json rows = Json::array();
    for (std::size_t row = 0; row < heat.rows(); ++row) {
        Json peaks = Json::array();
        for (std::size_t column = 0; column < heat.steps.size(); ++column)
            peaks.push_back(
                heat.at(row, column) == StepHeat::kNone ? Json(nullptr) : Json(heat.at(row, column)));
        rows.push_back(std::move(peaks));
    }
    return {
        {"steps", heat.steps}, {"steps_per_column", heat.stepsPerColumn}, {"peak_bytes", std::move(rows)}};
}

} // namespace

Json runRanksJson(const RunRanks& run, bool withMap)
{
    Json document = {{"highest", run.ranks.empty() ? Json(nullptr) : idJson(run, run.highest)},
        {"sentences", run.sentences}, {"groups", groupsJson(run)}, {"out_of_memory", rankFailuresJson(run)},
        {"leaks", leaksJson(run)}, {"settings", settingsJson(run)}, {"troubles", troublesJson(run)},
        {"missing", run.missing}, {"ranks", ranksJson(run)}};
    if (!run.ranks.empty())
        document["run"] = runJson(run.shown);
    if (withMap)
        document["map"] = heatJson(run.heat);
    return document;
}

Json summaryJson(const std::string& path, const RankSummary& summary, std::size_t bytes)
{
    const RankIdentity& identity = summary.identity;
    return {{"path", path}, {"bytes", bytes}, {"of", summary.source.name},
        {"of_format", summary.source.format}, {"complete", summary.source.cutOff.empty()},
        {"rank", orNull(identity.rank)}, {"step", orNull(identity.step)}, {"tp", orNull(identity.tp)},
        {"pp", orNull(identity.pp)}, {"dp", orNull(identity.dp)}, {"ep", orNull(identity.ep)},
        {"host", textOrNull(identity.host)}, {"found_by", foundJson(identity)},
        {"device", summary.device.label}, {"events", summary.device.events},
        {"peak_bytes", summary.device.peakBytes}, {"steps", summary.steps.size()},
        {"moments", summary.moments.size()}, {"findings", summary.findings.size()},
        {"limits", summary.limits}};
}

} // namespace highwater::cli
