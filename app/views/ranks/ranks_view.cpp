#include "app/views/ranks/ranks_view.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/scrolling.h"
#include "app/views/ranks/rank_cell_delegate.h"
#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Maximum number of lines that are readable when overlaid.
constexpr std::size_t kMaxLines = 256;
constexpr int kEssentialColumns = 5; ///< of all ranks: up to the bytes above the median

enum PictureKind
{
    Steps,
    ByEvent,
    ByTime
};

/// A table of the run with the rank of each row; `ranks` is empty if rows are not about single ranks.
struct RankedTable
{
    Table table;
    std::vector<std::size_t> ranks;
};

enum TableKind
{
    Ranks,
    Failures,
    Leaks,
    Groups,
    Settings,
    Troubles
};

/// Returns the table of a TableKind.
RankedTable tableOf(const RunRanks& run, int kind)
{
    RankedTable result;
    switch (kind) {
    case Ranks:
        result.ranks = ranksByImportance(run);
        result.table = withoutEmptyColumns(
            withoutColumns(withRows(runRankTable(run), result.ranks), {"quantity", "device"}));
        break;
    case Failures:
        result.table = rankFailureTable(run);
        for (const RankFailure& failure : run.failures)
            result.ranks.push_back(failure.rank);
        break;
    case Leaks:
        result.table = rankLeakTable(run);
        for (const StageLeak& leak : run.leaks)
            result.ranks.insert(result.ranks.end(), leak.leaking.begin(), leak.leaking.end());
        break;
    case Groups: result.table = rankGroupTable(run); break;
    case Settings: result.table = rankSettingTable(run); break;
    default: result.table = rankTroubleTable(run);
    }
    return result;
}

/// Returns the title of a TableKind.
QString titleOf(int kind)
{
    switch (kind) {
    case Ranks: return RanksView::tr("All ranks");
    case Failures: return RanksView::tr("Out of memory");
    case Leaks: return RanksView::tr("Leaks");
    case Groups: return RanksView::tr("Compared groups");
    case Settings: return RanksView::tr("Settings that differ");
    default: return RanksView::tr("Files without a rank");
    }
}

} // namespace

