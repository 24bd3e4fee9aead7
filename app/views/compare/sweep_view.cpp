#include "app/views/compare/sweep_view.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/tool_bar.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/table/sweep_tables.h"

namespace highwater::gui {

namespace {

constexpr int kBarMargin = 4;
constexpr int kLeastCurve = 200;
constexpr int kWideCurve = 480; ///< least width next to the categories
constexpr int kMaxRowHeight = 150;

/// Returns the outline as a polyline from left to right, with a level for each of its values.
QPolygonF outlineIn(const QRectF& room, const Outline& outline)
{
    QPolygonF line;
    const auto count = static_cast<double>(outline.totals.size());
    for (std::size_t i = 0; i < outline.totals.size(); ++i) {
        const double y = room.bottom()
            - room.height() * static_cast<double>(outline.totals[i]) / static_cast<double>(outline.highest);
        line << QPointF(room.left() + room.width() * static_cast<double>(i) / count, y)
             << QPointF(room.left() + room.width() * static_cast<double>(i + 1) / count, y);
    }
    return line;
}

} // namespace

/// Draws a run's total over its events in a cell, as an outline with a filled area below it, in which a line
/// marks where memory ran out.
class SparklineDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {kLeastCurve, QStyledItemDelegate::sizeHint(option, index).height()};
    }

private:
    ThemeColors m_colors = ThemeColors::light();
};

void SparklineDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const auto outline = index.data(TableModel::OutlineRole).value<Outline>();
    if (outline.totals.empty() || outline.highest <= 0)
        return;
    painter->save();
    const QRectF room = QRectF(option.rect).adjusted(kBarMargin, kBarMargin, -kBarMargin, -kBarMargin);
    const QPolygonF line = outlineIn(room, outline);
    QPolygonF area = line;
    area << room.bottomRight() << room.bottomLeft();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor fill = m_colors.accent;
    fill.setAlphaF(0.25F);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->drawPolygon(area);
    painter->setPen(QPen(m_colors.border, 1));
    painter->drawLine(room.bottomLeft(), room.bottomRight());
    painter->setPen(QPen(m_colors.accent, 1.2));
    painter->drawPolyline(line);
    for (const std::size_t mark : outline.marks) {
        const QPointF top = line[static_cast<qsizetype>(2 * mark)]; // each total has two points
        painter->fillRect(QRectF(top, QPointF(top.x() + 2, room.bottom())), m_colors.danger);
    }
    painter->restore();
}

