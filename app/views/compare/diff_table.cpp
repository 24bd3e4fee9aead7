#include "app/views/compare/diff_table.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/diff/cut_rows.h"
#include "core/base/text_format.h"
#include "core/table/composition_tables.h"
#include "core/table/diff_tables.h"

namespace highwater::gui {

namespace {
/// The name has room for this many characters before the change of size is shown, and for the second number
/// in any case: enough for a file and its line.
constexpr int kNameCharacters = 34;
constexpr int kLeastNameCharacters = 28;
constexpr int kAmountColumns = 4; ///< difference, both totals and status
constexpr int kMaxCutRows = 4; ///< rows that cannot be compared, before they scroll

/// Shows the word of a status; what is in brackets behind it is in the tool tip.
class StatusDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text = option->text.section(QLatin1String(" ("), 0, 0);
    }
};

bool isSame(const DiffRow& row)
{
    return row.status() == DiffStatus::Same;
}
} // namespace

DiffTable::DiffTable(ComparisonState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_title(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_compared(makeRows(QStringLiteral("diffTable"), tr("What changed")))
    , m_whyCut(new QLabel(this))
    , m_cut(makeRows(QStringLiteral("cutRows"), tr("Rows that cannot be compared")))
    , m_sum(new QLabel(this))
    , m_unchanged(new QToolButton(this))
    , m_statuses(new StatusDelegate(this))
{
    layOut();
    connectParts();
}

DiffTable::Rows DiffTable::makeRows(const QString& name, const QString& accessibleName)
{
    auto* model = new TableModel(this);
    QTableView* table = makeSortedTable(*model, name, accessibleName, this);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setToolTip(tr("Click to see where a row is allocated; double click or Enter to go there"));
    return {model, table};
}

void DiffTable::layOut()
{
    m_title->setProperty("quiet", true);
    named(m_filter, "diffFilter", tr("Filter the rows"), tr("Filter: a name, a file…"));
    m_filter->setPlaceholderText(m_filter->toolTip());
    m_filter->setClearButtonEnabled(true);
    m_whyCut->setObjectName(QStringLiteral("whyCut"));
    m_whyCut->setProperty("quiet", true);
    makeSelectable(*m_whyCut, Qt::PlainText, {10, 4, 8, 2});
    m_cut.table->horizontalHeader()->hide();
    m_cut.table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_sum->setObjectName(QStringLiteral("diffSum"));
    makeSelectable(*m_sum, Qt::AutoText, {10, 4, 8, 6});
    makeBold(*m_sum);
    named(m_unchanged, "showUnchanged", {}, tr("Show the rows with equal totals in both runs, too"));
    m_unchanged->setCheckable(true);
    m_unchanged->setProperty("link", true);
    auto* below = layRow(nullptr, {m_unchanged, Part::space(1)}, {{8, 2, 8, 0}});
    auto* top = layRow(nullptr, {m_title, {m_filter, 1}}, {{10, 6, 8, 4}, 10});
    layColumn(this, {top, {m_compared.table, 1}, below, m_whyCut, m_cut.table, m_sum});
    showCutRows();
}

void DiffTable::connectParts()
{
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        for (const Rows* rows : parts())
            rows->model->setFilter(text);
        followDiff();
        followSelectedRows();
    });
    connect(m_unchanged, &QToolButton::toggled, this, [this] {
        followDiff();
        followSelectedRows();
    });
    connect(&m_state, &ComparisonState::diffChanged, this, &DiffTable::followDiff);
    connect(&m_state, &ComparisonState::runsChanged, this, [this] {
        m_widestAmounts = 0;
        if (!m_state.comparison())
            followDiff();
    });
    connect(&m_state, &ComparisonState::selectedRowsChanged, this, &DiffTable::followSelectedRows);
    m_compared.table->viewport()->installEventFilter(this);
    connectRows(m_compared);
    connectRows(m_cut);
}

void DiffTable::connectRows(const Rows& rows)
{
    connect(rows.table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, &rows] {
        if (m_isFollowing)
            return;
        if (rows.table->selectionModel()->hasSelection()) {
            const QScopedValueRollback<bool> following(m_isFollowing, true);
            (&rows == &m_cut ? m_compared : m_cut).table->clearSelection();
        }
        takeSelection();
    });
    connect(rows.table, &QTableView::doubleClicked, this, &DiffTable::openCurrent);
    addCommands(rows);
}

const DiffTable::Rows& DiffTable::focused() const
{
    return m_cut.table->hasFocus() ? m_cut : m_compared;
}

void DiffTable::setColors(const ThemeColors& colors)
{
    for (const Rows* rows : parts())
        rows->model->setColors(colors);
}

