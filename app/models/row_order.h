#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <Qt>

#include "core/table/table.h"

namespace highwater::gui {

/// Sorts rows of a table by the cells of one column: by their `order`, amount or sum of an outline, else by
/// text, where lr-2 comes before lr-10. In either direction, numbers come before texts and rows without a
/// value last; equal rows keep their order. O(rows × log rows).
void sortByColumn(
    std::span<std::size_t> rows, const std::function<Cell(std::size_t row)>& cellOf, Qt::SortOrder order);

} // namespace highwater::gui