SweepView::SweepView(SweepSession& session, QWidget* parent)
    : Page(parent)
    , m_session(session)
    , m_model(new TableModel(this))
    , m_settingsModel(new TableModel(this))
    , m_headline(new QLabel(this))
    , m_sentences(new QLabel(this))
    , m_table(makeSortedTable(*m_model, QStringLiteral("sweepTable"), tr("Runs"), this))
    , m_settingsTitle(new QLabel(tr("Settings that differ"), this))
    , m_settings(makeSortedTable(
          *m_settingsModel, QStringLiteral("sweepSettings"), tr("Settings that differ"), this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_curves(new SparklineDelegate(this))
{
    setObjectName(QStringLiteral("sweepView"));
    makeActions();
    layOut();
    connectParts();
    refresh();
}

void SweepView::makeActions()
{
    const auto make = [this](const QString& text, const QString& tip, const QKeySequence& key) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        return action;
    };
    m_compare = make(tr("Compare these two"),
        tr("Compare the two selected runs (Enter); a single run is compared with the reference"), {});
    m_reference
        = make(tr("Use as &reference"), tr("Compare the other runs with the selected one (R)"), Qt::Key_R);
    m_open = make(tr("&Open"), tr("Show the selected run on its own"), {});
    m_copy = make(tr("&Copy"), tr("Copy the selected rows as text, or all rows"), QKeySequence::Copy);
    m_close = make(tr("Close"), tr("Close the table of runs"), {});
    m_table->addActions({m_compare, m_reference, m_open, m_copy});
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    addActions({m_compare, m_reference, m_copy});
}

QWidget* SweepView::makeToolBar()
{
    auto* bar = new ToolBar(tr("Several runs"), this);
    bar->setObjectName(QStringLiteral("sweepToolBar"));
    bar->addActions({m_compare, m_reference, m_open, m_copy});
    auto* room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(room);
    bar->addAction(m_close);
    return bar;
}

void SweepView::layOut()
{
    m_headline->setObjectName(QStringLiteral("sweepHeadline"));
    makeSelectable(*m_headline, Qt::PlainText, {16, 6, 16, 2});
    makeBold(*m_headline, 1.2);
    m_sentences->setObjectName(QStringLiteral("sweepSentences"));
    makeSelectable(*m_sentences, Qt::PlainText, {16, 0, 16, 8});
    m_table->viewport()->installEventFilter(this);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_settings->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_settingsTitle->setProperty("heading", true);
    m_settingsTitle->setContentsMargins(14, 4, 14, 4);
    auto* below = new QWidget(this);
    layColumn(below, {m_settingsTitle, {m_settings, 1}});
    m_splitter->setChildrenCollapsible(false);
    fillSplitter(named(m_splitter, "sweepSplitter"), {{m_table, 2}, {below, 1}}, {560, 280});
    layColumn(this, {makeToolBar(), m_headline, m_sentences, {m_splitter, 1}});
}

void SweepView::connectParts()
{
    connect(&m_session, &SweepSession::changed, this, &SweepView::refresh);
    connect(&m_session, &SweepSession::finished, this, [this] {
        refresh();
        fitSettingsHeight();
    });
    connect(m_model, &TableModel::layoutChanged, this, &SweepView::fitRows);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SweepView::followSelection);
    connect(m_table, &QTableView::activated, this, &SweepView::comparePair);
    connect(m_compare, &QAction::triggered, this, &SweepView::comparePair);
    connect(m_reference, &QAction::triggered, this, [this] {
        if (const std::vector<std::size_t> rows = selectedRuns(); rows.size() == 1)
            m_session.setReference(rows.front());
    });
    connect(m_open, &QAction::triggered, this, [this] {
        if (const std::vector<std::size_t> rows = selectedRuns(); rows.size() == 1)
            emit openRequested(rows.front());
    });
    connect(m_copy, &QAction::triggered, this, [this] {
        const QTableView& source = m_settings->hasFocus() ? *m_settings : *m_table;
        QGuiApplication::clipboard()->setText(tableText(source, source.selectionModel()->hasSelection()));
    });
    connect(m_close, &QAction::triggered, this, &SweepView::closeRequested);
}

void SweepView::refresh()
{
    const std::vector<std::size_t> before
        = m_model->rowCount() > 0 ? selectedRuns() : std::vector<std::size_t>();
    const std::shared_ptr<const RunSweep>& sweep = m_session.sweep();
    m_model->setTable(sweep ? sweepTable(*sweep) : Table());
    if (sweep)
        m_table->setItemDelegateForColumn(m_model->column("outline"), m_curves);
    for (const std::size_t run : before)
        m_table->selectionModel()->select(m_model->index(m_model->shownRow(run), 0),
            QItemSelectionModel::Select | QItemSelectionModel::Rows);
    const QString text = sentences();
    m_headline->setText(text.section(QLatin1Char('\n'), 0, 0));
    m_sentences->setText(text.section(QLatin1Char('\n'), 1));
    m_sentences->setVisible(!m_sentences->text().isEmpty());
    fitCurves();
    refreshSettings();
    followSelection();
    emit changed();
}

bool SweepView::hasFigures(int row) const
{
    const std::shared_ptr<const RunSweep>& sweep = m_session.sweep();
    return sweep && sweep->rows[m_model->rowAt(row)].run.isReadable();
}

QString SweepView::sentences() const
{
    if (!m_session.sweep())
        return {};
    if (m_session.isLoading())
        return tr("%1 of %2 read so far")
            .arg(countText(static_cast<std::int64_t>(m_session.knownCount())),
                countedText(static_cast<std::int64_t>(m_session.fileCount()), "run", "runs"));
    return joined(sweepSentences(*m_session.sweep()), QLatin1Char('\n'));
}

void SweepView::refreshSettings()
{
    const std::shared_ptr<const RunSweep>& sweep = m_session.sweep();
    const bool hasSettings = sweep && !sweep->settings.empty();
    m_settingsModel->setTable(hasSettings ? sweepSettingTable(*sweep) : Table());
    yieldNames(*m_settings);
    m_settingsTitle->setText(hasSettings ? tr("Settings that differ") : tr("No recorded setting differs"));
    m_settings->setVisible(hasSettings);
}

/// Gives the settings the height that they need, at most a third of the splitter.
void SweepView::fitSettingsHeight()
{
    const int room = m_splitter->height();
    const int wanted = m_settingsTitle->sizeHint().height() + m_settings->horizontalHeader()->height()
        + (m_settingsModel->rowCount() + 2) * m_settings->verticalHeader()->defaultSectionSize();
    const int below = std::min(room / 3, wanted);
    m_splitter->setSizes({room - below, below});
}

