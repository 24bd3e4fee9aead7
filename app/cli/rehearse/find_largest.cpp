#include "app/cli/rehearse/find_largest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/refusal.h"
#include "app/cli/rehearse/one_rehearsal.h"
#include "app/cli/rehearse/outcome_output.h"
#include "app/cli/rehearse/target_torch.h"
#include "app/rehearse/largest_search.h"
#include "app/rehearse/rehearsal_folder.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using rehearse::Fit;
using rehearse::LargestSearch;
using rehearse::NumberRange;
using rehearse::Trial;

/// The file of trials next to the snapshot, and the question that they answer. Trials of another question,
/// or of a script that has changed since, are not used.
class TrialFile
{
public:
    TrialFile(const RehearseOptions& options, const GpuModel& gpu)
        : m_path(fs::path(options.out).replace_extension(".find.json").string())
        , m_question({{"command", options.command}, {"files", changeTimes(options.command)},
              {"gpu", gpu.name}, {"gpus", options.gpusPerProcess}, {"find", options.find},
              {"max_steps", options.maxSteps}, {"steering", options.steering}})
    {
    }

    const std::string& path() const { return m_path; }

    std::vector<Trial> read() const
    {
        std::ifstream file(m_path);
        const Json document = Json::parse(file, nullptr, false);
        if (!document.is_object() || document.value("question", Json()) != m_question)
            return {};
        std::vector<Trial> trials;
        for (const Json& trial : document.value("trials", Json::array()))
            if (trial.is_object() && trial.contains("number") && trial["number"].is_number_integer())
                trials.push_back({trial["number"].get<std::int64_t>(), trial.value("fits", false),
                    trial.value("reserved_peak_bytes", Bytes{0}), trial.value("complete", false)});
        return trials;
    }

    void write(const std::vector<Trial>& trials) const
    {
        Json list = Json::array();
        for (const Trial& trial : trials)
            list.push_back({{"number", trial.number}, {"fits", trial.fits},
                {"reserved_peak_bytes", trial.reservedPeakBytes}, {"complete", trial.isComplete}});
        std::ofstream(m_path) << jsonText(Json{{"question", m_question}, {"trials", list}}) << '\n';
    }

private:
    /// Returns the times at which the command's files were last changed; 0 for words that name no file.
    static Json changeTimes(const std::vector<std::string>& command)
    {
        Json times = Json::array();
        for (const std::string& word : command) {
            std::error_code error;
            const auto time = fs::last_write_time(word, error);
            times.push_back(error ? 0 : time.time_since_epoch().count());
        }
        return times;
    }

    std::string m_path;
    Json m_question;
};

/// The search and what ended it.
struct Found
{
    LargestSearch search;
    std::optional<RehearsalOutcome> failed = {}; ///< a rehearsal without a verdict ended the search
    std::optional<RehearsalOutcome> last = {}; ///< the last one with a verdict that was made now
    /// True if something was not judged in a rehearsal that fits.
    bool isIncomplete() const
    {
        return std::ranges::any_of(
            search.trials(), [](const Trial& trial) { return trial.fits && !trial.isComplete; });
    }
};

Bytes largestReserved(const RehearsalOutcome& outcome)
{
    Bytes most = 0;
    for (const ProcessVerdict& process : outcome.processes)
        for (const rehearse::DeviceVerdict& device : process.devices)
            most = std::max(most, device.mostReservedBytes);
    return most;
}

std::string trialText(const NumberRange& range, const Trial& trial)
{
    return fmt::format("{} = {}: {}, {} reserved", range.name, trial.number,
        trial.fits ? "fits" : "does not certainly fit", formatBytes(trial.reservedPeakBytes));
}

/// Copies a snapshot to its place. Errors are ignored.
void keepSnapshot(const std::string& source, const std::string& target)
{
    std::error_code error;
    fs::copy_file(source, target, fs::copy_options::overwrite_existing, error);
}

/// Rehearses one number. The snapshots go to a temporary folder, and the first one to `options.out` if the
/// run fits.
Result<RehearsalOutcome> tryNumber(
    RehearseOptions options, const GpuModel& gpu, const NumberRange& range, std::int64_t number)
{
    std::error_code error;
    const auto folder = rehearse::RehearsalFolder::create(fs::temp_directory_path(error));
    if (!folder)
        return tl::unexpected(folder.error());
    const std::string out = options.out;
    options.command = rehearse::commandWith(options.command, range.name, number);
    options.out = *folder / "trial.pickle";
    auto outcome = rehearseAndJudge(requestFor(options, gpu), options);
    if (outcome && outcome->fit == Fit::Fits && outcome->hasRecorded())
        keepSnapshot(outcome->snapshots().front(), out);
    return outcome;
}

