#pragma once

#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/table/table.h"

/// Columns of bytes by category, as several tables have them.
namespace highwater {

/// Those that any of them has bytes of, in the categories' order.
std::vector<Category> categoriesThatOccur(const std::vector<CategoryBytes>& rows);

TableColumn categoryColumn(Category category);
bool isOfCategory(const TableColumn& column);

} // namespace highwater
