#include "app/views/steps/steps_view.h"

#include <algorithm>
#include <limits>

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include "app/timeline/parts/step_menu.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/plain_table.h"
#include "app/views/steps/folded_chart.h"
#include "app/views/steps/step_chart.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/selected_events.h"
#include "core/base/median.h"
#include "core/base/text/sentence_text.h"

namespace highwater::gui {

namespace {

constexpr int kNarrowestWithFolded = 800; ///< pixels; a narrower view has no folded chart

/// Returns a sentence on the highest peak of all steps: its step, bytes and phase. From three complete
/// counted steps on, the sentence has their median and their lowest peak, too. If most have the highest peak,
/// the sentence names the lowest instead of one of them, since that is the exception.
QString peakSentence(const std::vector<Step>& steps, const DeviceAnalysis& analysis)
{
    const auto highest = std::ranges::max_element(steps, {}, &Step::peakBytes);
    std::vector<Bytes> peaks;
    for (const Step& step : steps)
        if (step.isCountedAndComplete())
            peaks.push_back(step.peakBytes);
    const Bytes middle = peaks.empty() ? 0 : median(peaks);
    const auto lowest = std::ranges::min_element(steps, {}, [](const Step& step) {
        return step.isCountedAndComplete() ? step.peakBytes : std::numeric_limits<Bytes>::max();
    });
    if (peaks.size() >= 3 && bytesText(middle) == bytesText(highest->peakBytes)
        && bytesText(lowest->peakBytes) != bytesText(middle))
        return StepsView::tr("Most peak at %1; lowest: %2 with %3.")
            .arg(amountText(analysis, middle), toQString(lowest->name), bytesText(lowest->peakBytes));
    const QString others = peaks.size() < 3
        ? QString()
        : StepsView::tr("; median of the %1 complete steps %2, lowest %3")
              .arg(countText(static_cast<qint64>(peaks.size())), bytesText(middle),
                  bytesText(*std::ranges::min_element(peaks)));
    const QString phase = highest->peakPhase == Phase::Unknown
        ? QString()
        : StepsView::tr(", in %1").arg(toQString(toText(highest->peakPhase)));
    return StepsView::tr("Highest: %1 with %2%3%4.")
        .arg(toQString(highest->name), amountText(analysis, highest->peakBytes), phase, others);
}

} // namespace

StepsView::StepsView(Selection& selection, QWidget* parent)
    : AnalysisPanel(parent)
    , m_selection(selection)
    , m_sentence(new ElidedLabel(this))
    , m_sources(new QToolButton(this))
    , m_differences(new QToolButton(this))
    , m_chart(new StepChart(this))
    , m_chartKey(new ElidedLabel(this))
    , m_folded(new FoldedChart(this))
    , m_foldedColumn(new QWidget(this))
    , m_model(new TableModel(this))
    , m_table(makeSortedTable(*m_model, QStringLiteral("stepsTable"), tr("Steps"), this))
{
    layOut();
    connectParts();
}

void StepsView::layOut()
{
    m_sentence->setObjectName(QStringLiteral("stepsSentence"));
    named(m_sources, "stepSources", {}, tr("How steps are detected"));
    m_sources->setText(tr("Detect steps by…"));
    named(m_differences, "stepDifferences", {}, tr("Begin the axis near the lowest peak instead of at 0"));
    m_differences->setText(tr("Enlarge differences"));
    m_differences->setCheckable(true);
    m_sources->setPopupMode(QToolButton::InstantPopup);
    m_sources->setMenu(new QMenu(m_sources));
    auto* top = layRow(nullptr, {{m_sentence, 1}, m_differences, m_sources}, {{12, 4, 8, 0}, -1});
    leaveOutColumns(*m_table);

    auto* const chartColumn = new QWidget(this);
    auto* const foldedKey = named(new ElidedLabel(this), "foldedKey");
    foldedKey->setText(tr("Memory above each step's start"));
    for (ElidedLabel* const key : {named(m_chartKey, "stepChartKey"), foldedKey}) {
        key->setFont(smallFont(key->font()));
        key->setContentsMargins(12, 0, 4, 0);
    }
    layColumn(chartColumn, {m_chartKey, {m_chart, 1}});
    layColumn(m_foldedColumn, {foldedKey, {m_folded, 1}});
    auto* splitter = fillSplitter(named(new QSplitter(Qt::Horizontal, this), "stepsSplitter"),
        {{chartColumn, 2}, {m_foldedColumn, 2}, {m_table, 3}}, {380, 290, 530});
    layColumn(this, {top, {splitter, 1}}, {{}, 2});
}

void StepsView::connectParts()
{
    for (FigureView* const chart : std::initializer_list<FigureView*>{m_chart, m_folded}) {
        connect(chart, &FigureView::clicked, this, [this](int step) {
            if (QApplication::keyboardModifiers().testFlag(Qt::ControlModifier))
                emit stepRequested(static_cast<quint64>(step), StepCommand::Compare);
            else
                chooseStep(static_cast<std::size_t>(step));
        });
        connect(chart, &FigureView::doubleClicked, this, [this](int step) {
            const Step& chosen = m_analysis->steps.steps[static_cast<std::size_t>(step)];
            emit rangeRequested(chosen.begin, chosen.end);
        });
    }
    connect(m_differences, &QToolButton::toggled, m_chart, &StepChart::setShowsDifferences);
    connect(m_chart, &StepChart::barsChanged, this, [this] { m_chartKey->setText(m_chart->keyText()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& now) {
            if (now.isValid() && !m_isSelecting)
                chooseStep(m_model->rowAt(now.row()));
        });
    connect(m_table, &QTableView::clicked, this, &StepsView::openCell);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        const Step& chosen = m_analysis->steps.steps[m_model->rowAt(index.row())];
        emit rangeRequested(chosen.begin, chosen.end);
    });
    connect(&m_selection, &Selection::cursorChanged, this, &StepsView::followCursor);
    connect(m_sources->menu(), &QMenu::aboutToShow, this, &StepsView::fillSources);
    connectNotes();
}

