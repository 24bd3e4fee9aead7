#include "app/models/cell_data.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

QVariant alignment(bool isNumber)
{
    return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

/// The largest bytes, counts and times are wanted first; numbers of steps, events and the like are read in
/// order.
Qt::SortOrder firstOrder(const TableColumn& column)
{
    constexpr std::array<std::string_view, 6> kPlaces = {"index", "line", "rank", "stage", "step", "event"};
    const bool isPlace = std::ranges::any_of(kPlaces, [&](std::string_view place) {
        return column.key == place || column.key.ends_with('_' + std::string(place));
    });
    return column.isNumber && !isPlace ? Qt::DescendingOrder : Qt::AscendingOrder;
}

/// Returns the value for kExactRole; invalid for a cell or a column without figures.
QVariant exactValue(const TableColumn& column, const Amount* amount)
{
    if (!amount || unitOf(column).empty())
        return {};
    return amount->kind == AmountKind::PerMille ? QVariant(static_cast<double>(amount->value) / 1000)
                                                : QVariant::fromValue<qlonglong>(amount->value);
}

/// Returns the tip of the cell, after its text unless the column is numeric or the tip has the text. Returns
/// the text if the cell has no tip.
QString toolTip(const TableColumn& column, const Cell& cell)
{
    const std::string tip = tipText(cell);
    const std::string text = cell.outline() ? std::string() : cellText(cell);
    const bool tipSuffices = column.isNumber || tip.find(text) != std::string::npos;
    return linesToQString(tip.empty() ? text : tipSuffices ? tip : text + '\n' + tip);
}

} // namespace

QVariant cellData(const TableColumn& column, const Cell& cell, int role)
{
    switch (role) {
    case Qt::DisplayRole: return cell.outline() ? QString() : toQString(cellText(cell));
    case Qt::AccessibleTextRole: return toQString(cell.outline() ? tipText(cell) : cellText(cell));
    case Qt::ToolTipRole: return toolTip(column, cell);
    case Qt::TextAlignmentRole: return alignment(column.isNumber && !cell.takesRest);
    case kExactRole: return exactValue(column, cell.amount());
    case ShareRole:
        return cell.amount() && cell.amount()->kind == AmountKind::PerMille
            ? QVariant(static_cast<double>(cell.amount()->value) / 1000)
            : QVariant();
    default: return {};
    }
}

QVariant titleData(const TableColumn& column, int role)
{
    switch (role) {
    case Qt::DisplayRole: return toQString(column.title);
    case Qt::ToolTipRole:
        return linesToQString(column.tip.empty() ? column.title : column.title + '\n' + column.tip);
    case Qt::TextAlignmentRole: return alignment(column.isNumber);
    case Qt::InitialSortOrderRole: return static_cast<int>(firstOrder(column));
    case kExactRole: {
        const std::string_view unit = unitOf(column);
        return unit.empty() ? QVariant() : QVariant(toQString(unit));
    }
    default: return {};
    }
}

} // namespace highwater::gui
