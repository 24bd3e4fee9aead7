#include "app/views/segments/segments_view.h"

#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/views/segments/address_map_view.h"
#include "app/views/segments/replay_panel.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/steps/event_distance.h"
#include "core/table/segment_tables.h"

namespace highwater::gui {

namespace {

/// Delay of `buildHistoryAhead` after a device is shown.
constexpr int kAheadMilliseconds = 300;
constexpr std::int64_t kMaxEventsAhead = 3'000'000; ///< maximum number for `buildHistoryAhead`

/// Maximum number of rows in the tables; the state of a large run has thousands.
constexpr std::size_t kMaxSegments = 200;
constexpr std::size_t kMaxFreeBlocks = 200;
constexpr double kButtonZoomFactor = 1.6;

QLabel* makeSentence(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

} // namespace

SegmentsView::SegmentsView(Selection& selection, const BandView& bands, QWidget* parent)
    : AnalysisPanel(parent)
    , m_selection(selection)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
    , m_followThrottle([this] { followMoment(); })
    , m_headline(makeSentence(QStringLiteral("segmentsHeadline"), this))
    , m_composition(makeSentence(QStringLiteral("segmentsComposition"), this))
    , m_verdict(makeSentence(QStringLiteral("segmentsVerdict"), this))
    , m_obstacle(makeSentence(QStringLiteral("segmentsObstacle"), this))
    , m_remarks(makeSentence(QStringLiteral("segmentsRemarks"), this))
    , m_order(new QComboBox(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_map(new AddressMapView(m_splitter))
    , m_tables(new QTabWidget(m_splitter))
    , m_replays(new ReplayPanel(m_tables))
{
    layOut();
    connectParts();
    showNothing({});
}

SegmentsView::~SegmentsView() = default;

bool SegmentsView::isSettled() const
{
    return !m_task.isBusy() && m_replays->isSettled() && (!m_analysis || m_requestedEvent == wantedEvent());
}

void SegmentsView::layOut()
{
    m_tables->setDocumentMode(true);
    m_tables->setAccessibleName(tr("Figures of the segments"));
    m_partlyFreeTable = addTable(m_partlyFreeModel, QStringLiteral("partlyFreeSegments"), tr("Partly free"));
    addTable(m_listModel, QStringLiteral("freeLists"), tr("Pools"));
    m_freeBlockTable = addTable(m_freeBlockModel, QStringLiteral("largestHoles"), tr("Free blocks"));
    m_tables->addTab(m_replays, tr("What would help"));
    m_tables->setUsesScrollButtons(false); // the splitter then leaves room for all tabs
    fillSplitter(m_splitter, {{m_map, 3}, {m_tables, 2}});
    m_splitter->setChildrenCollapsible(false);
    m_remarks->setProperty("quiet", true);
    makeBold(*m_verdict);
    m_headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QLabel* sentence : {m_composition, m_verdict, m_obstacle, m_remarks})
        sentence->setWordWrap(true);
    auto* top = layRow(nullptr, {{m_headline, 1}, m_controls = makeControls()}, {{}, 8});
    layColumn(
        this, {top, m_composition, m_verdict, m_obstacle, m_remarks, {m_splitter, 1}}, {{10, 2, 4, 0}, 2});
}

QWidget* SegmentsView::makeControls()
{
    auto* controls = new QWidget(this);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    named(m_order, "segmentOrder", tr("Order of the segments"));
    m_order->addItem(tr("by pool and stream"), static_cast<int>(SegmentOrder::ByFreeList));
    m_order->addItem(tr("by address"), static_cast<int>(SegmentOrder::ByAddress));
    m_order->addItem(tr("largest first"), static_cast<int>(SegmentOrder::BySize));
    m_order->addItem(tr("most free first"), static_cast<int>(SegmentOrder::ByFreeBytes));
    m_order->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // the heading gives way
    row->addWidget(m_order);
    const auto add = [&](const QString& text, const QString& tip, auto&& onClick) {
        auto* button = new QToolButton(controls);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, onClick);
        row->addWidget(button);
        return button;
    };
    add(QStringLiteral("‹"), tr("Previous event (← while the map has the focus; Shift+←: previous step)"),
        [this] { walk(-1, false); })
        ->setAutoRepeat(true);
    add(QStringLiteral("›"), tr("Next event (→ while the map has the focus; Shift+→: next step)"), [this] {
        walk(1, false);
    })->setAutoRepeat(true);
    add(QStringLiteral("−"), tr("Smaller (Ctrl+wheel)"),
        [this] { m_map->setZoom(m_map->zoom() / kButtonZoomFactor); });
    add(QStringLiteral("+"), tr("Larger (Ctrl+wheel)"),
        [this] { m_map->setZoom(m_map->zoom() * kButtonZoomFactor); });
    add(tr("Fit"), tr("Show the whole map, as far as it stays legible"), [this] { m_map->fit(); });
    m_showTables = add(tr("Tables"), tr("Show the tables next to the map"), [] {});
    m_showTables->setObjectName(QStringLiteral("segmentTables"));
    m_showTables->setCheckable(true);
    m_showTables->setChecked(true);
    m_legend = new QLabel(controls);
    named(m_legend, "segmentLegend", {},
        tr("Blocks thinner than a pixel are drawn together with their neighbours; a segment is "
           "at least two pixels wide."));
    row->insertWidget(0, m_legend);
    return controls;
}

QTableView* SegmentsView::addTable(TableModel& model, const QString& name, const QString& title)
{
    QTableView* table = makeSortedTable(model, name, title, m_tables);
    leaveOutColumns(*table);
    m_tables->addTab(table, title);
    return table;
}

void SegmentsView::connectParts()
{
    m_aheadTimer.setSingleShot(true);
    connect(&m_aheadTimer, &QTimer::timeout, this, &SegmentsView::buildHistoryAhead);
    connect(&m_bands, &BandView::changed, this, &SegmentsView::followPalette);
    connect(&m_selection, &Selection::cursorChanged, &m_followThrottle, &FrameThrottle::request);
    connect(&m_selection, &Selection::shownChanged, this, [this] { m_map->setMarked(m_selection.shown()); });
    connect(
        m_map, &AddressMapView::hovered, this, [this](quint32 allocation) { m_selection.hover(allocation); });
    connect(m_map, &AddressMapView::clicked, this, &SegmentsView::pin);
    connect(m_map, &AddressMapView::walked, this, &SegmentsView::walk);
    connect(m_map, &AddressMapView::doubleClicked, this, [this](quint32 allocation) {
        if (allocation != AllocationTable::kNoAllocation)
            emit allocationRequested(allocation);
    });
    connect(m_order, &QComboBox::currentIndexChanged, this,
        [this] { m_map->setOrder(static_cast<SegmentOrder>(m_order->currentData().toInt())); });
    connect(m_partlyFreeTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &SegmentsView::choosePartlyFree);
    connect(m_freeBlockTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &SegmentsView::chooseFreeBlock);
    connect(m_tables, &QTabWidget::tabBarClicked, this, [this] { m_isAdviceOpened = false; });
    connect(m_showTables, &QToolButton::toggled, this, [this](bool shows) {
        m_tables->setVisible(shows);
        showSentences();
    });
    connect(m_replays, &ReplayPanel::settled, this, [this] {
        acceptReplays();
        if (isSettled())
            emit settled();
    });
    for (QLabel* label : {m_headline, m_obstacle})
        connect(label, &QLabel::linkActivated, this, [this](const QString& link) {
            if (link.startsWith(QLatin1String("segment:")))
                m_map->showSegment(link.mid(8).toUInt());
            else
                emit eventRequested(link.toLongLong());
        });
}

void SegmentsView::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    if (analysis == m_analysis)
        return;
    m_task.drop();
    m_analysis = std::move(analysis);
    m_history = std::make_shared<HistorySlot>();
    m_requestedEvent.reset();
    m_walkedTo.reset();
    m_isInitialTabChosen = false;
    m_isAdviceOpened = false;
    m_showTables->setChecked(true);
    m_replays->showDevice(m_analysis);
    showNothing(m_analysis ? tr("Computing the segments…") : QString());
    followMoment();
    m_aheadTimer.start(kAheadMilliseconds);
}

void SegmentsView::HistorySlot::build(const DeviceAnalysis& analysis)
{
    if (!history)
        history
            = std::make_shared<const SegmentHistory>(*analysis.trace, analysis.allocations, analysis.live);
}

/// Builds the history in advance, so that the view opens at once. The history of a very large trace is built
/// only when the view is opened, because it keeps a core busy for seconds.
void SegmentsView::buildHistoryAhead()
{
    if (!m_analysis || m_task.isBusy() || m_analysis->allocations.eventCount() > kMaxEventsAhead)
        return;
    m_task.run([analysis = m_analysis, slot = m_history]() -> LatestTask::Delivery {
        slot->build(*analysis);
        return [] {};
    });
}

void SegmentsView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    followMoment();
}

