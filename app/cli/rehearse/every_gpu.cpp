#include "app/cli/rehearse/every_gpu.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/rehearse/one_rehearsal.h"
#include "app/cli/rehearse/outcome_output.h"
#include "app/cli/rehearse/target_torch.h"
#include "app/loading/files/small_file.h"
#include "app/rehearse/gpu_prices.h"
#include "app/rehearse/gpu_survey.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::Fit;
using rehearse::GpuPrices;
using rehearse::GpuSet;
using rehearse::JudgedGpu;

/// A set of GPUs and its rehearsal.
struct RehearsedSet
{
    GpuSet set;
    RehearsalOutcome outcome;
};

/// All rehearsals, and the judged GPUs in the order of the GPUs' memory.
struct GpuSurvey
{
    std::vector<RehearsedSet> sets;
    std::vector<JudgedGpu> judgedGpus;
    GpuPrices prices;

    const RehearsalOutcome& outcomeFor(const GpuModel& gpu) const
    {
        const auto isOfGpu = [&](const RehearsedSet& rehearsed) {
            return std::ranges::find(rehearsed.set.gpus, gpu.name, &GpuModel::name)
                != rehearsed.set.gpus.end();
        };
        return std::ranges::find_if(sets, isOfGpu)->outcome;
    }
    /// True if the verdict is Fits or TooClose, but the rehearsal was interrupted or its verdict may be
    /// wrong.
    bool isUndecided(const JudgedGpu& judged) const
    {
        return (judged.fit == Fit::Fits || judged.fit == Fit::TooClose)
            && (outcomeFor(judged.gpu).isIncomplete() || outcomeFor(judged.gpu).result.isInterrupted);
    }
    /// True if it is certain of every GPU that the command does not fit.
    bool fitsNone() const
    {
        return std::ranges::all_of(
            judgedGpus, [](const JudgedGpu& judged) { return judged.fit == Fit::DoesNotFit; });
    }
    /// Returns the GPU with the least memory that the command certainly fits; null if there is none.
    const JudgedGpu* smallest() const
    {
        const auto fits
            = [&](const JudgedGpu& judged) { return judged.fit == Fit::Fits && !isUndecided(judged); };
        const auto judged = std::ranges::find_if(judgedGpus, fits);
        return judged == judgedGpus.end() ? nullptr : &*judged;
    }
    /// Returns the cheapest GPU that the command certainly fits; null if none of them has a price.
    const JudgedGpu* cheapest() const
    {
        const JudgedGpu* best = nullptr;
        for (const JudgedGpu& judged : judgedGpus)
            if (judged.fit == Fit::Fits && !isUndecided(judged) && prices.contains(judged.gpu.name)
                && (!best || prices.at(judged.gpu.name) < prices.at(best->gpu.name)))
                best = &judged;
        return best;
    }
};

/// Returns an output path with the compute capability in the file name: "rehearsal.pickle" becomes
/// "rehearsal-sm_86.pickle".
std::string pathForSet(const std::string& path, const GpuSet& set)
{
    const std::filesystem::path whole = path;
    const GpuProfile& profile = set.rehearsed().profile;
    const std::string name = fmt::format(
        "{}-sm_{}{}{}", whole.stem().string(), profile.major, profile.minor, whole.extension().string());
    return (whole.parent_path() / name).string();
}

/// Rehearses on the largest GPU of the set, without a limit of memory.
Result<RehearsedSet> rehearseSet(const RehearseOptions& options, const GpuSet& set)
{
    const GpuModel gpu = withoutLimit(set.rehearsed());
    rehearse::RehearsalRequest request = requestFor(options, gpu);
    for (std::string* path : {&request.snapshotPath, &request.tracePath, &request.labelsPath})
        if (!path->empty())
            *path = pathForSet(*path, set);
    auto outcome = rehearseAndJudge(request, options);
    if (!outcome)
        return tl::unexpected(outcome.error());
    if (outcome->growth)
        outcome->growth->stepsLeft.reset(); // the command ran without a limit
    return RehearsedSet{set, std::move(*outcome)};
}

std::string verdictText(const GpuSurvey& survey, const JudgedGpu& judged)
{
    if (survey.isUndecided(judged))
        return "undecided";
    switch (judged.fit) {
    case Fit::Fits:
        return survey.outcomeFor(judged.gpu).fitsForNow() ? "fits for now"
            : judged.spareBytes < 0                       ? "fits, after returning cached memory"
                                                          : "fits";
    case Fit::TooClose: return "too close to tell";
    case Fit::Failed: return "failed";
    default: return "does not fit";
    }
}

