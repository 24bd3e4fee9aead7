#include "app/workspace/compare/comparison.h"

#include "app/loading/run_description.h"
#include "app/workspace/compare/compared_palettes.h"

namespace highwater::gui {

namespace {

/// Returns the analysis of the run in the given quantity, computing it if needed.
std::shared_ptr<const DeviceAnalysis> analysisOf(const RunChoice& run, Quantity quantity)
{
    const std::shared_ptr<const DeviceAnalysis>& original = run.document->devices[run.device];
    if (original->quantity() == quantity)
        return original;
    AnalysisChoice choice = original->choice;
    choice.quantity = quantity;
    return std::make_shared<const DeviceAnalysis>(original->trace, original->device, std::move(choice));
}

const Device& deviceOf(const RunChoice& run)
{
    return run.document->devices[run.device]->info();
}

/// Returns the settings that describe a run. If only one run has a configuration, it describes both runs, as
/// in their report.
std::vector<ConfigurationEntry> settingsOf(const RunChoice& run, const RunChoice& other)
{
    if (!run.settings.empty() || other.settings.empty())
        return run.settings;
    std::vector<ConfigurationEntry> settings = other.settings;
    removeRecordedSettings(settings, run.document->trace());
    return settings;
}

} // namespace

std::shared_ptr<const RunAlignment> Comparison::align(RunAxis axis) const
{
    return std::make_shared<const RunAlignment>(runs.align(axis));
}

Result<std::shared_ptr<const Comparison>> compareRuns(const RunChoice& before, const RunChoice& after)
{
    const Device& beforeDevice = deviceOf(before);
    const Device& afterDevice = deviceOf(after);
    const std::optional<CommonQuantity> common
        = commonQuantity(beforeDevice, afterDevice, before.isAllocated || after.isAllocated);
    if (!common)
        return fail(ErrorCode::BadRequest,
            before.document->fileName() + ' '
                + differentBytesText(
                    beforeDevice.quantity, after.document->fileName(), afterDevice.quantity));
    const std::shared_ptr<const DeviceAnalysis> beforeAnalysis = analysisOf(before, common->quantity);
    const std::shared_ptr<const DeviceAnalysis> afterAnalysis = analysisOf(after, common->quantity);
    RunComparison runs({studyOf(beforeAnalysis), settingsOf(before, after)},
        {studyOf(afterAnalysis), settingsOf(after, before)});
    const ComparedPalettes palettes = comparedPalettes(*beforeAnalysis, *afterAnalysis, runs.classes());
    std::vector<RunAxis> axes = runs.usableAxes();
    return std::make_shared<const Comparison>(Comparison{{before.document, beforeAnalysis, palettes.before},
        {after.document, afterAnalysis, palettes.after}, common->isInferred, std::move(runs),
        std::move(axes)});
}

} // namespace highwater::gui
