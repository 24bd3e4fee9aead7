#include <algorithm>
#include <numeric>

#include "app/cli/agent/tool_commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/input/run_input.h"
#include "app/loading/device_choice.h"
#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/device/device_study.h"
#include "core/base/json.h"
#include "core/report/tables/device_tables.h"
#include "core/table/sinks/table_writer.h"

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

/// Returns the rows of the table of allocations in the order of `wanted`.
Json rowsOf(const DeviceStudy& study, const std::vector<AllocationIndex>& wanted, bool withStacks)
{
    const DeviceTable& table = deviceTableNamed("allocations");
    DeviceTableOptions options{.withStacks = withStacks, .matches = {}, .auxiliaryFiles = {}};
    options.matches.resize(study.allocations.size(), false);
    for (const AllocationIndex i : wanted)
        options.matches[i] = true;
    std::string text;
    const auto sink = [&](std::string_view piece) {
        text += piece;
        return true;
    };
    TableWriter writer(TableFormat::Json, sink, "rows", table.columns(study.about(), options));
    if (!wanted.empty()) // without a marked match, the table would write all rows
        table.write(study, writer, options);
    writer.finish();
    const Json writtenRows = parseOrderedJson(text)["rows"];
    std::vector<AllocationIndex> sorted = wanted;
    std::ranges::sort(sorted);
    Json rows = Json::array();
    for (const AllocationIndex i : wanted)
        rows.push_back(
            writtenRows[static_cast<std::size_t>(std::ranges::lower_bound(sorted, i) - sorted.begin())]);
    return rows;
}

Json documentFor(const LoadedInput& input, const ToolArguments& arguments)
{
    const Trace& trace = *input.imported->trace;
    const DeviceIndex device
        = need(input.path, chooseDevice(trace, allFigures(trace), arguments.text("device")));
    const DeviceStudy study(trace, device);
    FilterSpec filter = need("filter", parseFilter(arguments.textOr("filter", "")));
    if (const auto liveAt = arguments.number("live_at")) {
        filter.window = FilterSpec::Window::LiveIn;
        filter.firstEvent = *liveAt;
        filter.lastEvent = *liveAt + 1;
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
        {"allocations", rowsOf(study, rows, arguments.flag("stacks"))}};
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
