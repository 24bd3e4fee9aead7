#include "core/table/category_columns.h"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

namespace {

constexpr std::string_view kEnding = "_bytes";

} // namespace

std::vector<Category> categoriesThatOccur(const std::vector<CategoryBytes>& rows)
{
    std::vector<Category> categories;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (std::ranges::any_of(rows, [i](const CategoryBytes& bytes) { return bytes[i] > 0; }))
            categories.push_back(static_cast<Category>(i));
    return categories;
}

TableColumn categoryColumn(Category category)
{
    return {std::string(titleOf(category)), fmt::format("{}{}", toText(category), kEnding), true,
        fmt::format("{} at the peak", titleOf(category))};
}

bool isCategoryColumn(const TableColumn& column)
{
    return column.key.ends_with(kEnding)
        && categoryFromText(column.key.substr(0, column.key.size() - kEnding.size())).has_value();
}

} // namespace highwater