void DiffTable::addCommands(const Rows& rows)
{
    QAction* open = addContextAction(
        *rows.table, tr("Go to the first allocation of the row"), [this] { openCurrent(); });
    open->setObjectName(QStringLiteral("openRow"));
    open->setToolTip(tr("Zoom both timelines to the step that first allocates the row (Enter)"));
    open->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    open->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QAction* copy = addContextAction(*rows.table, tr("Copy the rows"), [table = rows.table] {
        QGuiApplication::clipboard()->setText(tableText(*table, table->selectionModel()->hasSelection()));
    });
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addContextAction(*rows.table, tr("Add a note on this row"), [this] {
        if (const std::optional<Note> draft = noteHere())
            emit noteRequested(*draft);
    });
}

void DiffTable::openCurrent()
{
    const QModelIndex current = focused().table->currentIndex();
    if (current.isValid() && m_state.diff())
        emit rowOpened(focused().rowAt(current.row()));
}

void DiffTable::followDiff()
{
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    const std::vector<DiffRow> none;
    const std::vector<DiffRow>& rows = diff ? diff->diff.rows : none;
    const auto last = static_cast<std::uint32_t>(rows.size());
    const auto firstCut
        = static_cast<std::uint32_t>(std::ranges::find_if(rows, &DiffRow::isCut) - rows.begin());
    m_title->setText(diff ? tr("What changed, by %1").arg(nounForRow(diff->group)) : QString());
    m_whyCut->setText(diff ? joined(cutSentences(diff->diff), QLatin1Char('\n')) : QString());
    showRows(m_compared, 0, lastShown(rows, firstCut));
    showRows(m_cut, firstCut, last);
    showCutRows();
    showSum();
    orderColumns();
    fitWidth();
}

/// Returns the end of the rows to show, and offers the unchanged ones. Rows are in descending order of
/// change, so that unchanged ones are last. A filter searches them, too, and they are shown if nothing else
/// is there.
std::uint32_t DiffTable::lastShown(const std::vector<DiffRow>& rows, std::uint32_t firstCut)
{
    std::uint32_t last = firstCut;
    while (last > 0 && isSame(rows[last - 1]))
        --last;
    const std::uint32_t unchanged = firstCut - last;
    m_unchanged->setText((m_unchanged->isChecked() ? tr("Hide unchanged (%1)") : tr("Show unchanged (%1)"))
                             .arg(countText(unchanged)));
    m_unchanged->setVisible(unchanged > 0 && last > 0 && m_filter->text().isEmpty());
    return m_unchanged->isChecked() || last == 0 || !m_filter->text().isEmpty() ? firstCut : last;
}

/// Fills a table with the rows [first, last) of the comparison.
void DiffTable::showRows(Rows& rows, std::uint32_t first, std::uint32_t last)
{
    TableSource source;
    if (const std::shared_ptr<const MomentDiff>& diff = m_state.diff()) {
        source = withoutColumns(
            diffSource(diff->group, diff->diff, &diff->causes, diff->names), {"before_count", "after_count"});
        source.rowCount = last - first;
        for (SourceColumn& column : source.columns) // keep the diff alive as long as the columns that read it
            column.cell
                = [diff, first, cell = std::move(column.cell)](std::size_t i) { return cell(first + i); };
    }
    rows.first = first;
    rows.count = last - first;
    rows.model->setSource(std::move(source));
}

/// Shows the line and the table of the rows that cannot be compared if there are any.
void DiffTable::showCutRows()
{
    const int count = m_cut.model->rowCount();
    m_whyCut->setVisible(count > 0);
    m_cut.table->setVisible(count > 0);
    m_cut.table->setFixedHeight(
        std::clamp(count, 1, kMaxCutRows) * m_cut.table->verticalHeader()->defaultSectionSize() + 2);
}

/// Puts the status next to the amounts, so that only the change of size is out of sight where there is no
/// room.
void DiffTable::orderColumns()
{
    for (const Rows* rows : parts()) {
        QHeaderView& header = *rows->table->horizontalHeader();
        if (const int status = rows->model->column("status"); status >= 0) {
            header.moveSection(header.visualIndex(status), 4);
            rows->table->setItemDelegateForColumn(status, m_statuses);
        }
    }
}

/// Fits the columns next to the name to the contents of both tables. Returns their width without the change
/// of size.
int DiffTable::fitAmounts()
{
    const int size = m_compared.model->column("each");
    int sum = 0;
    for (int column = 1; column < m_compared.model->columnCount(); ++column) {
        int width = 0;
        for (const Rows* rows : parts()) {
            rows->table->setColumnHidden(column, false);
            rows->table->resizeColumnToContents(column);
            width = std::max(width, rows->table->columnWidth(column));
        }
        for (const Rows* rows : parts())
            rows->table->setColumnWidth(column, width);
        sum += column == size ? 0 : width;
    }
    return sum;
}