/// Adds commands to the context menus: in the table for the chosen row, in the chart for the bar under the
/// mouse.
void StepsView::connectNotes()
{
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    m_chart->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_chart, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        const std::optional<std::size_t> step = m_chart->stepAt(position);
        auto* menu = new QMenu(m_chart);
        menu->setObjectName(QStringLiteral("stepMenu"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        if (step)
            addStepActions(*menu, *this, m_analysis, &m_selection, *step);
        menu->addSeparator();
        menu->addActions(m_chart->actions());
        menu->popup(m_chart->mapToGlobal(position));
    });
}

/// Shows the menu of a row, and compares its step on Ctrl+click. Neither the right button nor Ctrl+click
/// chooses the row, because that would move the cursor, and with it the step to compare with.
bool StepsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::MouseButtonPress) {
        const auto& press = static_cast<const QMouseEvent&>(*event);
        if (press.button() == Qt::RightButton)
            return true;
        const QModelIndex index = m_table->indexAt(press.position().toPoint());
        if (press.modifiers().testFlag(Qt::ControlModifier) && index.isValid()) {
            emit stepRequested(m_model->rowAt(index.row()), StepCommand::Compare);
            return true;
        }
    }
    if (event->type() != QEvent::ContextMenu || !m_analysis)
        return AnalysisPanel::eventFilter(watched, event);
    showRowMenu(*static_cast<const QContextMenuEvent*>(event));
    return true;
}

void StepsView::showRowMenu(const QContextMenuEvent& event)
{
    const QModelIndex index = event.reason() == QContextMenuEvent::Keyboard
        ? m_table->currentIndex()
        : m_table->indexAt(m_table->viewport()->mapFromGlobal(event.globalPos()));
    auto* menu = new QMenu(m_table);
    menu->setObjectName(QStringLiteral("stepRowMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        const std::size_t step = m_model->rowAt(index.row());
        addStepActions(*menu, *this, m_analysis, &m_selection, step);
        menu->addSeparator();
        selectStep(step); // shows which row the menu is about
    }
    menu->addActions(m_table->actions());
    menu->popup(event.globalPos());
}

std::optional<Note> StepsView::noteHere() const
{
    return m_selected ? std::optional(noteAt(NotedStep{static_cast<std::int64_t>(*m_selected)}))
                      : std::nullopt;
}

void StepsView::showNotes(const Notes& notes, const NoteSubject& subject)
{
    m_notes = stepNotes(notes, subject);
    std::ranges::stable_sort(m_notes, {}, &NoteFlag::first);
    if (m_notes.empty())
        m_model->setNotes(nullptr);
    else
        m_model->setNotes([this](std::size_t step) { return notesAt(m_notes, static_cast<double>(step)); });
    m_chart->setNotes(m_notes);
    if (isVisible())
        makeRoomForNotes();
}

void StepsView::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    if (analysis == m_analysis)
        return;
    m_analysis = std::move(analysis);
    m_selected.reset();
    m_isStale = true;
    if (isVisible())
        refresh();
}

