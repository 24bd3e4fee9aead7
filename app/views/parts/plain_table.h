#pragma once

#include <QStyledItemDelegate>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace highwater::gui {

/// Room on both sides of a text in a cell or header, in pixels. One rule for all tables, so that a number
/// never touches the text of the next column.
inline constexpr int kCellPadding = 8;

/// Returns the height of a row of one line in pixels, the same in all tables and in trees with columns.
int tableRowHeight(const QFontMetrics& font);

/// True if the edge of a view leaves the middle line of a cell whole: half a line cannot be read.
bool showsLine(const QRect& cell, const QFontMetrics& font, const QWidget* view);

/// Cuts the function of a call site that does not fit; its file and line stay. Other names lose what is
/// before their first " · ".
class PlaceDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// Makes the usual table of a panel: whole rows are selected, no grid, frame or row numbers, one line per
/// row.
QTableView* makePlainTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// Makes a plain table in which one row can be selected and a click on a column title sorts. Before the first
/// click, rows have the order of the model.
QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// From now on leaves out, from the right, columns that do not fit whole into the table's width, so that no
/// number is cut and nothing scrolls sideways. The first column always stays. Texts of the first `essential`
/// columns are cut, down to a short name, before one of these columns is left out. What is copied or saved
/// has the columns that are left out. Columns that `fitColumns` cuts become wider where there is spare width.
/// The table must have no other hidden columns.
void leaveOutColumns(QTableView& table, int essential = 1);

/// Returns true if a column is left out for want of room.
bool isLeftOut(const QTableView& table, int column);

/// Fits the columns from `first` on to their contents, up to a limit. Hidden columns stay hidden.
void fitColumns(QTableView& table, int first = 0);

/// Fits the first column to its contents, up to half of the table, where names are cut in front, and gives
/// the others equal shares of the rest, so that nothing scrolls sideways. The table must have columns.
void shareColumns(QTableView& table);

/// Fits the columns to their contents. Where that is too wide for the table, the first column gets what the
/// others leave, but stays wide enough for a short name, and its names are cut in front.
void yieldNames(QTableView& table);

} // namespace highwater::gui
