#include "app/cli/rehearse/tries.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/rehearse/every_gpu.h"
#include "app/cli/rehearse/gaps.h"
#include "app/cli/rehearse/one_rehearsal.h"
#include "app/rehearse/changes.h"
#include "app/rehearse/rehearsal_folder.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::Fit;
using Names = std::vector<std::string>;

/// Returns the steps that a try makes: two more than the failed run, so that what failed is passed.
int stepsToTry(const RehearseOptions& options, const RehearsalOutcome& failed)
{
    if (options.maxSteps > 0)
        return options.maxSteps;
    constexpr std::int64_t kMoreSteps = 2;
    std::int64_t steps = 1;
    for (const ProcessVerdict& process : failed.processes)
        steps = std::max(steps, process.process.training.steps);
    return static_cast<int>(steps + kMoreSteps);
}

/// Returns the steps of a rehearsal within the limit: enough to show whether memory grows.
int stepsToConfirm(const RehearseOptions& options, int stepsToTry)
{
    constexpr int kStepsThatShowGrowth = 8;
    return options.maxSteps > 0 ? options.maxSteps : std::max(stepsToTry, kStepsThatShowGrowth);
}

/// Returns the device that reserves most; null if none was recorded.
const rehearse::DeviceVerdict* fullestDevice(const RehearsalOutcome& outcome)
{
    const rehearse::DeviceVerdict* fullest = nullptr;
    for (const ProcessVerdict& process : outcome.processes)
        for (const rehearse::DeviceVerdict& device : process.devices)
            if (!fullest || device.reservedPeakBytes > fullest->reservedPeakBytes)
                fullest = &device;
    return fullest;
}

/// Rehearses the command with changes, one run after the other.
class Trier
{
public:
    Trier(const RehearseOptions& options, const RehearsalOutcome& failed)
        : m_options(options)
        , m_failed(failed)
    {
        m_tries.maxSteps = stepsToTry(options, failed);
        m_tries.maxConfirmingSteps = stepsToConfirm(options, m_tries.maxSteps);
        m_options.common.quiet = true;
    }

    /// Makes a try with these changes. Returns false if the search must end.
    Result<bool> rehearseWith(const Names& changes)
    {
        std::error_code error;
        const auto folder = rehearse::RehearsalFolder::create(std::filesystem::temp_directory_path(error));
        if (!folder)
            return tl::unexpected(folder.error());
        const auto begin = std::chrono::steady_clock::now();
        auto result
            = rehearse::rehearse(requestFor(withoutLimit(m_failed.gpu), changes, *folder / "try.pickle"));
        if (!result)
            return tl::unexpected(result.error());
        if (m_tries.rehearsals.empty()) {
            m_tries.duration = std::chrono::steady_clock::now() - begin;
            noteChangeable(result->changeable);
            m_tries.advice = result->advice;
        }
        m_tries.isInterrupted = result->isInterrupted;
        if (m_tries.isInterrupted)
            return false;
        const auto outcome = judgeRehearsal(withoutLimit(m_failed.gpu), std::move(*result), m_options.common);
        const auto judged = judgeGpus(outcome, {m_failed.gpu}, m_options.common).front();
        m_tries.rehearsals.push_back({.changes = changes,
            .fit = judged.fit,
            .reservedPeakBytes = judged.reservedPeakBytes,
            .spareBytes = judged.fit == Fit::Failed ? 0 : judged.spareBytes,
            .isComplete = findGaps(outcome).empty()});
        return changes.empty() || judged.fit != Fit::Fits ? true
                                                          : confirm(changes, *folder / "confirm.pickle");
    }

    const Names& changeable() const { return m_changeable; }
    const Tries& tries() const { return m_tries; }
    bool hasFound() const { return m_tries.smallestFittingTry() != nullptr; }