/// Returns the width that the longest name needs among the first rows, which are seen without scrolling.
int DiffTable::widestName() const
{
    constexpr int maxRows = 50;
    int width = 0;
    for (int row = 0; row < std::min(m_compared.model->rowCount(), maxRows); ++row)
        width = std::max(
            width, fontMetrics().horizontalAdvance(m_compared.model->index(row, 0).data().toString()));
    return width + 2 * kCellPadding;
}

/// Gives the name what the shown columns leave, and the table at least the width of a short name and of the
/// widest amounts so far, so that another moment does not move the splitter. The status, which the amounts
/// say as well, and the change of size are shown if the names keep their room.
void DiffTable::fitWidth()
{
    if (m_compared.model->columnCount() == 0 || m_isFitting)
        return;
    const QScopedValueRollback<bool> fitting(m_isFitting, true); // a scroll bar may come or go meanwhile
    QTableView& table = *m_compared.table;
    const int amounts = fitAmounts();
    const int character = fontMetrics().averageCharWidth();
    const int least = kLeastNameCharacters * character;
    m_widestAmounts = std::max({m_widestAmounts, amounts,
        kAmountColumns * fontMetrics().horizontalAdvance(QStringLiteral("−999.99 MiB"))});
    table.setMinimumWidth(m_widestAmounts + least + table.verticalScrollBar()->sizeHint().width());
    const int name = table.viewport()->width() - amounts;
    const auto show = [this](int column, bool isShown) {
        for (const Rows* rows : parts())
            if (column >= 0)
                rows->table->setColumnHidden(column, !isShown);
    };
    const int size = m_compared.model->column("each");
    const int sizeWidth = size >= 0 ? table.columnWidth(size) : 0;
    show(size, name - sizeWidth >= std::max(kNameCharacters * character, widestName()));
    show(m_compared.model->column("status"), name >= widestName());
    int shown = 0;
    for (int column = 1; column < m_compared.model->columnCount(); ++column)
        shown += table.columnWidth(column); // 0 if hidden
    for (const Rows* rows : parts())
        rows->table->setColumnWidth(0, std::max(table.viewport()->width() - shown, least));
}

/// Fits the columns when the room for them changes, also by a scroll bar that comes or goes.
bool DiffTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_compared.table->viewport() && event->type() == QEvent::Resize) {
        const auto& resize = static_cast<const QResizeEvent&>(*event);
        if (resize.size().width() != resize.oldSize().width())
            fitWidth();
    }
    return QWidget::eventFilter(watched, event);
}

void DiffTable::followSelectedRows()
{
    if (m_isFollowing)
        return;
    const auto isHidden = [this](std::uint32_t row) {
        return row < m_cut.first && row >= m_compared.first + m_compared.count;
    };
    if (std::ranges::any_of(m_state.selectedRows(), isHidden))
        return m_unchanged->setChecked(true); // which calls this function again
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    for (const Rows* rows : parts()) {
        QItemSelection selection;
        QModelIndex first;
        for (const std::uint32_t row : m_state.selectedRows()) {
            if ((row >= m_cut.first) != (rows == &m_cut))
                continue;
            const QModelIndex index = rows->model->index(rows->model->shownRow(row - rows->first), 0);
            selection.select(index, index);
            if (!first.isValid())
                first = index;
        }
        rows->table->selectionModel()->select(
            selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (first.isValid())
            rows->table->scrollTo(first);
    }
}

void DiffTable::takeSelection()
{
    if (!m_state.diff())
        return;
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    std::vector<std::uint32_t> selected;
    for (const Rows* rows : parts())
        for (const QModelIndex& index : rows->table->selectionModel()->selectedRows())
            selected.push_back(rows->rowAt(index.row()));
    std::sort(selected.begin(), selected.end());
    m_state.selectRows(std::move(selected));
}

/// Sums the rows that the filter leaves. The sum of all rows is the change of the totals, which the header
/// shows.
void DiffTable::showSum()
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    m_sum->setVisible(diff && !m_filter->text().isEmpty());
    if (!diff)
        return;
    DiffRow sum;
    int summed = 0;
    for (const Rows* rows : parts())
        for (int i = 0; i < rows->model->rowCount(); ++i) {
            const DiffRow& row = diff->diff.rows[rows->rowAt(i)];
            sum.before.bytes += row.before.bytes;
            sum.after.bytes += row.after.bytes;
            ++summed;
        }
    const ChangeText text = formatChange(sum.before.bytes, sum.after.bytes);
    m_sum->setText(
        tr("%1 of %2: %3 → %4, %5")
            .arg(countedText(summed, "row", "rows"), countText(static_cast<qint64>(diff->diff.rows.size())),
                toQString(text.before), toQString(text.after), toQString(text.delta)));
}

QString nounForRow(GroupKey key)
{
    return toQString(groupTitle(key)).toLower();
}

} // namespace highwater::gui
