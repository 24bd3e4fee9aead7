#include "app/views/compare/compare_pictures.h"

#include <utility>

#include <QTableView>

#include "app/views/compare/diff_flame_view.h"
#include "app/views/compare/diff_table.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/diff_figure.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/waterfall_figure.h"
#include "core/table/diff_tables.h"

namespace highwater::gui {

namespace {

std::string fileName(const ComparedRun& run)
{
    return toQString(run.document->fileName()).toStdString();
}

/// Returns the names of the compared files.
std::string sourceOf(const Comparison& comparison)
{
    return comparison.runs.isOfOneDevice()
        ? fileName(comparison.after)
        : fileName(comparison.before) + " and " + fileName(comparison.after);
}

/// Returns "run.pickle, event 5,701".
std::string momentText(const ComparedRun& run, std::int64_t event)
{
    return fileName(run) + ", " + eventText(event).toStdString();
}

} // namespace

ComparePictures::ComparePictures(ComparisonState& state, const VisibleRange& range, QWidget* parent)
    : QTabWidget(parent)
    , m_state(state)
    , m_range(range)
    , m_waterfall(new FigureView(this))
    , m_curves(new FigureView(this))
    , m_steps(new FigureView(this))
    , m_calls(new DiffFlameView(this))
    , m_settingsModel(new TableModel(this))
    , m_settings(
          makePlainTable(*m_settingsModel, QStringLiteral("settings"), tr("Settings that differ"), this))
{
    setObjectName(QStringLiteral("comparePictures"));
    setDocumentMode(true);
    const auto add = [this](QWidget* page, const char* name, const QString& title, const QString& tip) {
        page->setObjectName(QString::fromLatin1(name));
        setTabToolTip(addTab(page, title), tip);
    };
    add(m_waterfall, "waterfall", tr("Waterfall"),
        tr("The changes from one total to the other; click a bar to select its row"));
    add(m_curves, "curves", tr("Both curves"), tr("The totals of both runs, overlaid"));
    add(m_steps, "steps", tr("Step by step"),
        tr("The peak of each step in both runs; click to compare the two steps"));
    add(m_calls, "calls", tr("Calls"), tr("Functions that allocated more or fewer bytes"));
    add(m_settings, "settings", tr("Settings"), tr("Settings in which the two runs differ"));
    connectParts();
}

void ComparePictures::connectParts()
{
    connect(&m_state, &ComparisonState::runsChanged, this, &ComparePictures::followRuns);
    connect(&m_state, &ComparisonState::axisChanged, this, &ComparePictures::refreshCurves);
    connect(&m_state, &ComparisonState::diffChanged, this, &ComparePictures::followDiff);
    connect(&m_range, &VisibleRange::changed, this, &ComparePictures::refreshCurves);
    connect(this, &QTabWidget::currentChanged, this, [this] {
        refreshCurves();
        refreshTree();
    });
    connect(m_waterfall, &FigureView::clicked, this,
        [this](int row) { m_state.selectRows({static_cast<std::uint32_t>(row)}); });
    connect(m_steps, &FigureView::clicked, this, [this](int pair) {
        m_state.compareStep(static_cast<std::size_t>(pair));
        emit stepChosen(static_cast<quint64>(pair));
    });
    connect(m_calls, &DiffFlameView::optionsChanged, this, [this] {
        m_isTreeStale = true;
        refreshTree();
    });
    connect(&m_state, &ComparisonState::selectedRowsChanged, this, [this] {
        const std::vector<std::uint32_t>& rows = m_state.selectedRows();
        m_waterfall->setSelected(
            rows.size() == 1 ? std::optional(static_cast<int>(rows.front())) : std::nullopt);
    });
}

void ComparePictures::followRuns()
{
    if (!m_state.comparison()) {
        for (FigureView* view : {m_waterfall, m_curves, m_steps})
            view->setMaker(nullptr);
        m_calls->setTree(nullptr);
        return;
    }
    refreshSteps();
    refreshCurves();
    // One run has the same curves, steps and settings as itself.
    for (QWidget* page :
        {static_cast<QWidget*>(m_curves), static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_settings)})
        setTabVisible(indexOf(page), !m_state.comparison()->runs.isOfOneDevice());
    showSettings(); // last: setTabVisible makes hidden tabs forget that a text has changed its width
}

