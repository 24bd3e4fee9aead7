#pragma once

#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/table/table.h"

/// Columns of bytes by category, shared by several tables.
namespace highwater {

/// Returns the categories that have bytes in any row, in the order of Category.
std::vector<Category> categoriesThatOccur(const std::vector<CategoryBytes>& rows);

/// Returns the column of a category's bytes; its tip says that they are those at the peak.
TableColumn categoryColumn(Category category);
/// True if the column has the key of a `categoryColumn`.
bool isCategoryColumn(const TableColumn& column);

} // namespace highwater