/// Gives the curves the room that the figures leave. The categories are shown where the curves stay wide.
void SweepView::fitCurves()
{
    const int curve = m_model->column("outline");
    if (curve < 0)
        return;
    const auto setShown = [this](bool areShown) {
        for (int column = 0; column < m_model->columnCount(); ++column)
            m_table->setColumnHidden(column, !areShown && column > m_model->column("reserved_peak_bytes"));
        for (const char* key : {"peak_event", "events"}) // these say nothing about how runs differ
            m_table->setColumnHidden(m_model->column(key), true);
        fitColumns(*m_table);
    };
    const auto room = [&] {
        return m_table->viewport()->width() - m_table->horizontalHeader()->length()
            + m_table->columnWidth(curve);
    };
    setShown(true);
    if (room() < kWideCurve)
        setShown(false);
    m_table->setColumnWidth(curve, std::max(kLeastCurve, room()));
    fitRows();
}

bool SweepView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitCurves();
    return Page::eventFilter(watched, event);
}

/// Shares the height of the view among the runs with figures, within limits. A run without figures has one
/// line, which the reason spans.
void SweepView::fitRows()
{
    std::vector<int> lines;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (!hasFigures(row))
            lines.push_back(row);
    const int lineHeight = tableRowHeight(m_table->fontMetrics());
    const auto lineCount = static_cast<int>(lines.size());
    const int share = (m_table->viewport()->height() - lineCount * lineHeight)
        / std::max(1, m_model->rowCount() - lineCount);
    m_table->verticalHeader()->setDefaultSectionSize(
        std::clamp(share, 2 * fontMetrics().height() + 10, kMaxRowHeight));
    m_table->clearSpans();
    for (const int row : lines) {
        m_table->setRowHeight(row, lineHeight);
        m_table->setSpan(row, 1, 1, m_model->columnCount() - 1);
    }
}

std::vector<std::size_t> SweepView::selectedRuns() const
{
    std::vector<std::size_t> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (hasFigures(index.row()))
            runs.push_back(m_model->rowAt(index.row()));
    std::sort(runs.begin(), runs.end());
    return runs;
}

std::optional<std::pair<std::size_t, std::size_t>> SweepView::pair() const
{
    const std::vector<std::size_t> runs = selectedRuns();
    if (!m_session.sweep() || runs.empty() || runs.size() > 2)
        return std::nullopt;
    const std::size_t reference = m_session.sweep()->reference;
    const std::size_t other = runs.front() == reference ? runs.back() : runs.front();
    const bool takesReference = runs.size() == 1 || std::count(runs.begin(), runs.end(), reference) > 0;
    if (!takesReference)
        return std::pair(runs[0], runs[1]);
    if (other == reference || !m_session.sweep()->rows[reference].run.isReadable())
        return std::nullopt;
    return std::pair(reference, other);
}

void SweepView::followSelection()
{
    const std::vector<std::size_t> runs = selectedRuns();
    const bool isNotReference
        = runs.size() == 1 && m_session.sweep() && runs.front() != m_session.sweep()->reference;
    m_compare->setEnabled(pair().has_value());
    m_compare->setText(isNotReference ? tr("Compare with the reference") : tr("Compare these two"));
    m_reference->setEnabled(isNotReference);
    m_open->setEnabled(runs.size() == 1);
}

void SweepView::comparePair()
{
    if (const auto runs = pair())
        emit compareRequested(runs->first, runs->second);
}

QString SweepView::title() const
{
    return countedText(static_cast<std::int64_t>(m_session.fileCount()), "run", "runs");
}

void SweepView::takeFocus()
{
    m_table->setFocus();
}

QString SweepView::statusText() const
{
    const std::shared_ptr<const RunSweep>& sweep = m_session.sweep();
    if (!sweep)
        return {};
    return tr("%1, %2 bytes%3")
        .arg(countedText(static_cast<std::int64_t>(sweep->rows.size()), "run", "runs"),
            toQString(inWords(sweep->quantity)),
            sweep->isInferred ? tr(" (inferred for some runs)") : QString());
}

void SweepView::setColors(const ThemeColors& colors)
{
    m_curves->setColors(colors);
    m_model->setColors(colors);
    m_table->viewport()->update();
}

} // namespace highwater::gui
