#include "app/cli/rehearse/every_gpu.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
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
#include "app/rehearse/gpu_prices.h"
#include "app/rehearse/gpu_survey.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::Fit;
using rehearse::GpuAnswer;
using rehearse::GpuPrices;
using rehearse::GpuSet;

/// A set of GPUs and its rehearsal.
struct RehearsedSet
{
    GpuSet set;
    RehearsalOutcome outcome;
};

/// All rehearsals, and the answers in the order of the GPUs' memory.
struct GpuSurvey
{
    std::vector<RehearsedSet> sets;
    std::vector<GpuAnswer> answers;
    GpuPrices prices;

    const RehearsalOutcome& outcomeFor(const GpuModel& gpu) const
    {
        const auto isOfGpu = [&](const RehearsedSet& rehearsed) {
            return std::ranges::find(rehearsed.set.gpus, gpu.name, &GpuModel::name)
                != rehearsed.set.gpus.end();
        };
        return std::ranges::find_if(sets, isOfGpu)->outcome;
    }
    bool isUndecided(const GpuAnswer& answer) const
    {
        return (answer.fit == Fit::Fits || answer.fit == Fit::TooClose)
            && (outcomeFor(answer.gpu).isIncomplete() || outcomeFor(answer.gpu).result.isInterrupted);
    }
    /// Returns the first GPU, by memory or by price, that the command certainly fits; null if there is none.
    const GpuAnswer* smallest() const
    {
        const auto fits
            = [&](const GpuAnswer& answer) { return answer.fit == Fit::Fits && !isUndecided(answer); };
        const auto answer = std::ranges::find_if(answers, fits);
        return answer == answers.end() ? nullptr : &*answer;
    }
    const GpuAnswer* cheapest() const
    {
        const GpuAnswer* best = nullptr;
        for (const GpuAnswer& answer : answers)
            if (answer.fit == Fit::Fits && !isUndecided(answer) && prices.contains(answer.gpu.name)
                && (!best || prices.at(answer.gpu.name) < prices.at(best->gpu.name)))
                best = &answer;
        return best;
    }
};

/// Returns the snapshot's path for one compute capability: "rehearsal-sm_86.pickle".
std::string pathForSet(const std::string& path, const GpuSet& set)
{
    const std::filesystem::path whole = path;
    const GpuProfile& profile = set.rehearsed().profile;
    const std::string name = fmt::format(
        "{}-sm_{}{}{}", whole.stem().string(), profile.major, profile.minor, whole.extension().string());
    return (whole.parent_path() / name).string();
}

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
        outcome->growth->stepsLeft.reset(); // it ran without a limit
    return RehearsedSet{set, std::move(*outcome)};
}