/// Rehearses number after number, beginning with those that the file of trials has, until the answer is
/// known.
Result<Found> search(const RehearseOptions& options, const GpuModel& gpu, const NumberRange& range)
{
    const TrialFile file(options, gpu);
    Found found{LargestSearch(range.first, range.last, rehearse::availableMemory(gpu).least)};
    for (const Trial& trial : file.read()) {
        if (found.search.next() != trial.number)
            break;
        found.search.add(trial);
    }
    if (!found.search.trials().empty() && !options.common.quiet)
        printErr("highwater: {} are taken from {}\n",
            counted(static_cast<std::int64_t>(found.search.trials().size()), "rehearsal", "rehearsals"),
            sanitizedText(file.path()));
    while (const std::optional<std::int64_t> number = found.search.next()) {
        if (!options.common.quiet)
            printErr("highwater: rehearsing {} = {}\n", range.name, *number);
        auto outcome = tryNumber(options, gpu, range, *number);
        if (!outcome)
            return tl::unexpected(outcome.error());
        if (outcome->fit == Fit::Failed || !outcome->hasRecorded() || outcome->result.isInterrupted) {
            found.failed = std::move(*outcome);
            break;
        }
        const Trial trial{
            *number, outcome->fit == Fit::Fits, largestReserved(*outcome), !outcome->isIncomplete()};
        found.search.add(trial);
        file.write(found.search.trials());
        if (!options.common.quiet)
            printErr("highwater: {}\n", trialText(range, trial));
        found.last = std::move(*outcome);
    }
    return found;
}

Json trialJson(const std::optional<Trial>& trial)
{
    if (!trial)
        return nullptr;
    return {
        {"number", trial->number}, {"fits", trial->fits}, {"reserved_peak_bytes", trial->reservedPeakBytes}};
}

int searchExitCode(const Found& found)
{
    if (found.failed)
        return found.failed->result.isInterrupted ? Interrupted : CannotRead;
    if (!found.search.largestFitting())
        return CheckFailed;
    return found.isIncomplete() ? Incomplete : Done;
}

void printFound(const Found& found, const NumberRange& range, const GpuModel& gpu, const std::string& out)
{
    const auto largest = found.search.largestFitting();
    const auto failing = found.search.smallestFailing();
    const bool isDecided = !found.failed;
    if (!largest && failing)
        printOut("{} = {} does not fit {}\n", range.name, failing->number, gpu.name);
    else if (largest && isDecided && failing)
        printOut("the largest {} that fits {} is {}; {} does not certainly fit\n", range.name, gpu.name,
            largest->number, failing->number);
    else if (largest && isDecided)
        printOut("every {} up to {} fits {}\n", range.name, range.last, gpu.name);
    else if (largest)
        printOut("{} = {} fits {}; larger numbers are not known{}\n", range.name, largest->number, gpu.name,
            failing ? fmt::format(" below {}, which does not certainly fit", failing->number) : "");
    for (const Trial& trial : found.search.trials())
        printOut("  {}\n", trialText(range, trial));
    if (found.last)
        printOtherTorch(*found.last);
    if (found.last && found.last->growth)
        printGrowth(*found.last->growth);
    if (found.isIncomplete())
        printOut("  not everything was judged; rehearse {} = {} alone to see what\n", range.name,
            largest ? largest->number : range.first);
    if (found.failed)
        printShortcomings(*found.failed);
    if (largest)
        printOut("  snapshot of {} = {}: {}\n", range.name, largest->number, sanitizedText(out));
}

bool hasPlaceholder(const RehearseOptions& options, const NumberRange& range)
{
    return rehearse::commandWith(options.command, range.name, range.first) != options.command;
}

int refuseSearch(const Error& error)
{
    printErr("highwater: {}\n", sanitizedText(error.message));
    return exitCodeOf(error);
}

} // namespace

int findLargest(const RehearseOptions& options, const GpuModel& gpu)
{
    const Result<NumberRange> range = rehearse::parseNumberRange(options.find);
    if (!range)
        throw Refusal{"--find", range.error()};
    if (!hasPlaceholder(options, *range))
        return refuseSearch(fail(ErrorCode::BadRequest,
            fmt::format("the command has no {{{}}} that --find could replace", range->name))
                                .value());
    if (TrialFile(options, gpu).read().empty())
        OutputFile::need(options.out, options.force, options.command);
    const Result<Found> found = search(options, gpu, *range);
    if (!found)
        return refuseSearch(found.error());
    if (options.common.json)
        printDocument({{"gpu", gpu.name}, {"name", range->name},
            {"largest_fitting", trialJson(found->search.largestFitting())},
            {"smallest_not_fitting", trialJson(found->search.smallestFailing())}, {"decided", !found->failed},
            {"complete", !found->isIncomplete()}, {"rehearsals", found->search.trials().size()}});
    else
        printFound(*found, *range, gpu, options.out);
    return searchExitCode(*found);
}

} // namespace highwater::cli
