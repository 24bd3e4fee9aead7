#include "app/views/parts/plain_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include "app/views/parts/box_label.h"

namespace highwater::gui {

namespace {

constexpr auto kFirstLeftOut = "firstLeftOut";
constexpr int kLeastName = 120; ///< width of a column of names or texts that yields to the others
constexpr int kWidest = 340; ///< of a column, except for width that no other column needs

/// Hides the columns of a table that do not fit, and shows them again in a wider table. Texts of the
/// essential columns are cut first.
class WholeColumns : public QObject
{
public:
    WholeColumns(QTableView& table, int essential)
        : QObject(&table)
        , m_table(table)
        , m_essential(essential)
    {
        table.viewport()->installEventFilter(this);
        connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &WholeColumns::fitLater);
    }

    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            fitLater();
        return false;
    }

private:
    /// Fits once, after all columns have their widths.
    void fitLater()
    {
        if (!std::exchange(m_isWaiting, true))
            QMetaObject::invokeMethod(
                this, [this] { fit(); }, Qt::QueuedConnection);
    }

    void fit()
    {
        const int count = m_table.horizontalHeader()->count();
        m_widths.resize(static_cast<std::size_t>(count));
        const int room = m_table.viewport()->width();
        int right = 0;
        int narrowest = 0; // where the columns end if their texts yield
        int spare = 0;
        int fittingCount = 0;
        for (int column = 0; column < count; ++column) {
            auto& [width, adjusted] = m_widths[static_cast<std::size_t>(column)];
            if (!m_table.isColumnHidden(column) && m_table.columnWidth(column) != adjusted)
                width = m_table.columnWidth(column);
            right += width;
            narrowest += leastWidth(column);
            const int end = column < m_essential ? narrowest : right;
            if (column == 0 || (fittingCount == column && end <= room)) {
                fittingCount = column + 1;
                spare = room - right;
            }
        }
        m_table.setProperty(kFirstLeftOut, fittingCount);
        for (int column = 0; column < count; ++column)
            if (m_table.isColumnHidden(column) != (column >= fittingCount))
                m_table.setColumnHidden(column, column >= fittingCount);
        const bool isLacking = spare < 0; // the first column is the last to yield
        for (int i = 0; i < fittingCount; ++i)
            adjust(isLacking ? fittingCount - 1 - i : i, spare);
        m_isWaiting = false; // after the signals of the columns changed here
    }

    /// Returns the width to which a column yields: numbers are not cut.
    int leastWidth(int column) const
    {
        const int width = m_widths[static_cast<std::size_t>(column)].first;
        const int alignment
            = m_table.model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        return alignment & Qt::AlignRight ? width : std::min(width, kLeastName);
    }

    /// Gives a column whose texts the limit of `fitColumns` cuts the width that it needs, as far as there is
    /// spare width. Less than none is taken from its texts.
    void adjust(int column, int& spare)
    {
        auto& [width, adjusted] = m_widths[static_cast<std::size_t>(column)];
        const QAbstractItemView& view = m_table;
        const int lacking = width == kWidest ? std::max(0, view.sizeHintForColumn(column) - width) : 0;
        const int more = spare < 0 ? std::max(spare, leastWidth(column) - width) : std::min(lacking, spare);
        spare -= more;
        adjusted = width + more;
        if (m_table.columnWidth(column) != adjusted)
            m_table.setColumnWidth(column, adjusted);
    }

    QTableView& m_table;
    int m_essential;
    /// For each column, hidden ones included: its own width, and the one that `adjust` gave it.
    std::vector<std::pair<int, int>> m_widths;
    bool m_isWaiting = false;
};

/// Keeps the first column of a table at the width of its names, at most half of the table's, or at most what
/// the other columns leave. Cuts longer names in front, because names of settings share their beginnings.
class NameDelegate : public QStyledItemDelegate
{
public:
    explicit NameDelegate(QTableView& table)
        : QStyledItemDelegate(&table)
        , m_table(table)
    {
        table.setItemDelegateForColumn(0, this);
        table.viewport()->installEventFilter(this);
    }

