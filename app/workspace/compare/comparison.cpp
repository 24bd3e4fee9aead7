#include "app/workspace/compare/comparison.h"

#include "app/loading/run_description.h"
#include "app/workspace/compare/compared_palettes.h"

namespace highwater::gui {

namespace {

/// Returns the analysis of the run in the given quantity, computing it if needed.
std::shared_ptr<const DeviceAnalysis> analysisOf(const RunChoice& run, Quantity quantity)
{
    const std::shared_ptr<const DeviceAnalysis>& own = run.document->devices[run.device];
    if (own->quantity() == quantity)
        return own;
    AnalysisChoice choice = own->choice;
    choice.quantity = quantity;
    return std::make_shared<const DeviceAnalysis>(own->trace, own->device, std::move(choice));
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
    const Device& one = deviceOf(before);
    const Device& other = deviceOf(after);
    const std::optional<CommonQuantity> common
        = commonQuantity(one, other, before.isAllocated || after.isAllocated);
    if (!common)
        return fail(ErrorCode::BadRequest,
            before.document->fileName() + ' '
                + differentBytesText(one.quantity, after.document->fileName(), other.quantity));
    const std::shared_ptr<const DeviceAnalysis> ofBefore = analysisOf(before, common->quantity);
    const std::shared_ptr<const DeviceAnalysis> ofAfter = analysisOf(after, common->quantity);
    RunComparison runs(
        {studyOf(ofBefore), settingsOf(before, after)}, {studyOf(ofAfter), settingsOf(after, before)});
    const ComparedPalettes palettes = comparedPalettes(*ofBefore, *ofAfter, runs.classes());
    std::vector<RunAxis> axes = runs.usableAxes();
    return std::make_shared<const Comparison>(Comparison{{before.document, ofBefore, palettes.before},
        {after.document, ofAfter, palettes.after}, common->inferred, std::move(runs), std::move(axes)});
}

} // namespace highwater::gui
