#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/rehearse/outcome_output.h"
#include "app/cli/rehearse/tries.h"
#include "app/rehearse/changes.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Returns "chunked cross-entropy and checkpointed blocks"; "as it is" without changes.
std::string titleOfTry(const Try& one)
{
    std::vector<std::string_view> titles;
    for (const std::string& name : one.changes)
        titles.push_back(rehearse::changeNamed(name)->title);
    return titles.empty() ? "as it is" : fmt::format("{}", fmt::join(titles, " and "));
}

std::string fitText(const Try& one)
{
    switch (one.fit) {
    case rehearse::Fit::Fits:
        return fmt::format("fits{}{}{}", one.fitsForNow() ? " for now" : "",
            one.spareBytes < 0 ? ", after returning cached memory" : "",
            one.isComplete ? "" : ", as far as it was judged");
    case rehearse::Fit::TooClose: return "too close to tell";
    case rehearse::Fit::Failed: return "failed with this change";
    default: return "does not fit";
    }
}

Table tableOfTries(const Tries& tries)
{
    Table table;
    table.columns = {
        {"Tried", "tried"}, {"Reserved", "reserved", true}, {"Left", "left", true}, {"Verdict", "verdict"}};
    for (const Try& one : tries.rehearsals) {
        const bool isKnown = one.reservedPeakBytes > 0;
        table.rows.push_back({titleOfTry(one), isKnown ? Cell(Amount{one.reservedPeakBytes}) : Cell(),
            isKnown ? Cell(Amount{one.spareBytes, AmountKind::ByteDelta}) : Cell(), fitText(one)});
    }
    return table;
}

/// Returns how the author makes a change.
std::string adviceOn(const std::string& change, const Tries& tries)
{
    const auto here = tries.advice.find(change);
    return here != tries.advice.end() ? sanitizedText(here->second)
                                      : std::string(rehearse::changeNamed(change)->how);
}

/// Prints the answer: what fits, or what comes closest.
void printAnswer(const Tries& tries, const GpuModel& gpu)
{
    if (const Try* fitting = tries.smallestFittingTry()) {
        const bool isForNow = fitting->fitsForNow();
        printOut("\nIt fits {}{} with {}: {} reserved{}, {} left\n", gpu.name, isForNow ? " for now" : "",
            titleOfTry(*fitting), formatBytes(fitting->reservedPeakBytes),
            isForNow ? fmt::format(" up to optimizer step {}", tries.maxConfirmingSteps) : "",
            formatBytes(std::max<Bytes>(0, fitting->spareBytes)));
        if (fitting->growth)
            printGrowth(*fitting->growth);
        if (!fitting->isComplete)
            printOut("  not everything was judged; rehearse the changed script to see what\n");
        for (const std::string& name : fitting->changes)
            printOut("  {}\n", adviceOn(name, tries));
        return;
    }
    const Try* closest = nullptr;
    for (const Try& one : tries.rehearsals)
        if (one.reservedPeakBytes > 0 && (!closest || one.reservedPeakBytes < closest->reservedPeakBytes))
            closest = &one;
    if (closest && tries.rehearsals.size() > 1)
        printOut("\n{}; {} comes closest, {} short\n",
            tries.isInterrupted ? "The search was interrupted before a change made it fit"
                                : "No change that was tried makes it fit",
            titleOfTry(*closest), formatBytes(std::max<Bytes>(0, -closest->spareBytes)));
}

} // namespace

void printTries(const Tries& tries, const GpuModel& gpu)
{
    if (const std::string obstacle = tries.obstacle(); !obstacle.empty()) {
        printOut("\nNo change was tried: {}\n", obstacle);
        return;
    }
    printAnswer(tries, gpu);
    printTable(tableOfTries(tries));
    printOut(
        "rehearsed without a limit up to optimizer step {}, {:.0f} s each; what fits was rehearsed again "
        "within the limit up to step {}\n",
        tries.maxSteps, tries.duration.count(), tries.maxConfirmingSteps);
    if (!tries.pointless.empty())
        printOut("nothing to change for {}\n", fmt::join(tries.pointless, ", "));
}

nlohmann::ordered_json triesJson(const Tries& tries)
{
    Json rehearsals = Json::array();
    for (const Try& one : tries.rehearsals)
        rehearsals.push_back({{"changes", one.changes},
            {"verdict", one.fitsForNow() ? "fits-for-now" : std::string(toText(one.fit))},
            {"reserved_peak_bytes", one.reservedPeakBytes}, {"spare_bytes", one.spareBytes},
            {"complete", one.isComplete}, {"growth", one.growth ? Json(one.growth->title) : Json()},
            {"steps_left", orNull(one.growth ? one.growth->stepsLeft : std::nullopt)}});
    const Try* fitting = tries.smallestFittingTry();
    const auto changesIf = [&](bool isAnswer) { return isAnswer ? Json(fitting->changes) : Json(); };
    const bool isForNow = fitting && fitting->fitsForNow();
    Json how = Json::object();
    for (const std::string& name : fitting ? fitting->changes : std::vector<std::string>())
        how[name] = adviceOn(name, tries);
    return {{"enough", changesIf(fitting && !isForNow)}, {"enough_for_now", changesIf(isForNow)},
        {"how", how}, {"steps", tries.maxSteps}, {"seconds", tries.duration.count()},
        {"interrupted", tries.isInterrupted}, {"rehearsals", rehearsals},
        {"nothing_to_change", tries.pointless}};
}

} // namespace highwater::cli