void StepsView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    if (m_isStale)
        refresh();
    followCursor();
    // Repeated once the table has its final size.
    QTimer::singleShot(0, this, [this] {
        makeRoomForNotes();
        m_table->scrollTo(m_table->currentIndex());
    });
}

void StepsView::setColors(const ThemeColors& colors)
{
    m_chart->setColors(colors);
    m_folded->setColors(colors);
}

void StepsView::setCapacity(const std::optional<DeviceCapacity>& capacity)
{
    m_chart->setCapacity(capacity);
}

void StepsView::showFolded(const std::optional<FoldedSteps>& folded)
{
    m_folded->setSteps(folded ? m_analysis : nullptr, folded);
    shareWidth();
}

/// Hides the folded chart in a view narrower than kNarrowestWithFolded, and leaves its width to the other
/// parts.
void StepsView::shareWidth()
{
    m_foldedColumn->setVisible(m_folded->steps().has_value() && width() >= kNarrowestWithFolded);
}

void StepsView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    shareWidth();
}

void StepsView::refresh()
{
    m_isStale = false;
    showSteps();
    m_chart->setAnalysis(m_analysis);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_sentence->setText(text());
    m_sentence->setToolTip(m_sentence->text());
    m_sources->setEnabled(m_analysis != nullptr);
    m_differences->setEnabled(m_chart->hasSmallDifferences());
    findSources();
    foldSteps();
    if (!m_analysis)
        return;
    fitColumns(*m_table);
}

/// Folds the steps off the GUI thread, because that takes a pass over all events.
void StepsView::foldSteps()
{
    m_foldTask.drop();
    showFolded(std::nullopt);
    if (!m_analysis)
        return;
    m_foldTask.run([this, analysis = m_analysis]() -> LatestTask::Delivery {
        const std::optional<FoldedSteps> folded = foldedSteps(analysis->curve, analysis->steps);
        return [this, folded] {
            showFolded(folded);
            markSelected();
        };
    });
}

QString StepsView::text() const
{
    if (!m_analysis || m_analysis->steps.steps.empty())
        return tr("No events on this device, so no steps");
    const StepTable& table = m_analysis->steps;
    return tr("%1. %2 %3")
        .arg(toQString(upperFirst(table.countText())), peakSentence(table.steps, *m_analysis),
            toQString(upperFirst(table.reasonText())));
}

void StepsView::followCursor()
{
    if (!isVisible() || !m_analysis || !m_selection.cursor())
        return;
    selectStep(m_analysis->steps.stepOf(std::max<std::int64_t>(0, *m_selection.cursor())));
}

void StepsView::selectStep(std::optional<std::size_t> step)
{
    if (step == m_selected)
        return;
    m_selected = step;
    m_chart->setSelected(step);
    markSelected();
    const QScopedValueRollback<bool> following(m_isSelecting, true);
    if (step) {
        const QModelIndex index = m_model->index(m_model->shownRow(*step), m_table->currentIndex().column());
        m_table->setCurrentIndex(index.isValid() ? index : m_model->index(m_model->shownRow(*step), 0));
        m_table->scrollTo(m_table->currentIndex());
    } else {
        m_table->clearSelection();
    }
}

/// Marks the selected step in the folded chart if it is an outlier there.
void StepsView::markSelected()
{
    m_folded->setSelected(m_selected ? std::optional(static_cast<int>(*m_selected)) : std::nullopt);
}

void StepsView::chooseStep(std::size_t step)
{
    const Step& chosen = m_analysis->steps.steps[step];
    selectStep(step);
    emit eventRequested(chosen.peakEvent);
    if (m_selection.cursor() == chosen.peakEvent) // the moment was chosen for the sake of its step
        m_selection.selectStep(step, chosen.peakEvent, {chosen.begin, chosen.end});
}

} // namespace highwater::gui
