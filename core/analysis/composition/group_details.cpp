#include "core/analysis/composition/group_details.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/run/category_rules.h"

namespace highwater {

std::vector<GroupDetails> groupDetails(const CategoryTable& categories, const AllocationTable& allocations,
    const KeptBlocks& keptBlocks, std::span<const AllocationIndex> members,
    std::span<const std::uint32_t> groupOf, std::size_t groupCount, std::int64_t event)
{
    std::vector<GroupDetails> details(groupCount);
    for (std::size_t i = 0; i < members.size(); ++i) {
        GroupDetails& group = details[groupOf[i]];
        const Bytes bytes = allocations.bytes(members[i]);
        group.byCategory[static_cast<std::size_t>(categories.of(members[i]))] += bytes;
        if (keptBlocks.isKept(members[i], event))
            group.kept += bytes;
    }
    return details;
}

std::string categoriesText(const CategoryBytes& bytes, const GuessedCategories& guessed)
{
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (bytes[i] > 0)
            present.push_back(i);
    if (present.empty())
        return {};
    std::ranges::stable_sort(present, [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
    const auto title = [&](std::size_t i) { return titleOf(static_cast<Category>(i), guessed[i]); };
    const std::string first = title(present[0]);
    if (present.size() == 2)
        return fmt::format("{}, {}", first, title(present[1]));
    return present.size() == 1 ? first : fmt::format("{} and {} more", first, present.size() - 1);
}

} // namespace highwater
