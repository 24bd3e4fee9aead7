#include "app/views/compare/diff_table.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

#include "app/views/parts/item_text.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

DiffTable::DiffTable(ComparisonState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(new DiffModel(this))
    , m_order(new QSortFilterProxyModel(this))
    , m_title(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_sum(new QLabel(this))
{
    m_order->setSourceModel(m_model);
    m_order->setSortRole(DiffModel::SortRole);
    m_order->setFilterKeyColumn(-1);
    m_order->setFilterCaseSensitivity(Qt::CaseInsensitive);
    layOut();
    connectParts();
}

void DiffTable::layOut()
{
    m_title->setProperty("quiet", true);
    m_filter->setObjectName(QStringLiteral("diffFilter"));
    m_filter->setPlaceholderText(tr("Filter: a name, a file, new, gone…"));
    m_filter->setAccessibleName(tr("Filter the rows"));
    m_filter->setClearButtonEnabled(true);
    m_table->setObjectName(QStringLiteral("diffTable"));
    m_table->setAccessibleName(tr("What changed"));
    m_table->setModel(m_order);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // the rows' own order
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(DiffModel::KeyColumn, QHeaderView::Stretch);
    m_sum->setObjectName(QStringLiteral("diffSum"));
    m_sum->setContentsMargins(10, 4, 8, 6);
    m_sum->setWordWrap(true);
    m_sum->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = m_sum->font();
    bold.setBold(true);
    m_sum->setFont(bold);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 6, 8, 4);
    top->setSpacing(10);
    top->addWidget(m_title);
    top->addWidget(m_filter, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_sum);
}

void DiffTable::connectParts()
{
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_order->setFilterFixedString(text);
        showSum();
    });
    connect(&m_state, &ComparisonState::diffChanged, this, &DiffTable::takeDiff);
    connect(&m_state, &ComparisonState::runsChanged, this, [this] {
        if (!m_state.comparison())
            takeDiff();
    });
    connect(&m_state, &ComparisonState::chosenChanged, this, &DiffTable::followChosen);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DiffTable::chooseSelected);
    auto* copy = new QAction(tr("Copy the rows"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(tableText(*m_table, m_table->selectionModel()->hasSelection()));
    });
    addNoteAction();
}

void DiffTable::addNoteAction()
{
    auto* note = new QAction(tr("Add a note on this row"), this);
    m_table->addAction(note);
    connect(note, &QAction::triggered, this, [this] {
        if (const std::optional<Note> draft = noteHere())
            emit noteRequested(*draft);
    });
}

std::optional<Note> DiffTable::noteHere() const
{
    const QModelIndex row = m_order->mapToSource(m_table->currentIndex());
    if (!row.isValid() || !m_state.diff())
        return std::nullopt;
    return noteAt(NotedRow{std::string(toText(m_state.diff()->group)), m_model->row(row.row()).key});
}

void DiffTable::takeDiff()
{
    const QScopedValueRollback<bool> following(m_following, true);
    m_model->setDiff(m_state.diff());
    m_title->setText(
        m_state.diff() ? tr("What changed, by %1").arg(rowNoun(m_state.diff()->group)) : QString());
    showSum();
    constexpr int room = 8;
    for (int column = DiffModel::BeforeColumn; column < DiffModel::ColumnCount; ++column) {
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, m_table->columnWidth(column) + room);
    }
}

void DiffTable::followChosen()
{
    if (m_following)
        return;
    const QScopedValueRollback<bool> following(m_following, true);
    QItemSelection selection;
    QModelIndex first;
    for (const std::uint32_t row : m_state.chosen()) {
        const QModelIndex index = m_order->mapFromSource(m_model->index(static_cast<int>(row), 0));
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
    if (m_following || !m_state.diff())
        return;
    const QScopedValueRollback<bool> following(m_following, true);
    std::vector<std::uint32_t> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(static_cast<std::uint32_t>(m_order->mapToSource(index).row()));
    std::sort(rows.begin(), rows.end());
    m_state.choose(std::move(rows));
}

void DiffTable::showSum()
{
    DiffRow sum;
    for (int shown = 0; shown < m_order->rowCount(); ++shown) {
        const DiffRow& row = m_model->row(m_order->mapToSource(m_order->index(shown, 0)).row());
        sum.before.bytes += row.before.bytes;
        sum.after.bytes += row.after.bytes;
    }
    const QString rows = countedText(m_order->rowCount(), "row", "rows");
    const bool all = m_order->rowCount() == m_model->rowCount();
    m_sum->setVisible(m_state.diff() != nullptr);
    m_sum->setText(tr("%1: %2 → %3, %4")
                       .arg(all ? tr("sum of all %1").arg(rows)
                                : tr("%1 of %2").arg(rows, countText(m_model->rowCount())),
                           bytesText(sum.before.bytes), bytesText(sum.after.bytes),
                           QString::fromStdString(formatBytesDelta(sum.delta()))));
}

QString DiffTable::sumText() const
{
    return m_sum->text();
}

QString DiffTable::text() const
{
    return tableText(*m_table, false);
}

void DiffTable::setColors(const ThemeColors& colors)
{
    m_model->setColors(colors);
}

} // namespace highwater::gui
