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
#include <QStyledItemDelegate>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/table/composition_tables.h"
#include "core/table/diff_tables.h"

namespace highwater::gui {

namespace {
/// The name has room for this many characters before columns are moved out of sight, and for the second
/// number in any case.
constexpr int kNameCharacters = 26;
constexpr int kLeastNameCharacters = 10;
constexpr int kStatusCharacters = 9; ///< "shrank (…": the tool tip has the rest

/// Cuts long names in front, because a call site ends with its file and line.
class NameDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideLeft;
    }
};
} // namespace

DiffTable::DiffTable(ComparisonState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(new TableModel(this))
    , m_title(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_table(makeSortedTable(*m_model, QStringLiteral("diffTable"), tr("What changed"), this))
    , m_sum(new QLabel(this))
{
    layOut();
    connectParts();
}

void DiffTable::layOut()
{
    m_title->setProperty("quiet", true);
    named(m_filter, "diffFilter", tr("Filter the rows"), tr("Filter: a name, a file, new, gone…"));
    m_filter->setPlaceholderText(m_filter->toolTip());
    m_filter->setClearButtonEnabled(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setItemDelegateForColumn(0, new NameDelegate(m_table));
    m_table->setToolTip(tr("Click to see where a row is allocated; double click or Enter to go there"));
    m_sum->setObjectName(QStringLiteral("diffSum"));
    makeSelectable(*m_sum, Qt::AutoText, {10, 4, 8, 6});
    makeBold(*m_sum);
    auto* top = layRow(nullptr, {m_title, {m_filter, 1}}, {{10, 6, 8, 4}, 10});
    layColumn(this, {top, {m_table, 1}, m_sum});
}

void DiffTable::connectParts()
{
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        showSum();
    });
    connect(&m_state, &ComparisonState::diffChanged, this, &DiffTable::followDiff);
    connect(&m_state, &ComparisonState::runsChanged, this, [this] {
        if (!m_state.comparison())
            followDiff();
    });
    connect(&m_state, &ComparisonState::chosenChanged, this, &DiffTable::followChosen);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DiffTable::chooseSelected);
    m_table->viewport()->installEventFilter(this);
    connect(m_table, &QTableView::doubleClicked, this, &DiffTable::openCurrent);
    addCommands();
}

void DiffTable::addCommands()
{
    QAction* open = addContextAction(*m_table, tr("Go to its first allocation"), [this] { openCurrent(); });
    open->setObjectName(QStringLiteral("openRow"));
    open->setToolTip(tr("Zoom both timelines to the step that first allocates the row (Enter)"));
    open->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    open->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QAction* copy = addContextAction(*m_table, tr("Copy the rows"), [this] {
        QGuiApplication::clipboard()->setText(tableText(*m_table, m_table->selectionModel()->hasSelection()));
    });
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addContextAction(*m_table, tr("Add a note on this row"), [this] {
        if (const std::optional<Note> draft = noteHere())
            emit noteRequested(*draft);
    });
}

void DiffTable::openCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && m_state.diff())
        emit rowOpened(static_cast<quint32>(m_model->rowAt(current.row())));
}

std::optional<Note> DiffTable::noteHere() const
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid() || !m_state.diff())
        return std::nullopt;
    return noteAt(NotedRow{std::string(toText(m_state.diff()->group)), row(current.row()).key});
}

void DiffTable::followDiff()
{
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    TableSource rows;
    if (const std::shared_ptr<const MomentDiff>& diff = m_state.diff()) {
        rows = withoutColumns(
            diffSource(diff->group, diff->diff, &diff->causes, diff->names), {"before_count", "after_count"});
        for (SourceColumn& column : rows.columns) // keep the diff alive as long as the columns that read it
            column.cell = [diff, cell = std::move(column.cell)](std::size_t i) { return cell(i); };
        m_title->setText(tr("What changed, by %1").arg(nounForRow(diff->group)));
    } else {
        m_title->clear();
    }
    m_model->setSource(std::move(rows));
    showSum();
    orderColumns();
    fitWidth();
}

