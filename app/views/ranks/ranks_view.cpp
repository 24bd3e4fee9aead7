#include "app/views/ranks/ranks_view.h"

#include <algorithm>

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/scrolling.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/ranks_figure.h"
#include "core/table/rank_table.h"

namespace highwater::gui {

namespace {

/// More sentences than this are read in the tool tip.
constexpr qsizetype kSentencesShown = 4;

std::string stateText(const RunFile& file)
{
    switch (file.state) {
    case RunFile::State::Waiting: return "not loaded";
    case RunFile::State::Loading: return "loading…";
    case RunFile::State::FiguresOnly: return "figures only (memory limit)";
    case RunFile::State::Loaded:
    case RunFile::State::Failed: return rankState(*file.figures);
    case RunFile::State::NoInput: break;
    }
    return {};
}

} // namespace

RanksView::RanksView(RunLoader& run, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_sentences(new QLabel(this))
    , m_axis(new QComboBox(this))
    , m_bars(new FigureView(this))
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
    named(
        m_axis, "ranksAxis", tr("Axis of the totals"), tr("How the totals of the ranks lie over each other"));
    m_axis->addItem(tr("By event"), static_cast<int>(AxisKind::Event));
    m_axis->addItem(tr("By time"), static_cast<int>(AxisKind::Time));
    auto* top = layRow(nullptr, {{m_sentences, 1}, {m_axis, 0, Qt::AlignTop}}, {{12, 6, 8, 2}, -1});

    m_bars->setObjectName(QStringLiteral("rankBars"));
    auto* scroll = scrollingDown(m_bars, this);
    auto* splitter = fillSplitter(named(new QSplitter(Qt::Horizontal, this), "ranksSplitter"),
        {scroll, m_overlay, m_table}, {300, 400, 560});
    splitter->setChildrenCollapsible(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    layColumn(this, {top, {splitter, 1}}, {{}, 2});
}

void RanksView::connectParts()
{
    connect(&m_run, &RunLoader::changed, this, &RanksView::noteChange);
    connect(&m_run, &RunLoader::finished, this, [this] {
        noteChange();
        emit settled();
    });
    connect(m_bars, &FigureView::clicked, this, &RanksView::fileRequested);
    connect(m_overlay, &RankOverlay::chosen, this, &RanksView::fileRequested);
    connect(m_axis, &QComboBox::activated, this,
        [this] { m_overlay->setAxis(static_cast<AxisKind>(m_axis->currentData().toInt())); });
    const auto request
        = [this](const QModelIndex& index) { emit fileRequested(static_cast<int>(fileAt(index.row()))); };
    connect(m_table, &QTableView::clicked, this, request);
    connect(m_table, &QTableView::activated, this, request);
    // Moving through the rows shows loaded files; it does not load the others one by one.
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this, request](const QModelIndex& now) {
            if (now.isValid() && !m_selecting && m_run.files()[fileAt(now.row())].document)
                request(now);
        });
}

void RanksView::noteChange()
{
    m_stale = true;
    if (isVisible())
        refresh();
}

void RanksView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    if (m_stale)
        refresh();
}

void RanksView::setColors(const ThemeColors& colors)
{
    m_bars->setColors(colors);
    m_overlay->setColors(colors);
    m_model->setColors(colors);
}

void RanksView::setShown(std::optional<std::size_t> file)
{
    m_shown = file;
    m_bars->setSelected(file ? std::optional(static_cast<int>(*file)) : std::nullopt);
    m_overlay->setSelected(file);
    selectShown();
}

QStringList RanksView::loadingSentences() const
{
    QStringList sentences;
    const auto files = static_cast<std::int64_t>(m_run.fileCount());
    const auto known = static_cast<std::int64_t>(m_run.knownCount());
    if (known < files)
        sentences << (m_run.isLoading() ? tr("%1 of %2 loaded so far.") : tr("%1 of %2 loaded."))
                         .arg(countText(known), countedText(files, "file", "files"));
    const auto figuresOnly = std::count_if(m_run.files().begin(), m_run.files().end(),
        [](const RunFile& file) { return file.state == RunFile::State::FiguresOnly; });
    if (figuresOnly > 0)
        sentences << tr("Of %1 only the figures are kept: all together would exceed the memory limit of %2. "
                        "Choosing one loads it again.")
                         .arg(countedText(figuresOnly, "file", "files"),
                             bytesText(static_cast<Bytes>(m_run.memoryLimit())));
    return sentences;
}