RanksView::RanksView(RunLoader& run, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_sentences(new QLabel)
    , m_answer(makeScrollArea(m_sentences, this, tr("Who failed, why, and what to do")))
    , m_chartChooser(new QComboBox(this))
    , m_tableChooser(new QComboBox(this))
    , m_charts(new QStackedWidget(this))
    , m_heat(new RankHeatView(this))
    , m_overlay(new RankOverlay(this))
    , m_model(new TableModel(this))
    , m_table(makeSortedTable(*m_model, QStringLiteral("ranksTable"), tr("Ranks"), this))
{
    layOut();
    connectParts();
}

void RanksView::layOut()
{
    m_sentences->setObjectName(QStringLiteral("ranksSentences"));
    makeSelectable(*m_sentences, Qt::PlainText);
    named(m_chartChooser, "ranksPicture", tr("Chart of the ranks"),
        tr("The largest total of each rank in each step, or the totals of all ranks, overlaid"));
    named(m_tableChooser, "ranksTables", tr("Table of the ranks"), tr("Content of the table"));
    for (QComboBox* chooser : {m_chartChooser, m_tableChooser})
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choosers = layColumn(nullptr, {m_chartChooser, m_tableChooser}, {{}, 2});
    m_answer->setObjectName(QStringLiteral("ranksAnswer"));
    m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* top = layRow(nullptr, {{m_answer, 1}, {m_choosers, 0}}, {{12, 6, 8, 2}, -1});
    m_charts->addWidget(m_heat);
    m_charts->addWidget(m_overlay);
    auto* splitter = fillSplitter(named(new QSplitter(Qt::Horizontal, this), "ranksSplitter"),
        {{m_charts, 1}, {m_table, 2}}, {400, 780});
    splitter->setChildrenCollapsible(false);
    leaveOutColumns(*m_table, kEssentialColumns);
    m_table->setTextElideMode(Qt::ElideRight); // the failing line comes before its caller
    m_table->setItemDelegate(new RankCellDelegate(this));
    layColumn(this, {top, {splitter, 1}}, {{}, 2});
}

void RanksView::connectParts()
{
    connect(&m_run, &RunLoader::merged, this, &RanksView::markStale);
    connect(&m_run, &RunLoader::counted, this, &RanksView::refreshText);
    connect(&m_run, &RunLoader::finished, this, [this] {
        markStale();
        emit settled();
    });
    connect(m_heat, &RankHeatView::chosen, this,
        [this](quint64 rank, quint64 column) { requestStep(rank, column, false); });
    connect(m_heat, &RankHeatView::doubleClicked, this,
        [this](quint64 rank, quint64 column) { requestStep(rank, column, true); });
    connect(m_overlay, &RankOverlay::chosen, this,
        [this](int rank) { requestRank(static_cast<std::size_t>(rank)); });
    connect(m_chartChooser, &QComboBox::activated, this, &RanksView::showPicture);
    connect(m_tableChooser, &QComboBox::activated, this, &RanksView::showTable);
    const auto choose = [this](const QModelIndex& index) {
        if (const std::optional<std::size_t> rank = rankAt(index.row()))
            requestRank(*rank);
    };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);
    // Moving through the rows shows a file only if it is loaded; otherwise files would be loaded one by one.
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& now) {
            const std::optional<std::size_t> rank
                = now.isValid() && !m_isSelecting ? rankAt(now.row()) : std::nullopt;
            if (!rank)
                return;
            m_heat->setSelected(rank);
            const auto file = fileOf(*rank);
            if (file && m_run.files()[*file].document)
                emit fileRequested(static_cast<int>(*file));
        });
}

void RanksView::markStale()
{
    m_isStale = true;
    if (isVisible())
        refresh();
}

void RanksView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    if (m_isStale)
        refresh();
}

void RanksView::setColors(const ThemeColors& colors)
{
    m_heat->setColors(colors);
    m_overlay->setColors(colors);
    m_model->setColors(colors);
}

