#include "core/trace/activity_table.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace highwater {

std::string_view toText(ActivityKind kind)
{
    static constexpr std::array<std::string_view, 4> names = {"kernel", "copy", "set", "runtime_call"};
    return names[static_cast<std::size_t>(kind)];
}

std::size_t ActivityTable::memoryBytes() const
{
    return kind.memoryBytes() + name.memoryBytes() + device.memoryBytes() + lane.memoryBytes()
        + begin.memoryBytes() + end.memoryBytes() + bytes.memoryBytes();
}

void ActivityTable::push(const Activity& activity)
{
    kind.push_back(activity.kind);
    name.push_back(activity.name);
    device.push_back(activity.device);
    lane.push_back(activity.lane);
    begin.push_back(activity.begin);
    end.push_back(activity.end);
    bytes.push_back(activity.bytes);
}

void ActivityTable::truncate(std::size_t rows)
{
    kind.resizeForOverwrite(rows);
    name.resizeForOverwrite(rows);
    device.resizeForOverwrite(rows);
    lane.resizeForOverwrite(rows);
    begin.resizeForOverwrite(rows);
    end.resizeForOverwrite(rows);
    bytes.resizeForOverwrite(rows);
}

Activity ActivityTable::row(std::size_t index) const
{
    return {kind[index], name[index], device[index], lane[index], begin[index], end[index], bytes[index]};
}

void ActivityTable::order()
{
    if (std::ranges::is_sorted(begin))
        return;
    std::vector<std::uint32_t> rowOrder(rows());
    std::iota(rowOrder.begin(), rowOrder.end(), 0U);
    std::ranges::stable_sort(
        rowOrder, [this](std::uint32_t a, std::uint32_t b) { return begin[a] < begin[b]; });
    ActivityTable ordered;
    for (const std::uint32_t index : rowOrder)
        ordered.push(row(index));
    *this = std::move(ordered);
}

} // namespace highwater
