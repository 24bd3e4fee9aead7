#include "app/cli/output/allocation_rows.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/report/tables/device_tables.h"
#include "core/table/sinks/table_writer.h"

namespace highwater::cli {

std::string_view sizeClassText(SegmentType type)
{
    return type == SegmentType::Small ? "small" : type == SegmentType::Large ? "large" : "unknown";
}

nlohmann::ordered_json allocationRows(
    const DeviceStudy& study, const std::vector<AllocationIndex>& wanted, bool withStacks)
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
    const nlohmann::ordered_json writtenRows = parseOrderedJson(text)["rows"];
    std::vector<AllocationIndex> sorted = wanted;
    std::ranges::sort(sorted);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const AllocationIndex i : wanted)
        rows.push_back(
            writtenRows[static_cast<std::size_t>(std::ranges::lower_bound(sorted, i) - sorted.begin())]);
    return rows;
}

} // namespace highwater::cli