void RanksView::setShown(std::optional<std::size_t> file)
{
    if (std::exchange(m_shown, file) == file)
        return;
    rememberNext();
    refreshText();
    selectShown();
    if (!m_isStale && m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
}

/// Requests the rank's file; the receiver reports a file that no longer exists.
void RanksView::requestRank(std::size_t rank)
{
    if (const std::optional<std::size_t> file = fileOf(rank))
        emit fileRequested(static_cast<int>(*file));
}

void RanksView::requestStep(std::size_t rank, std::size_t column, bool zooms)
{
    if (const std::optional<std::size_t> file = fileOf(rank))
        emit stepRequested(static_cast<int>(*file), m_ranks->heat.steps[column], zooms);
}

std::optional<std::size_t> RanksView::fileOf(std::size_t rank) const
{
    return m_run.indexOf(m_ranks->table.files[m_ranks->ranks[rank].file]->member.path);
}

void RanksView::refresh()
{
    m_isStale = false;
    refreshText();
    if (m_ranks == m_run.ranks())
        return selectShown();
    m_ranks = m_run.ranks();
    offerTables();
    showTable();
    refreshPictures();
    selectShown();
}

void RanksView::offerTables()
{
    const QVariant chosen = m_tableChooser->currentData();
    m_tableChooser->clear();
    for (const int kind : {Ranks, Failures, Leaks, Groups, Settings, Troubles})
        if (m_ranks && (kind == Ranks || !tableOf(*m_ranks, kind).table.rows.empty()))
            m_tableChooser->addItem(titleOf(kind), kind);
    m_tableChooser->setCurrentIndex(std::max(0, m_tableChooser->findData(chosen)));
    m_tableChooser->setVisible(m_tableChooser->count() > 1);
}

void RanksView::showTable()
{
    {
        const QScopedValueRollback<bool> following(m_isSelecting, true);
        RankedTable shown;
        if (m_ranks && !m_ranks->ranks.empty())
            shown = tableOf(*m_ranks, m_tableChooser->currentData().toInt());
        m_rankOfRow = std::move(shown.ranks);
        m_model->setTable(std::move(shown.table));
        fitColumns(*m_table);
    }
    selectShown();
}

std::optional<std::size_t> RanksView::rankAt(int row) const
{
    const std::size_t tableRow = m_model->rowAt(row);
    return tableRow < m_rankOfRow.size() ? std::optional(m_rankOfRow[tableRow]) : std::nullopt;
}

std::optional<std::size_t> RanksView::rankOf(std::size_t file) const
{
    if (!m_ranks || file >= m_run.files().size())
        return std::nullopt;
    const std::string& path = m_run.files()[file].input.member.path;
    const auto found = std::ranges::find_if(m_ranks->ranks,
        [&](const MergedRank& rank) { return m_ranks->table.files[rank.file]->member.path == path; });
    return found == m_ranks->ranks.end()
        ? std::nullopt
        : std::optional(static_cast<std::size_t>(found - m_ranks->ranks.begin()));
}

void RanksView::refreshPictures()
{
    m_heat->setRanks(m_ranks);
    std::vector<RankLine> lines;
    for (std::size_t i = 0; m_ranks && i < m_ranks->ranks.size(); ++i) {
        const MergedRank& rank = m_ranks->ranks[i];
        const RankDevice* device = m_ranks->deviceOf(rank);
        if (device && !device->outline.byEvent.empty())
            lines.push_back({i, toQString(m_ranks->nameOf(i)), m_ranks->table.files[rank.file],
                m_ranks->table.rows[m_ranks->table.mainRow(rank.file)].isOutlier});
    }
    if (lines.size() > kMaxLines)
        lines.clear();
    const QVariant chosen = m_chartChooser->currentData();
    m_chartChooser->clear();
    if (!m_heat->isEmpty() || lines.empty())
        m_chartChooser->addItem(tr("Map of ranks and steps"), Steps);
    if (!lines.empty())
        m_chartChooser->addItem(tr("Totals by event"), ByEvent);
    if (!lines.empty() && lines.size() == m_ranks->ranks.size() && hasOverlappingTimes(m_ranks->table))
        m_chartChooser->addItem(tr("Totals by time"), ByTime);
    m_chartChooser->setCurrentIndex(std::max(0, m_chartChooser->findData(chosen)));
    m_chartChooser->setVisible(m_chartChooser->count() > 1);
    m_overlay->setLines(std::move(lines));
    showPicture();
}

void RanksView::showPicture()
{
    const int picture = m_chartChooser->currentData().toInt();
    m_charts->setCurrentWidget(picture == Steps ? static_cast<QWidget*>(m_heat) : m_overlay);
    m_overlay->setAxis(picture == ByTime ? AxisKind::Time : AxisKind::Event);
}

void RanksView::selectShown()
{
    if (m_isStale)
        return;
    const QScopedValueRollback<bool> following(m_isSelecting, true);
    const std::optional<std::size_t> rank = m_shown ? rankOf(*m_shown) : std::nullopt;
    m_heat->setSelected(rank);
    m_overlay->setSelected(rank);
    const auto row = rank ? std::ranges::find(m_rankOfRow, *rank) : m_rankOfRow.end();
    if (row == m_rankOfRow.end())
        return m_table->clearSelection();
    m_table->setAutoScroll(false); // keeps the rank that is named first in view
    const int shown = m_model->shownRow(static_cast<std::size_t>(row - m_rankOfRow.begin()));
    m_table->setCurrentIndex(m_model->index(shown, std::max(0, m_table->currentIndex().column())));
    m_table->setAutoScroll(true);
}

} // namespace highwater::gui