    /// Returns the changes that lower the peak alone, best first.
    Names helpful() const
    {
        const Bytes before = m_tries.rehearsals.front().reservedPeakBytes;
        std::vector<const Try*> better;
        for (const Try& one : m_tries.rehearsals)
            if (one.changes.size() == 1 && one.fit != Fit::Failed && one.reservedPeakBytes < before)
                better.push_back(&one);
        std::ranges::stable_sort(better, {}, [](const Try* one) { return one->reservedPeakBytes; });
        Names names;
        for (const Try* one : better)
            names.push_back(one->changes.front());
        return names;
    }

private:
    /// Rehearses the last try again within the limit, and with other values if it reads some back.
    Result<bool> confirm(const Names& changes, const std::string& snapshot)
    {
        auto request = requestFor(m_failed.gpu, changes, snapshot);
        request.maxSteps = m_tries.maxConfirmingSteps;
        auto outcome = rehearseAndJudge(request, m_options);
        if (!outcome)
            return tl::unexpected(outcome.error());
        Try& confirmed = m_tries.rehearsals.back();
        confirmed.fit = outcome->hasRecorded() ? outcome->fit : Fit::Failed;
        confirmed.isComplete = !outcome->isIncomplete();
        confirmed.growth = std::move(outcome->growth);
        const rehearse::DeviceVerdict* fullest = fullestDevice(*outcome);
        // The rehearsal without a limit may have ended before these steps, which kept memory.
        if (fullest && (confirmed.fit == Fit::DoesNotFit || confirmed.fitsForNow())) {
            confirmed.reservedPeakBytes = fullest->reservedPeakBytes;
            confirmed.spareBytes = fullest->spareBytes;
        }
        m_tries.isInterrupted = outcome->result.isInterrupted;
        return !m_tries.isInterrupted;
    }

    rehearse::RehearsalRequest requestFor(
        const GpuModel& gpu, const Names& changes, const std::string& snapshot) const
    {
        rehearse::RehearsalRequest request = cli::requestFor(m_options, gpu);
        request.python = m_failed.result.python;
        request.snapshotPath = snapshot;
        request.tracePath.clear();
        request.labelsPath.clear();
        request.output = rehearse::ChildOutput::Discarded;
        request.reportsSteps = false;
        request.maxSteps = m_tries.maxSteps;
        request.changes = changes;
        return request;
    }

    /// Sorts the requested changes into those that have something to change and pointless ones.
    void noteChangeable(const Names& noted)
    {
        const bool areChosen = !m_options.tries.empty() && m_options.tries.front() != "all";
        for (const rehearse::Change& change : rehearse::kChanges) {
            const std::string name(change.name);
            if (areChosen && std::ranges::find(m_options.tries, name) == m_options.tries.end())
                continue;
            (std::ranges::find(noted, name) == noted.end() ? m_tries.pointless : m_changeable)
                .push_back(name);
        }
    }

    RehearseOptions m_options;
    const RehearsalOutcome& m_failed;
    Tries m_tries;
    Names m_changeable;
};

/// Tries combinations: the two best, then all that help.
Result<bool> addCombinations(Trier& trier)
{
    const Names helpful = trier.helpful();
    if (helpful.size() < 2)
        return true;
    const Result<bool> goesOn = trier.rehearseWith({helpful[0], helpful[1]});
    if (!goesOn || !*goesOn || trier.hasFound() || helpful.size() == 2)
        return goesOn;
    return trier.rehearseWith(helpful);
}

} // namespace

const Try* Tries::smallestFittingTry() const
{
    const Try* best = nullptr;
    for (const Try& one : rehearsals)
        if (one.fit == Fit::Fits && !one.changes.empty()
            && (!best || one.changes.size() < best->changes.size()))
            best = &one;
    return best;
}

std::string Tries::obstacle() const
{
    if (rehearsals.empty())
        return "the search was interrupted";
    const Try& asItIs = rehearsals.front();
    if (asItIs.reservedPeakBytes == 0)
        return "the command fails without a limit, too";
    return asItIs.fit == Fit::Fits ? "the command looks at the GPU's memory and allocates less if it has more"
                                   : "";
}

Result<Tries> tryChanges(const RehearseOptions& options, const RehearsalOutcome& failed)
{
    const auto report = [&](const std::string& text) {
        if (!options.common.quiet)
            printErr("highwater: {}\n", text);
    };
    Trier trier(options, failed);
    report("the command does not fit; looking for a change that makes it fit (Ctrl+C ends the search, --try "
           "none prevents it)");
    Result<bool> goesOn = trier.rehearseWith({});
    if (!goesOn)
        return tl::unexpected(goesOn.error());
    if (!trier.tries().obstacle().empty())
        return trier.tries();
    report(fmt::format("trying {}, about {:.0f} s each",
        counted(static_cast<std::int64_t>(trier.changeable().size()), "change", "changes"),
        trier.tries().duration.count()));
    const bool isAll = options.tries == Names{"all"};
    for (const std::string& name : trier.changeable()) {
        report(fmt::format("trying {}", name));
        goesOn = trier.rehearseWith({name});
        if (!goesOn)
            return tl::unexpected(goesOn.error());
        if (!*goesOn || (trier.hasFound() && !isAll))
            return trier.tries();
    }
    if (!trier.hasFound())
        goesOn = addCombinations(trier);
    if (!goesOn)
        return tl::unexpected(goesOn.error());
    return trier.tries();
}

} // namespace highwater::cli