std::string verdictText(const GpuSurvey& survey, const GpuAnswer& answer)
{
    if (survey.isUndecided(answer))
        return "undecided";
    switch (answer.fit) {
    case Fit::Fits:
        return survey.outcomeFor(answer.gpu).fitsForNow() ? "fits for now"
            : answer.spareBytes < 0                       ? "fits, after returning cached memory"
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
    for (const GpuAnswer& answer : survey.answers) {
        const GpuProfile& profile = answer.gpu.profile;
        const bool isKnown = answer.fit != Fit::Failed && answer.reservedPeakBytes > 0;
        std::vector<Cell> cells{answer.gpu.name, fmt::format("{}.{}", profile.major, profile.minor),
            Amount{answer.available.least}, isKnown ? Cell(Amount{answer.reservedPeakBytes}) : Cell(),
            isKnown ? Cell(Amount{answer.spareBytes, AmountKind::ByteDelta}) : Cell(),
            verdictText(survey, answer)};
        if (!survey.prices.empty()) {
            const auto price = survey.prices.find(answer.gpu.name);
            cells.push_back(
                price == survey.prices.end() ? Cell() : Cell(fmt::format("{:.2f}", price->second)));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void printSurvey(const GpuSurvey& survey)
{
    const GpuAnswer* smallest = survey.smallest();
    if (smallest)
        printOut("{} is the smallest of these GPUs that it fits{}{}\n", smallest->gpu.name,
            survey.outcomeFor(smallest->gpu).fitsForNow() ? " for now" : "",
            smallest->spareBytes >= 0 ? fmt::format(", with {} left", formatBytes(smallest->spareBytes))
                                      : "");
    else
        printOut("it certainly fits none of these GPUs\n");
    if (const GpuAnswer* cheapest = survey.cheapest(); cheapest && cheapest->gpu.name != smallest->gpu.name)
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

nlohmann::ordered_json answerJson(const GpuSurvey& survey, const GpuAnswer& answer)
{
    const auto price = survey.prices.find(answer.gpu.name);
    return {{"gpu", answer.gpu.name},
        {"capability", fmt::format("{}.{}", answer.gpu.profile.major, answer.gpu.profile.minor)},
        {"verdict", survey.isUndecided(answer) ? "undecided" : std::string(toText(answer.fit))},
        {"available_least_bytes", answer.available.least}, {"available_most_bytes", answer.available.most},
        {"reserved_peak_bytes", answer.reservedPeakBytes}, {"spare_bytes", answer.spareBytes},
        {"price",
            price == survey.prices.end() ? nlohmann::ordered_json() : nlohmann::ordered_json(price->second)}};
}

nlohmann::ordered_json surveyJson(const GpuSurvey& survey)
{
    const auto nameOrNull = [](const GpuAnswer* answer) {
        return answer ? nlohmann::ordered_json(answer->gpu.name) : nlohmann::ordered_json();
    };
    nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
    for (const GpuAnswer& answer : survey.answers)
        gpus.push_back(answerJson(survey, answer));
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

Result<GpuPrices> readPrices(const std::string& path)
{
    if (path.empty())
        return GpuPrices{};
    std::ifstream file(path);
    if (!file)
        return fail(ErrorCode::BadRequest, sanitizedText(path) + " cannot be read");
    constexpr std::size_t kMostCharacters = 1 << 20;
    std::string text(kMostCharacters, '\0');
    file.read(text.data(), kMostCharacters);
    text.resize(static_cast<std::size_t>(file.gcount()));
    auto prices = rehearse::parseGpuPrices(text);
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

std::vector<GpuAnswer> answersFor(
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
    std::vector<GpuAnswer> answers;
    for (const GpuModel& gpu : gpus) {
        answers.push_back(demands.empty() ? GpuAnswer{gpu, rehearse::availableMemory(gpu), fit, 0, 0}
                                          : rehearse::answerFor(gpu, demands));
        GpuAnswer& answer = answers.back();
        const Bytes workspaces
            = rehearse::mostWorkspaceBytes(outcome.result.convolutionBytes, answer.reservedPeakBytes);
        if (workspaces == 0 || (answer.fit != Fit::Fits && answer.fit != Fit::TooClose))
            continue;
        answer.spareBytes -= workspaces;
        if (answer.spareBytes < 0)
            answer.fit = Fit::TooClose;
    }
    return answers;
}

int rehearseOnEveryGpu(const RehearseOptions& options, const std::vector<GpuModel>& gpus)
{
    const auto refuse = [](const Error& error) {
        printErr("highwater: {}\n", sanitizedText(error.message));
        return exitCodeOf(error);
    };
    GpuSurvey survey;
    if (auto prices = readPrices(options.prices); prices)
        survey.prices = std::move(*prices);
    else
        return refuse(prices.error());
    for (const GpuSet& set : rehearse::gpuSets(gpus)) {
        if (!options.common.quiet)
            printErr("highwater: rehearsing for GPUs of capability {}\n", set.capability());
        auto rehearsed = rehearseSet(options, set);
        if (!rehearsed)
            return refuse(rehearsed.error());
        survey.sets.push_back(std::move(*rehearsed));
        std::ranges::move(answersFor(survey.sets.back().outcome, set.gpus, options.common),
            std::back_inserter(survey.answers));
        if (survey.sets.back().outcome.result.isInterrupted)
            break;
    }
    const auto memory = [](const GpuAnswer& answer) { return answer.available.least; };
    std::ranges::stable_sort(survey.answers, {}, memory);
    if (options.common.json)
        printDocument(surveyJson(survey));
    else
        printSurvey(survey);
    return surveyExitCode(survey);
}

} // namespace highwater::cli