void SegmentsView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_map->setColors(colors);
    m_replays->setColors(colors);
    fillLegend();
    if (m_moment)
        fillText();
}

std::int64_t SegmentsView::wantedEvent() const
{
    return m_selection.cursor().value_or(initialEvent(m_analysis->figures));
}

void SegmentsView::setProcessLimit(std::optional<Bytes> limit)
{
    if (m_processLimit == limit)
        return;
    m_processLimit = limit;
    m_requestedEvent.reset();
    followMoment();
}

/// Computes the moment off the GUI thread; the first time, this walks the whole trace.
void SegmentsView::followMoment()
{
    if (!isVisible() || !m_analysis || m_requestedEvent == wantedEvent())
        return;
    m_requestedEvent = wantedEvent();
    m_task.run([this, analysis = m_analysis, slot = m_history, event = *m_requestedEvent,
                   limit = m_processLimit]() -> LatestTask::Delivery {
        slot->build(*analysis);
        auto moment = std::make_shared<const AllocatorMoment>(
            allocatorMomentAt(*slot->history, event, analysis->figures.ooms, limit));
        return [this, moment,
                   freeBlocks = largestFreeBlocks(analysis->allocations, moment->state, kMaxFreeBlocks)] {
            acceptMoment(moment, freeBlocks);
        };
    });
}