Table tableOf(const GpuSurvey& survey)
{
    Table table;
    table.columns = {{"GPU", "gpu"}, {"Capability", "capability"}, {"PyTorch gets", "available", true},
        {"Reserved", "reserved", true}, {"Left", "left", true}, {"Verdict", "verdict"}};
    if (!survey.prices.empty())
        table.columns.push_back({"Price", "price", true});
    for (const JudgedGpu& judged : survey.judgedGpus) {
        const GpuProfile& profile = judged.gpu.profile;
        const bool isKnown = judged.fit != Fit::Failed && judged.reservedPeakBytes > 0;
        std::vector<Cell> cells{judged.gpu.name, fmt::format("{}.{}", profile.major, profile.minor),
            Amount{judged.available.least}, isKnown ? Cell(Amount{judged.reservedPeakBytes}) : Cell(),
            isKnown ? Cell(Amount{judged.spareBytes, AmountKind::ByteDelta}) : Cell(),
            verdictText(survey, judged)};
        if (!survey.prices.empty()) {
            const auto price = survey.prices.find(judged.gpu.name);
            cells.push_back(
                price == survey.prices.end() ? Cell() : Cell(fmt::format("{:.2f}", price->second)));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void printSurvey(const GpuSurvey& survey)
{
    const JudgedGpu* smallest = survey.smallest();
    if (smallest)
        printOut("{} is the smallest of these GPUs that the command fits{}{}\n", smallest->gpu.name,
            survey.outcomeFor(smallest->gpu).fitsForNow() ? " for now" : "",
            smallest->spareBytes >= 0 ? fmt::format(", with {} left", formatBytes(smallest->spareBytes))
                                      : "");
    else
        printOut("the command {}\n",
            survey.fitsNone() ? "fits none of these GPUs" : "does not certainly fit any of these GPUs");
    if (const JudgedGpu* cheapest = survey.cheapest(); cheapest && cheapest->gpu.name != smallest->gpu.name)
        printOut("{} is the cheapest\n", cheapest->gpu.name);
    printTable(tableOf(survey));
    printOut("\nrehearsed without a limit once for each compute capability: real allocator and stacks, "
             "nothing computed; limits were replayed\n");
    printOtherTorch(survey.sets.front().outcome);
    for (const RehearsedSet& rehearsed : survey.sets) {
        printShortcomings(rehearsed.outcome);
        printDoubts(rehearsed.outcome);
        std::vector<std::string> names;
        for (const GpuModel& gpu : rehearsed.set.gpus)
            names.push_back(gpu.name);
        printOut("  capability {}, as {}: {}\n", rehearsed.set.capability(), rehearsed.set.rehearsed().name,
            fmt::join(names, ", "));
        for (const std::string& path : rehearsed.outcome.snapshots())
            printOut("    snapshot: {}\n", sanitizedText(path));
    }
}

nlohmann::ordered_json judgedJson(const GpuSurvey& survey, const JudgedGpu& judged)
{
    const auto price = survey.prices.find(judged.gpu.name);
    return {{"gpu", judged.gpu.name},
        {"capability", fmt::format("{}.{}", judged.gpu.profile.major, judged.gpu.profile.minor)},
        {"verdict", survey.isUndecided(judged) ? "undecided" : std::string(toText(judged.fit))},
        {"available_least_bytes", judged.available.least}, {"available_most_bytes", judged.available.most},
        {"reserved_peak_bytes", judged.reservedPeakBytes}, {"spare_bytes", judged.spareBytes},
        {"price",
            price == survey.prices.end() ? nlohmann::ordered_json() : nlohmann::ordered_json(price->second)}};
}

nlohmann::ordered_json surveyJson(const GpuSurvey& survey)
{
    const auto nameOrNull = [](const JudgedGpu* judged) {
        return judged ? nlohmann::ordered_json(judged->gpu.name) : nlohmann::ordered_json();
    };
    nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
    for (const JudgedGpu& judged : survey.judgedGpus)
        gpus.push_back(judgedJson(survey, judged));
    nlohmann::ordered_json rehearsals = nlohmann::ordered_json::array();
    for (const RehearsedSet& rehearsed : survey.sets)
        rehearsals.push_back(outcomeJson(rehearsed.outcome));
    return {{"smallest", nameOrNull(survey.smallest())}, {"cheapest", nameOrNull(survey.cheapest())},
        {"gpus", gpus}, {"rehearsals", rehearsals}};
}

int surveyExitCode(const GpuSurvey& survey)
{
    if (survey.sets.back().outcome.result.isInterrupted)
        return Interrupted;
    if (survey.smallest())
        return Done;
    int code = CheckFailed;
    for (const RehearsedSet& rehearsed : survey.sets)
        code = worse(code, rehearsed.outcome.exitCode());
    return code;
}

/// Reads the file of prices; without one there are none. Fails with BadRequest.
Result<GpuPrices> readPrices(const std::string& path)
{
    if (path.empty())
        return GpuPrices{};
    const Result<std::string> text = readSmallFile(path, "exceeds the limit for prices (1 MiB)");
    auto prices = text ? rehearse::parseGpuPrices(*text) : tl::unexpected<Error>(text.error());
    if (!prices)
        return fail(ErrorCode::BadRequest, sanitizedText(path) + ": " + prices.error().message);
    return prices;
}

} // namespace

GpuModel withoutLimit(GpuModel gpu)
{
    gpu.leastReported = gpu.mostReported = rehearse::kUnlimitedMemory;
    gpu.profile.leastOutside = gpu.profile.mostOutside = 0;
    return gpu;
}

std::vector<JudgedGpu> judgeGpus(
    const RehearsalOutcome& outcome, const std::vector<GpuModel>& gpus, const CommonOptions& options)
{
    std::vector<std::shared_ptr<const Trace>> traces;
    std::vector<rehearse::DeviceDemand> demands;
    if (outcome.fit == Fit::Fits)
        for (const std::string& path : outcome.snapshots())
            if (const auto trace = readSnapshot(path, options)) {
                traces.push_back(trace);
                for (DeviceIndex device = 0; device < trace->devices.size(); ++device)
                    demands.emplace_back(*trace, device);
            }
    // A command that recorded nothing may have done nothing on the GPU, so nothing is known.
    const Fit fit = outcome.hasRecorded() ? outcome.fit : Fit::Failed;
    std::vector<JudgedGpu> judgedGpus;
    for (const GpuModel& gpu : gpus) {
        judgedGpus.push_back(demands.empty() ? JudgedGpu{gpu, rehearse::availableMemory(gpu), fit, 0, 0}
                                             : rehearse::judgeGpu(gpu, demands));
        JudgedGpu& judged = judgedGpus.back();
        const Bytes workspaceBytes
            = rehearse::mostWorkspaceBytes(outcome.result.convolutionBytes, judged.reservedPeakBytes);
        if (workspaceBytes == 0 || (judged.fit != Fit::Fits && judged.fit != Fit::TooClose))
            continue;
        judged.spareBytes -= workspaceBytes;
        if (judged.spareBytes < 0)
            judged.fit = Fit::TooClose;
    }
    return judgedGpus;
}

int rehearseOnEveryGpu(const RehearseOptions& options, const std::vector<GpuModel>& gpus)
{
    const auto reportError = [](const Error& error) {
        printErr("highwater: {}\n", sanitizedText(error.message));
        return exitCodeOf(error);
    };
    GpuSurvey survey;
    if (auto prices = readPrices(options.prices); prices)
        survey.prices = std::move(*prices);
    else
        return reportError(prices.error());
    for (const GpuSet& set : rehearse::gpuSets(gpus)) {
        if (!options.common.quiet)
            printErr("highwater: rehearsing for GPUs of capability {}\n", set.capability());
        auto rehearsed = rehearseSet(options, set);
        if (!rehearsed)
            return reportError(rehearsed.error());
        survey.sets.push_back(std::move(*rehearsed));
        std::ranges::move(judgeGpus(survey.sets.back().outcome, set.gpus, options.common),
            std::back_inserter(survey.judgedGpus));
        if (survey.sets.back().outcome.result.isInterrupted)
            break;
    }
    const auto memory = [](const JudgedGpu& judged) { return judged.available.least; };
    std::ranges::stable_sort(survey.judgedGpus, {}, memory);
    if (options.common.json)
        printDocument(surveyJson(survey));
    else
        printSurvey(survey);
    return surveyExitCode(survey);
}

} // namespace highwater::cli
