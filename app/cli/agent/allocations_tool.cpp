#include <algorithm>

#include "app/cli/agent/tool_commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/input/run_input.h"
#include "app/cli/output/allocation_rows.h"
#include "app/loading/device_choice.h"
#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

/// Returns the matching allocations: the largest first if `bySize`, otherwise in order of birth.
std::vector<AllocationIndex> matchingAllocations(
    const AllocationTable& allocations, const FilterResult& filtered, bool bySize)
{
    std::vector<AllocationIndex> rows;
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        if (filtered.matches[i])
            rows.push_back(i);
    if (bySize)
        std::ranges::stable_sort(
            rows, std::ranges::greater(), [&](AllocationIndex i) { return allocations.bytes(i); });
    return rows;
}

/// Returns the allocations of one file that match the filter, and their totals.
Json documentFor(const LoadedInput& input, const ToolArguments& arguments)
{
    const Trace& trace = *input.imported->trace;
    const DeviceIndex device
        = need(input.path, chooseDevice(trace, allFigures(trace), arguments.text("device")));
    const DeviceStudy study(trace, device);
    FilterSpec filter = need("filter", parseFilter(arguments.textOr("filter", "")));
    if (const auto liveAt = arguments.moment("live_at")) {
        filter.window = FilterSpec::Window::LiveIn;
        filter.firstEvent = need(input.path, eventOfMoment(*liveAt, trace, device));
        filter.lastEvent = filter.firstEvent + 1;
    }
    const FilterResult filtered
        = need("filter", filterAllocations(study.allocations, study.categories, filter));
    std::vector<AllocationIndex> rows
        = matchingAllocations(study.allocations, filtered, arguments.textOr("sort", "size") == "size");
    const auto skip = std::min(static_cast<std::size_t>(arguments.number("skip").value_or(0)), rows.size());
    const auto top = static_cast<std::size_t>(arguments.number("top").value_or(10));
    rows = {rows.begin() + static_cast<std::ptrdiff_t>(skip),
        rows.begin() + static_cast<std::ptrdiff_t>(std::min(skip + top, rows.size()))};
    return {{"path", input.path}, {"device", study.about().ordinal}, {"kind", toText(study.about().kind)},
        {"quantity", toText(study.about().quantity)}, {"of_allocations", study.allocations.size()},
        {"matches", filtered.count}, {"matched_bytes", filtered.bytes}, {"skipped", skip},
        {"allocations", allocationRows(study, rows, arguments.flag("stacks"))}};
}

} // namespace

ToolDocument allocationsDocument(const ToolContext& context, const ToolArguments& arguments)
{
    CapturedOutput captured;
    const CommonOptions common = optionsForRun(context, arguments);
    RunRequest request;
    request.device = arguments.text("device");
    const Run run = needRun(common, std::move(request), {});
    Json document = documentFor(mainInput(run), arguments);
    return {std::move(document), std::move(captured.err)};
}

} // namespace highwater::cli