/// Takes the timeline's palette unless it belongs to another device.
void SegmentsView::followPalette()
{
    if (m_analysis && m_bands.analysis() == m_analysis)
        m_map->setPalette(m_bands.palette());
}

void SegmentsView::acceptMoment(
    std::shared_ptr<const AllocatorMoment> moment, std::vector<FreeBlockOrigin> freeBlocks)
{
    m_moment = std::move(moment);
    m_freeBlocks = std::move(freeBlocks);
    const bool hasSegments = !m_moment->state.segments.empty();
    m_splitter->setVisible(hasSegments);
    m_controls->setVisible(hasSegments);
    fillLegend();
    m_map->show(m_analysis, m_moment);
    followPalette();
    m_map->setMarked(m_selection.shown());
    if (m_walkedTo == m_moment->state.event)
        m_map->showChange();
    fillTables();
    fillText();
    openAdviceOfFailure();
    if (isSettled())
        emit settled();
}

/// Opens the tab with advice if the first moment of a device is an out-of-memory event.
void SegmentsView::openAdviceOfFailure()
{
    if (std::exchange(m_isInitialTabChosen, true) || !m_moment->verdict)
        return;
    m_isAdviceOpened = true;
    m_tables->setCurrentWidget(m_replays);
    acceptReplays();
}

/// If the replays give no advice, the sentences say so. If the program itself opened the tab with advice, the
/// tables are hidden then, so that the map gets their width.
void SegmentsView::acceptReplays()
{
    if (!m_moment || m_replays->noAdviceText().isEmpty())
        return;
    if (std::exchange(m_isAdviceOpened, false))
        m_showTables->setChecked(false);
    fillText();
}

void SegmentsView::showNothing(const QString& why)
{
    m_moment.reset();
    m_map->show(m_analysis, nullptr);
    m_splitter->hide();
    m_controls->hide();
    for (QLabel* label : {m_composition, m_verdict, m_obstacle, m_remarks})
        label->hide();
    m_headline->setText(why);
}

void SegmentsView::fillTables()
{
    const QScopedValueRollback<bool> filling(m_isFilling, true);
    Table partlyFree = partlyFreeTable(m_analysis->allocations, m_analysis->sites, *m_moment, kMaxSegments);
    m_tables->setTabToolTip(0, toQString(partlyFree.caption));
    m_partlyFreeModel.setTable(std::move(partlyFree));
    m_listModel.setTable(freeListTable(*m_analysis->trace, *m_moment));
    m_freeBlockModel.setTable(
        freeBlockOriginTable(m_analysis->allocations, m_analysis->sites, m_moment->state, m_freeBlocks));
    m_tables->setTabText(0,
        tr("Partly free (%1)")
            .arg(countText(static_cast<std::int64_t>(m_moment->figures.partlyFree.size()))));
    for (QTableView* table : m_tables->findChildren<QTableView*>())
        if (!table->property("sized").toBool() && table->model()->rowCount() > 0) {
            fitColumns(*table);
            table->setProperty("sized", true);
        }
}

/// Moves the cursor of the timeline to the next or previous event, or to the peak of the next or previous
/// step. A pinned allocation stays in the details.
void SegmentsView::walk(int direction, bool bySteps)
{
    if (!m_analysis || m_analysis->allocations.eventCount() == 0)
        return;
    const std::int64_t start = wantedEvent();
    const std::int64_t event = bySteps
        ? neighbourStepPeak(m_analysis->steps, start, direction)
        : neighbourEvent(start, direction, m_analysis->allocations.eventCount());
    if (event == start)
        return;
    m_walkedTo = event;
    emit viewOfEventRequested(event);
    m_selection.setCursor(event);
}

void SegmentsView::choosePartlyFree(const QModelIndex& index)
{
    if (!index.isValid() || m_isFilling || !m_moment)
        return;
    const HeldSegment& held = m_moment->figures.partlyFree[m_partlyFreeModel.rowAt(index.row())];
    m_map->showSegment(held.segment);
    pin(held.oldest);
}

void SegmentsView::chooseFreeBlock(const QModelIndex& index)
{
    if (!index.isValid() || m_isFilling || !m_moment)
        return;
    const FreeBlockOrigin& freeBlock = m_freeBlocks[m_freeBlockModel.rowAt(index.row())];
    m_map->showSegment(freeBlock.segment);
    pin(freeBlock.obstacle(m_analysis->allocations));
}

/// Pins an allocation: the details describe it, and the map marks it. The map's moment stays. kNoAllocation
/// releases the pinned one.
void SegmentsView::pin(AllocationIndex allocation)
{
    if (allocation == AllocationTable::kNoAllocation)
        m_selection.release();
    else
        m_selection.pin(allocation);
}

} // namespace highwater::gui