void ComparePictures::followDiff()
{
    refreshWaterfall();
    refreshCurves();
    const ComparedMoments& moments = m_state.moments();
    m_steps->setSelected(moments.kind == ComparedMoments::Kind::Step
            ? std::optional(static_cast<int>(moments.pair))
            : std::nullopt);
    m_isTreeStale = true;
    refreshTree();
}

void ComparePictures::refreshWaterfall()
{
    m_waterfall->setMaker([diff = m_state.diff()](FigureOptions options) {
        const Comparison& compared = *diff->comparison;
        options.source = sourceOf(compared);
        return waterfallFigure(diff->diff,
            {momentText(compared.before, diff->moments.beforeEvent),
                momentText(compared.after, diff->moments.afterEvent), nounForRow(diff->group).toStdString(),
                diff->names},
            options);
    });
}

void ComparePictures::refreshCurves()
{
    if (currentWidget() != m_curves || !m_state.comparison())
        return;
    const AxisWindow& x = m_range.x();
    m_curves->setMaker(
        [comparison = m_state.comparison(), alignment = m_state.alignment(), moments = m_state.moments(),
            begin = x.begin, end = x.end, edges = m_edges, view = m_curves](FigureOptions options) {
            const ComparedRun& before = comparison->before;
            const ComparedRun& after = comparison->after;
            options.source = sourceOf(*comparison);
            if (options.width == view->width()) // a picture of another size has no timelines above it
                options.edges = edges;
            return diffFigure({before.analysis->curve, fileName(before), moments.beforeEvent},
                {after.analysis->curve, fileName(after), moments.afterEvent}, *alignment,
                before.analysis->quantity(), begin, end, options);
        });
}

void ComparePictures::setPlotEdges(int left, int right)
{
    const PlotEdges edges{static_cast<double>(left), static_cast<double>(right)};
    if (std::exchange(m_edges, edges) != edges)
        refreshCurves();
}

void ComparePictures::refreshSteps()
{
    m_steps->setMaker([comparison = m_state.comparison()](FigureOptions options) {
        options.source = sourceOf(*comparison);
        return stepPairsFigure({comparison->before.analysis->steps, comparison->after.analysis->steps,
                                   comparison->runs.steps(), comparison->before.analysis->quantity()},
            options);
    });
}

/// Builds the tree only while its tab is visible.
void ComparePictures::refreshTree()
{
    if (currentWidget() != m_calls || !m_isTreeStale || !m_state.diff())
        return;
    m_isTreeStale = false;
    m_treeTask.run([this, diff = m_state.diff(), options = m_calls->options()]() -> LatestTask::Delivery {
        const Comparison& compared = *diff->comparison;
        auto tree
            = std::make_shared<const DiffTree>(diffTree(compared.runs.beforeAt(diff->moments.beforeEvent),
                compared.runs.afterAt(diff->moments.afterEvent), compared.runs.classes(), options));
        return [this, diff, tree = std::move(tree)] {
            if (diff != m_state.diff())
                return;
            m_calls->setTree(tree, diff->names);
            emit settled();
        };
    });
}

void ComparePictures::showSettings()
{
    Table table = settingChangeTable(m_state.comparison()->runs.settings());
    const auto count = static_cast<std::int64_t>(table.rows.size());
    m_settingsModel->setTable(std::move(table));
    shareColumns(*m_settings);
    // Short, so that the row of tabs fits the narrowest window.
    setTabText(indexOf(m_settings), count == 0 ? tr("Settings") : tr("Settings %1").arg(countText(count)));
    setTabToolTip(indexOf(m_settings), count == 0 ? tr("No setting differs") : QString());
    setTabEnabled(indexOf(m_settings), count > 0);
}

void ComparePictures::setColors(const ThemeColors& colors)
{
    for (FigureView* view : {m_waterfall, m_curves, m_steps})
        view->setColors(colors);
    m_calls->setColors(colors);
}

} // namespace highwater::gui