/// Puts the status next to the difference, so that both are on screen however narrow the table is.
void DiffTable::orderColumns()
{
    QHeaderView& header = *m_table->horizontalHeader();
    if (const int status = m_model->column("status"); status >= 0)
        header.moveSection(header.visualIndex(status), 2);
}

/// Gives the name what the other columns leave. If that is too little, the last columns are out of sight, to
/// the right; difference and status never are.
void DiffTable::fitWidth()
{
    if (m_model->columnCount() == 0)
        return;
    fitColumns(*m_table, 1);
    const QHeaderView& header = *m_table->horizontalHeader();
    const int character = fontMetrics().averageCharWidth();
    const int status = m_model->column("status");
    m_table->setColumnWidth(status, std::min(m_table->columnWidth(status), kStatusCharacters * character));
    const auto widthAt = [&](int place) { return m_table->columnWidth(header.logicalIndex(place)); };
    int name = m_table->viewport()->width() - widthAt(1) - widthAt(2);
    for (int place = 3; place < header.count(); ++place) {
        if (name - widthAt(place) < kNameCharacters * character)
            break;
        name -= widthAt(place);
    }
    m_table->setColumnWidth(0, std::max(name, kLeastNameCharacters * character));
}

/// The scroll bar may come and go without a change of this widget.
bool DiffTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) {
        const auto& resize = static_cast<const QResizeEvent&>(*event);
        if (resize.size().width() != resize.oldSize().width())
            fitWidth();
    }
    return QWidget::eventFilter(watched, event);
}

void DiffTable::followChosen()
{
    if (m_isFollowing)
        return;
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    QItemSelection selection;
    QModelIndex first;
    for (const std::uint32_t row : m_state.chosen()) {
        const QModelIndex index = m_model->index(m_model->shownRow(row), 0);
        selection.select(index, index);
        if (!first.isValid())
            first = index;
    }
    m_table->selectionModel()->select(
        selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (first.isValid())
        m_table->scrollTo(first);
}

void DiffTable::chooseSelected()
{
    if (m_isFollowing || !m_state.diff())
        return;
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    std::vector<std::uint32_t> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(static_cast<std::uint32_t>(m_model->rowAt(index.row())));
    std::sort(rows.begin(), rows.end());
    m_state.choose(std::move(rows));
}

void DiffTable::showSum()
{
    DiffRow sum;
    const int allRows = m_state.diff() ? static_cast<int>(m_state.diff()->diff.rows.size()) : 0;
    for (int shown = 0; shown < m_model->rowCount(); ++shown) {
        sum.before.bytes += row(shown).before.bytes;
        sum.after.bytes += row(shown).after.bytes;
    }
    const QString rows = countedText(m_model->rowCount(), "row", "rows");
    m_sum->setVisible(m_state.diff() != nullptr);
    m_sum->setText(tr("%1: %2 → %3, %4")
                       .arg(m_model->rowCount() == allRows ? tr("sum of all %1").arg(rows)
                                                           : tr("%1 of %2").arg(rows, countText(allRows)),
                           bytesText(sum.before.bytes), bytesText(sum.after.bytes),
                           QString::fromStdString(formatBytesDelta(sum.delta()))));
}

const DiffRow& DiffTable::row(int shown) const
{
    return m_state.diff()->diff.rows[m_model->rowAt(shown)];
}

void DiffTable::setNotes(std::vector<RowNote> notes)
{
    m_notes = std::move(notes);
    if (m_notes.empty())
        m_model->setNotes(nullptr);
    else
        m_model->setNotes([this](std::size_t row) { return notesOn(row); });
}

std::vector<const NoteFlag*> DiffTable::notesOn(std::size_t row) const
{
    const std::string_view group = toText(m_state.diff()->group);
    const DiffRow& noted = m_state.diff()->diff.rows[row];
    std::vector<const NoteFlag*> notes;
    for (const RowNote& note : m_notes)
        if (note.row.group == group
            && (note.row.key == noted.key || (!noted.beforeKey.empty() && note.row.key == noted.beforeKey)))
            notes.push_back(&note.flag);
    return notes;
}

QString nounForRow(GroupKey key)
{
    return toQString(groupTitle(key)).toLower();
}

} // namespace highwater::gui
