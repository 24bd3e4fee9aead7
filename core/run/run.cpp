#include "core/run/run.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/text_parts.h"

namespace highwater {

std::string RunMember::fileName() const
{
    return std::string(highwater::fileName(path));
}

std::string RunMember::label() const
{
    if (!rank)
        return fileName();
    const std::string name = "rank " + std::to_string(*rank);
    return step ? name + ", step " + std::to_string(*step) : name;
}

bool isBefore(const RunMember& a, const RunMember& b)
{
    static constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    const auto key = [](const RunMember& member) {
        return std::tuple(
            member.rank.value_or(last), member.step.value_or(-1), std::string_view(member.path));
    };
    return key(a) < key(b);
}

void sortByRank(std::vector<RunMember>& members)
{
    std::ranges::stable_sort(members, isBefore);
}

std::optional<std::int64_t> rankFromContent(const Trace& trace)
{
    for (const auto& [name, value] : trace.metadata.producer)
        if (name == "rank")
            return parsedCount(value);
    std::optional<std::int64_t> rank;
    for (const CounterSeries& series : trace.counters) {
        if (!series.rank || (rank && rank != series.rank))
            return std::nullopt;
        rank = series.rank;
    }
    return rank;
}

} // namespace highwater
