#include "app/models/row_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <QCollator>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

struct RowKey
{
    std::size_t row = 0;
    bool isEmpty = true;
    std::optional<std::int64_t> number;
    QString text;
};

/// Returns the number by which a cell is sorted; nullopt if it is sorted by its text.
std::optional<std::int64_t> sortNumber(const Cell& cell)
{
    if (cell.order)
        return cell.order;
    if (const Outline* outline = cell.outline())
        return std::accumulate(outline->totals.begin(), outline->totals.end(), std::int64_t{0});
    return cell.amount() ? std::optional(cell.amount()->value) : std::nullopt;
}

} // namespace

void sortByColumn(
    std::span<std::size_t> rows, const std::function<Cell(std::size_t row)>& cellOf, Qt::SortOrder order)
{
    QCollator collator;
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    std::vector<RowKey> keys;
    for (const std::size_t row : rows) {
        const Cell cell = cellOf(row);
        const std::optional<std::int64_t> number = sortNumber(cell);
        keys.push_back(
            {row, cell.isEmpty() && !cell.order, number, number ? QString() : toQString(cellText(cell))});
    }
    std::ranges::stable_sort(keys, [&](const RowKey& a, const RowKey& b) {
        const RowKey& left = order == Qt::AscendingOrder ? a : b;
        const RowKey& right = order == Qt::AscendingOrder ? b : a;
        if (left.isEmpty || right.isEmpty)
            return !a.isEmpty && b.isEmpty;
        if (left.number && right.number)
            return *left.number < *right.number;
        if (left.number || right.number)
            return a.number.has_value() && !b.number; // numbers before words
        return collator.compare(left.text, right.text) < 0;
    });
    std::ranges::transform(keys, rows.begin(), &RowKey::row);
}

} // namespace highwater::gui
