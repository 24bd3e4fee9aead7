#include "app/views/parts/table_export.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMessageBox>
#include <QTableView>
#include <QTreeView>

#include "app/models/cell_data.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/saved/saved_file.h"
#include "core/table/sinks/table_writer.h"

namespace highwater::gui {

namespace {

const char* const kSaveName = "saveAsCsv";

/// True for a hidden column, unless it is only left out for want of room.
bool isHidden(const QAbstractItemView& view, int column)
{
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->isColumnHidden(column) && !isLeftOut(*table, column);
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    return tree && tree->isColumnHidden(column);
}

/// Writes a table or tree as CSV, as `csvOf` describes.
class CsvOfView
{
public:
    explicit CsvOfView(const QAbstractItemView& view)
        : m_model(*view.model())
    {
        for (int column = 0; column < m_model.columnCount(); ++column)
            if (!isHidden(view, column))
                m_columns.push_back(column);
        for (int row = 0; row < m_model.rowCount() && !m_isTree; ++row)
            m_isTree = m_model.hasChildren(m_model.index(row, 0));
    }

    std::string write()
    {
        std::string out;
        TableWriter writer(
            TableFormat::Csv,
            [&out](std::string_view piece) {
                out += piece;
                return true;
            },
            {}, titles());
        // Not recursive, because a call tree can be as deep as its stacks.
        std::vector<Place> places{{QModelIndex(), 0}};
        while (!places.empty()) {
            Place& place = places.back();
            if (place.row >= m_model.rowCount(place.parent)) {
                places.pop_back();
                continue;
            }
            const QModelIndex first = m_model.index(place.row++, 0, place.parent);
            writeRow(writer, first, static_cast<std::int64_t>(places.size()) - 1);
            if (m_isTree)
                places.push_back({first, 0});
        }
        writer.finish();
        return out;
    }

private:
    struct Place
    {
        QModelIndex parent;
        int row = 0; ///< next row to write
    };

    std::vector<std::string> titles() const
    {
        std::vector<std::string> titles;
        if (m_isTree)
            titles.emplace_back("depth");
        for (const int column : m_columns) {
            QString title = m_model.headerData(column, Qt::Horizontal).toString();
            const QString unit = unitOf(column);
            if (!unit.isEmpty() && unit != QLatin1String(kNoUnit))
                title += QStringLiteral(" (%1)").arg(unit);
            titles.push_back(title.toStdString());
        }
        return titles;
    }

    QString unitOf(int column) const
    {
        return m_model.headerData(column, Qt::Horizontal, kExactRole).toString();
    }

    void writeRow(TableWriter& writer, const QModelIndex& first, std::int64_t depth) const
    {
        if (m_isTree)
            writer.number(depth);
        for (const int column : m_columns)
            writeCell(writer, first.siblingAtColumn(column));
    }

    void writeCell(TableWriter& writer, const QModelIndex& cell) const
    {
        const QVariant exact = cell.data(kExactRole);
        if (exact.typeId() == QMetaType::Double)
            writer.real(exact.toDouble());
        else if (exact.isValid())
            writer.number(std::int64_t{exact.toLongLong()});
        else if (unitOf(cell.column()).isEmpty())
            writer.text(cell.data().toString().toStdString());
        else
            writer.missing();
    }

    const QAbstractItemModel& m_model;
    std::vector<int> m_columns;
    bool m_isTree = false;
};

QAction* addExportAction(QAbstractItemView& view, const QString& text, const char* name)
{
    auto* action = new QAction(text, &view);
    action->setObjectName(QString::fromLatin1(name));
    view.addAction(action);
    return action;
}

/// Copies the selected rows as they are shown, of a tree the current row and the visible rows below it; all
/// rows if none is selected.
void copyShown(const QAbstractItemView& view)
{
    const bool onlySelected = view.selectionModel() && view.selectionModel()->hasSelection();
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    const auto* table = qobject_cast<const QTableView*>(&view);
    QGuiApplication::clipboard()->setText(
        tree ? treeText(*tree, onlySelected) : tableText(*table, onlySelected));
}

void askWhereToSave(QAbstractItemView& view)
{
    QFileDialog dialog(&view, QObject::tr("Save as CSV"), {}, QObject::tr("CSV (*.csv)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    QString error;
    if (dialog.exec() == QDialog::Accepted && !saveCsv(view, dialog.selectedFiles().value(0), error))
        QMessageBox::warning(&view, QObject::tr("Save as CSV"), error);
}

/// True if the view has a command with the keys for copying.
bool hasCopy(const QAbstractItemView& view)
{
    return std::ranges::any_of(view.actions(),
        [](const QAction* action) { return action->shortcut() == QKeySequence(QKeySequence::Copy); });
}

} // namespace

std::string csvOf(const QAbstractItemView& view)
{
    return view.model() ? CsvOfView(view).write() : std::string();
}

bool saveCsv(const QAbstractItemView& view, const QString& path, QString& error)
{
    const Result<void> saved = saveBytes(path, QByteArray::fromStdString(csvOf(view)));
    if (!saved)
        error = path + QStringLiteral(": ") + QString::fromStdString(saved.error().message);
    return saved.has_value();
}

void offerTableExport(QAbstractItemView& view)
{
    if (view.findChild<QAction*>(QLatin1String(kSaveName), Qt::FindDirectChildrenOnly))
        return;
    if (!view.actions().isEmpty()) {
        auto* line = new QAction(&view);
        line->setSeparator(true);
        view.addAction(line);
    }
    if (!hasCopy(view)) {
        QAction* copy = addExportAction(view, QObject::tr("Copy"), "copyRows");
        copy->setShortcut(QKeySequence::Copy);
        copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        QObject::connect(copy, &QAction::triggered, &view, [&view] { copyShown(view); });
    }
    QObject::connect(addExportAction(view, QObject::tr("Copy as CSV"), "copyAsCsv"), &QAction::triggered,
        &view, [&view] { QGuiApplication::clipboard()->setText(QString::fromStdString(csvOf(view))); });
    QObject::connect(addExportAction(view, QObject::tr("Save as CSV…"), kSaveName), &QAction::triggered,
        &view, [&view] { askWhereToSave(view); });
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void offerTableExports(QWidget& parent)
{
    for (QTableView* table : parent.findChildren<QTableView*>())
        offerTableExport(*table);
    for (QTreeView* tree : parent.findChildren<QTreeView*>())
        offerTableExport(*tree);
}

} // namespace highwater::gui