QString RanksView::text() const
{
    QStringList sentences;
    if (m_run.knownCount() > 0)
        for (const std::string& sentence : m_run.table()->sentences)
            sentences << toQString(sentence);
    return (sentences + loadingSentences()).join(QLatin1Char('\n'));
}

void RanksView::refresh()
{
    m_stale = false;
    const QString all = text();
    const QStringList lines = all.split(QLatin1Char('\n'));
    m_sentences->setText(lines.mid(0, kSentencesShown).join(QLatin1Char('\n'))
        + (lines.size() > kSentencesShown ? tr(" …") : QString()));
    m_sentences->setToolTip(all);
    {
        const QScopedValueRollback<bool> following(m_selecting, true);
        showTable();
    }
    fitColumns(*m_table);
    refreshPictures();
    selectShown();
}

void RanksView::showTable()
{
    const RankTable& ranks = *m_run.table();
    std::vector<RankEntry> lines;
    m_files.clear();
    std::size_t known = 0; // in the table, whose files are those with figures, in the same order
    for (std::size_t i = 0; i < m_run.files().size(); ++i) {
        const RunFile& file = m_run.files()[i];
        if (file.state == RunFile::State::NoInput)
            continue;
        if (!file.figures)
            lines.push_back({file.input.member, {}, stateText(file)});
        else {
            for (std::size_t row = ranks.mainRow(known);
                 row < ranks.rows.size() && ranks.rows[row].file == known; ++row)
                lines.push_back({file.figures->member, ranks.rows[row], stateText(file)});
            ++known;
        }
        m_files.resize(lines.size(), i);
    }
    m_model->setTable(rankTable(ranks, lines));
}

/// −1: it is not shown. Of several devices the main one comes first.
int RanksView::rowOf(std::size_t file) const
{
    const auto line = std::ranges::find(m_files, file);
    return line == m_files.end() ? -1 : m_model->shownRow(static_cast<std::size_t>(line - m_files.begin()));
}

void RanksView::refreshPictures()
{
    std::vector<RankBar> bars;
    std::vector<RankLine> lines;
    const RankTable& table = *m_run.table();
    std::size_t known = 0;
    for (std::size_t i = 0; i < m_run.files().size(); ++i) {
        const RunFile& file = m_run.files()[i];
        if (file.state == RunFile::State::NoInput)
            continue;
        RankBar bar{.name = (file.figures ? file.figures->member : file.input.member).label(),
            .note = file.state == RunFile::State::Failed ? file.figures->error : stateText(file),
            .id = static_cast<int>(i)};
        const RankRow* row = file.figures ? &table.rows[table.mainRow(known++)] : nullptr;
        if (const RankDevice* device = row ? table.deviceOf(*row) : nullptr) {
            bar.peak = device->peakBytes;
            if (row->group != RankRow::kNone)
                bar.median = table.groups[row->group].medianPeak;
            bar.outlier = row->outlier;
            bar.outOfMemory = device->ooms > 0;
            lines.push_back({i, toQString(bar.name), file.figures, bar.outlier});
        }
        bars.push_back(std::move(bar));
    }
    m_bars->setMinimumHeight(ranksHeight(bars.size()));
    m_bars->setMaker([bars](const FigureOptions& options) { return ranksFigure(bars, options); });
    m_bars->setSelected(m_shown ? std::optional(static_cast<int>(*m_shown)) : std::nullopt);
    const bool clock = onOneClock(table);
    m_axis->setVisible(clock);
    if (!clock) {
        m_axis->setCurrentIndex(0);
        m_overlay->setAxis(AxisKind::Event);
    }
    m_overlay->setLines(std::move(lines));
}

void RanksView::selectShown()
{
    const QScopedValueRollback<bool> following(m_selecting, true);
    const int row = m_shown && !m_stale ? rowOf(*m_shown) : -1;
    if (row < 0)
        m_table->clearSelection();
    else
        m_table->setCurrentIndex(m_model->index(row, std::max(0, m_table->currentIndex().column())));
}

} // namespace highwater::gui
