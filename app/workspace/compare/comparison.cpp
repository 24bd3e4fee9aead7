#include "app/workspace/compare/comparison.h"

#include <fmt/format.h>

#include "app/workspace/compare/compared_palettes.h"

namespace highwater::gui {

namespace {

/// In the quantity wanted.
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

} // namespace

std::shared_ptr<const RunAlignment> Comparison::align(RunAxis axis) const
{
    return std::make_shared<const RunAlignment>(
        alignRuns(before.alignmentInput(), after.alignmentInput(), steps, axis));
}

Result<std::shared_ptr<const Comparison>> compareRuns(const RunChoice& before, const RunChoice& after)
{
    const Device& one = deviceOf(before);
    const Device& other = deviceOf(after);
    const std::optional<CommonQuantity> common = commonQuantity(one, other);
    if (!common)
        return fail(ErrorCode::BadRequest,
            fmt::format("{} counts {} bytes and {} counts {} bytes: they cannot be set against each other",
                before.document->fileName(), inWords(one.quantity), after.document->fileName(),
                inWords(other.quantity)));
    auto comparison = std::make_shared<Comparison>();
    comparison->before = {before.document, analysisOf(before, common->quantity), nullptr};
    comparison->after = {after.document, analysisOf(after, common->quantity), nullptr};
    comparison->inferred = common->inferred;
    const Trace& beforeTrace = before.document->trace();
    const Trace& afterTrace = after.document->trace();
    comparison->classes = matchStacks(beforeTrace, afterTrace);
    const ComparedPalettes palettes
        = comparedPalettes(*comparison->before.analysis, *comparison->after.analysis, comparison->classes);
    comparison->before.palette = palettes.before;
    comparison->after.palette = palettes.after;
    comparison->steps = alignSteps(comparison->before.analysis->steps, comparison->after.analysis->steps);
    comparison->settings = settingChanges({beforeTrace, one}, {afterTrace, other});
    comparison->axes = usableAxes(comparison->before.alignmentInput(), comparison->after.alignmentInput());
    return std::shared_ptr<const Comparison>(std::move(comparison));
}

} // namespace highwater::gui