    /// Sets the width that the names need, and that the other columns keep, in pixels; 0 for half the table.
    void setWidths(int names, int others)
    {
        m_names = names;
        m_others = others;
        fit();
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched != m_table.viewport())
            return QStyledItemDelegate::eventFilter(watched, event); // an editor in a cell
        if (event->type() == QEvent::Resize)
            fit();
        return false;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (const int room = option->rect.width() - 2 * kCellPadding; room > 0)
            option->text = option->fontMetrics.elidedText(option->text, Qt::ElideLeft, room);
    }

private:
    void fit()
    {
        const int width = m_table.viewport()->width();
        m_table.setColumnWidth(
            0, std::min(m_names, m_others > 0 ? std::max(width - m_others, kLeastName) : width / 2));
    }

    QTableView& m_table;
    int m_names = 0;
    int m_others = 0;
};

NameDelegate& nameDelegate(QTableView& table)
{
    auto* names = dynamic_cast<NameDelegate*>(table.itemDelegateForColumn(0));
    return names ? *names : *new NameDelegate(table); // owned by the table
}

} // namespace

int tableRowHeight(const QFontMetrics& font)
{
    return font.height() + 8;
}

bool showsLine(const QRect& cell, const QFontMetrics& font, const QWidget* view)
{
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(view);
    const int middle = cell.center().y();
    const int half = std::min(cell.height(), font.ascent() + font.descent()) / 2;
    return !area || (middle - half >= 0 && middle + half <= area->viewport()->height());
}

void PlaceDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto* const view = qobject_cast<const QAbstractScrollArea*>(option->widget);
    if (!view || option->rect.isEmpty())
        return;
    const bool hasBadge = option->features.testFlag(QStyleOptionViewItem::HasDecoration);
    const int taken = 2 * kCellPadding + (hasBadge ? option->decorationSize.width() + kCellPadding : 0);
    const QRect visible = option->rect.intersected(view->viewport()->rect());
    if (visible.width() > taken)
        option->text = placeOf(option->text) == option->text
            ? cutHead(option->fontMetrics, option->text, visible.width() - taken)
            : cutFunction(option->fontMetrics, option->text, visible.width() - taken);
}

QTableView* makePlainTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setObjectName(objectName);
    table->setAccessibleName(accessibleName);
    table->setModel(&model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false); // Tab leaves the table, arrows move in it
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(tableRowHeight(table->fontMetrics()));
    table->horizontalHeader()->setHighlightSections(false);
    // The style ends texts at the edge of the view, which scrolling would move with the picture.
    QObject::connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, table, [table] {
        table->viewport()->update();
        table->horizontalHeader()->viewport()->update();
    });
    return table;
}

QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent)
{
    QTableView* table = makePlainTable(model, objectName, accessibleName, parent);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setItemDelegate(new PlaceDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder); // no sorting yet
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    return table;
}

void leaveOutColumns(QTableView& table, int essential)
{
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    new WholeColumns(table, essential);
}

bool isLeftOut(const QTableView& table, int column)
{
    const QVariant firstLeftOut = table.property(kFirstLeftOut);
    return firstLeftOut.isValid() && column >= firstLeftOut.toInt();
}

void fitColumns(QTableView& table, int first)
{
    for (int column = first; column < table.model()->columnCount(); ++column) {
        if (isLeftOut(table, column))
            table.showColumn(column); // only a shown column can be measured
        if (table.isColumnHidden(column))
            continue; // its width would be taken for 0
        table.resizeColumnToContents(column);
        table.setColumnWidth(column, std::min(table.columnWidth(column), kWidest));
    }
}

void shareColumns(QTableView& table)
{
    fitColumns(table);
    nameDelegate(table).setWidths(table.columnWidth(0), 0);
    for (int column = 1; column < table.model()->columnCount(); ++column)
        table.horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
}

void yieldNames(QTableView& table)
{
    fitColumns(table);
    const int names = table.columnWidth(0);
    nameDelegate(table).setWidths(names, table.horizontalHeader()->length() - names);
}

} // namespace highwater::gui
