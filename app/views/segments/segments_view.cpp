#include "app/views/segments/segments_view.h"

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
#include "app/workspace/tasks/qt_text.h"
#include "core/table/segment_tables.h"

namespace highwater::gui {

namespace {

/// After a device has been shown.
constexpr int kAheadMilliseconds = 300;
constexpr std::int64_t kMostEventsAhead = 3'000'000;

/// More rows than anyone reads; the state of a large run has thousands.
constexpr std::size_t kMostPinned = 200;
constexpr double kZoomStep = 1.6;

QLabel* makeSentence(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

QString upperFirst(const QString& text)
{
    return text.left(1).toUpper() + text.mid(1);
}

QString linkTo(const QString& target, const QString& text, const ThemeColors& colors)
{
    return QStringLiteral("<a style='color:%1' href='%2'>%3</a>").arg(colors.accent.name(), target, text);
}

} // namespace

SegmentsView::SegmentsView(Selection& selection, const BandView& bands, QWidget* parent)
    : AnalysisPanel(parent)
    , m_selection(selection)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
    , m_follow([this] { followMoment(); })
    , m_headline(makeSentence(QStringLiteral("segmentsHeadline"), this))
    , m_verdict(makeSentence(QStringLiteral("segmentsVerdict"), this))
    , m_notes(makeSentence(QStringLiteral("segmentsNotes"), this))
    , m_order(new QComboBox(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_map(new AddressMapView(m_splitter))
    , m_tables(new QTabWidget(m_splitter))
{
    layOut();
    connectParts();
    showNothing({});
}

SegmentsView::~SegmentsView() = default;

void SegmentsView::layOut()
{
    m_tables->setDocumentMode(true);
    m_tables->setAccessibleName(tr("Figures of the segments"));
    m_pinnedTable = addTable(m_pinnedModel, QStringLiteral("pinnedSegments"), tr("Blocks holding segments"));
    addTable(m_listModel, QStringLiteral("freeLists"), tr("Pools and streams"));
    addTable(m_holeModel, QStringLiteral("holesBySize"), tr("Holes by size"));
    fillSplitter(m_splitter, {{m_map, 3}, {m_tables, 2}});
    m_splitter->setChildrenCollapsible(false);
    m_notes->setProperty("quiet", true);
    layColumn(this, {m_headline, m_verdict, m_notes, makeControls(), {m_splitter, 1}}, {{10, 6, 0, 0}, 3});
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
    auto* title = new QLabel(tr("Segments"), controls);
    title->setBuddy(m_order);
    row->addWidget(title);
    row->addWidget(m_order);
    const auto addZoom = [&](const QString& text, const QString& tip, double factor) {
        auto* button = new QToolButton(controls);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this,
            [this, factor] { m_map->setZoom(factor == 0 ? 1 : m_map->zoom() * factor); });
        row->addWidget(button);
    };
    addZoom(QStringLiteral("−"), tr("Smaller (Ctrl+wheel)"), 1 / kZoomStep);
    addZoom(QStringLiteral("+"), tr("Larger (Ctrl+wheel)"), kZoomStep);
    addZoom(tr("Fit"), tr("The whole map, or what of it stays legible"), 0);
    row->addStretch(1);
    m_legend = new QLabel(controls);
    named(m_legend, "segmentLegend", {},
        tr("What is thinner than a pixel is drawn together with its neighbours; a segment is "
           "at least two pixels wide."));
    row->addWidget(m_legend);
    row->addSpacing(8);
    return controls;
}

QTableView* SegmentsView::addTable(TableModel& model, const QString& name, const QString& title)
{
    QTableView* table = makeSortedTable(model, name, title, m_tables);
    m_tables->addTab(table, title);
    return table;
}

void SegmentsView::connectParts()
{
    m_ahead.setSingleShot(true);
    connect(&m_ahead, &QTimer::timeout, this, &SegmentsView::workAhead);
    connect(&m_bands, &BandView::changed, this, &SegmentsView::followPalette);
    connect(&m_selection, &Selection::cursorChanged, &m_follow, &FrameThrottle::request);
    connect(&m_selection, &Selection::shownChanged, &m_follow, &FrameThrottle::request);
    connect(&m_selection, &Selection::shownChanged, this, [this] { m_map->setMarked(m_selection.shown()); });
    connect(
        m_map, &AddressMapView::hovered, this, [this](quint32 allocation) { m_selection.hover(allocation); });
    connect(m_map, &AddressMapView::clicked, this, &SegmentsView::pin);
    connect(m_map, &AddressMapView::doubleClicked, this, [this](quint32 allocation) {
        if (allocation != AllocationTable::kNoAllocation)
            emit allocationRequested(allocation);
    });
    connect(m_order, &QComboBox::currentIndexChanged, this,
        [this] { m_map->setOrder(static_cast<SegmentOrder>(m_order->currentData().toInt())); });
    connect(m_pinnedTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &SegmentsView::choosePinned);
    for (QLabel* label : {m_headline, m_verdict})
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
    m_asked.reset();
    showNothing(m_analysis ? tr("Working out the segments…") : QString());
    followMoment();
    m_ahead.start(kAheadMilliseconds);
}

void SegmentsView::HistorySlot::build(const DeviceAnalysis& analysis)
{
    if (!history)
        history
            = std::make_shared<const SegmentHistory>(*analysis.trace, analysis.allocations, analysis.live);
}

/// Walks the trace before somebody asks, so that the view opens at once; of very large ones only when they
/// do, since that takes a core for seconds.
void SegmentsView::workAhead()
{
    if (!m_analysis || m_task.isBusy() || m_analysis->allocations.eventCount() > kMostEventsAhead)
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
    fillLegend();
    if (m_moment)
        fillText();
}

std::int64_t SegmentsView::wantedEvent() const
{
    return m_selection.moment().value_or(firstMomentOf(m_analysis->figures));
}

/// Off the GUI thread: the first time the whole trace is walked.
void SegmentsView::followMoment()
{
    if (!isVisible() || !m_analysis || m_asked == wantedEvent())
        return;
    m_asked = wantedEvent();
    m_task.run([this, analysis = m_analysis, slot = m_history, event = *m_asked]() -> LatestTask::Delivery {
        slot->build(*analysis);
        auto moment = std::make_shared<const AllocatorMoment>(allocatorMomentAt(*slot->history, event));
        return [this, moment] { accept(moment); };
    });
}

/// Colours of another device would not fit.
void SegmentsView::followPalette()
{
    if (m_analysis && m_bands.analysis() == m_analysis)
        m_map->setPalette(m_bands.palette());
}

void SegmentsView::accept(std::shared_ptr<const AllocatorMoment> moment)
{
    m_moment = std::move(moment);
    const bool any = !m_moment->state.segments.empty();
    m_splitter->setVisible(any);
    fillLegend();
    m_map->show(m_analysis, m_moment);
    followPalette();
    m_map->setMarked(m_selection.shown());
    fillTables();
    fillText();
    if (isSettled())
        emit settled();
}

void SegmentsView::fillLegend()
{
    QString text = tr("<span style='color:%1'>■</span> in use, coloured as in the timeline")
                       .arg(m_colors.accent.name());
    if (m_moment && m_moment->state.pendingBytes > 0)
        text += tr(" &nbsp; ▨ freed, still awaited");
    m_legend->setText(text + tr(" &nbsp; □ free"));
}

void SegmentsView::showNothing(const QString& why)
{
    m_moment.reset();
    m_map->show(m_analysis, nullptr);
    m_splitter->hide();
    m_verdict->hide();
    m_notes->hide();
    m_headline->setText(why);
}

void SegmentsView::fillTables()
{
    const QScopedValueRollback<bool> filling(m_filling, true);
    Table pinned = pinnedTable(m_analysis->allocations, m_analysis->sites, *m_moment);
    cutRows(pinned, kMostPinned, "segments");
    m_pinnedModel.setTable(std::move(pinned));
    m_listModel.setTable(freeListTable(*m_analysis->trace, *m_moment));
    m_holeModel.setTable(holeTable(*m_moment));
    m_tables->setTabText(0,
        tr("Blocks holding segments (%1)")
            .arg(countText(static_cast<std::int64_t>(m_moment->figures.pinned.size()))));
    m_tables->setTabToolTip(0, tr("Segments that are more than a quarter free, and what lives in them"));
    for (QTableView* table : m_tables->findChildren<QTableView*>())
        if (!table->property("sized").toBool() && table->model()->rowCount() > 0) {
            table->resizeColumnsToContents();
            table->setProperty("sized", true);
        }
}

QString SegmentsView::momentText() const
{
    const std::int64_t event = m_moment->state.event;
    const std::vector<OomEvent>& ooms = m_analysis->figures.ooms;
    if (m_analysis->allocations.eventCount() == 0)
        return tr("When the snapshot was taken");
    QString text = event < 0 ? tr("Before the first event") : tr("After event %1").arg(countText(event));
    if (m_moment->verdict)
        text += tr(", out of memory");
    else if (event == m_analysis->figures.peakEvent)
        text += tr(", the peak");
    if (!m_moment->verdict && !ooms.empty())
        text += QStringLiteral(" (%1)").arg(
            linkTo(QString::number(ooms.back().event), tr("go to where memory ran out"), m_colors));
    return text;
}

void SegmentsView::fillText()
{
    const SegmentState& state = m_moment->state;
    QString headline
        = QStringLiteral("<b>%1</b>: %2").arg(momentText(), toQString(headlineOf(*m_moment)).toHtmlEscaped());
    if (m_moment->figures.pinnedFreeBytes > 0)
        headline += tr("; %1 of the free bytes are in %2 that something pins")
                        .arg(bytesText(m_moment->figures.pinnedFreeBytes),
                            countedText(static_cast<std::int64_t>(m_moment->figures.pinned.size()), "segment",
                                "segments"));
    if (m_moment->figures.releasableBytes > 0)
        headline += tr("; %1 in unused segments").arg(bytesText(m_moment->figures.releasableBytes));
    if (state.segments.empty() && m_analysis->trace->segments.segments.empty())
        headline = tr("This file holds no segments, so where the memory lay is not known.");
    m_headline->setText(headline);

    m_verdict->setVisible(m_moment->verdict.has_value());
    if (m_moment->verdict) {
        QString text = QStringLiteral("<span style='color:%1'><b>%2</b></span>")
                           .arg(m_colors.danger.name(),
                               upperFirst(toQString(sentenceOf(*m_analysis->trace, *m_moment->verdict)))
                                   .toHtmlEscaped());
        const QString obstacle = toQString(obstacleOf(*m_moment->verdict, state)).toHtmlEscaped();
        if (!obstacle.isEmpty())
            text += QStringLiteral("<br>") + upperFirst(obstacle);
        if (const auto& run = m_moment->verdict->cheapest; run && !obstacle.isEmpty())
            text += QStringLiteral(" ")
                + linkTo(QStringLiteral("segment:%1").arg(run->segment), tr("show it"), m_colors);
        m_verdict->setText(text);
    }
    QStringList notes;
    for (const std::string& sentence : reservations(state))
        notes << upperFirst(toQString(sentence));
    m_notes->setText(notes.join(QStringLiteral(". ")));
    m_notes->setVisible(!notes.isEmpty());
}

QString SegmentsView::text() const
{
    QStringList lines;
    for (const QLabel* label : {m_headline, m_verdict, m_notes})
        if (!label->isHidden())
            lines << label->text();
    return lines.join(QLatin1Char('\n'));
}

void SegmentsView::choosePinned(const QModelIndex& index)
{
    if (!index.isValid() || m_filling || !m_moment)
        return;
    const PinnedSegment& pinned = m_moment->figures.pinned[m_pinnedModel.rowAt(index.row())];
    m_map->showSegment(pinned.segment);
    pin(pinned.oldest);
}

/// Keeps the moment: the details change, the map does not.
void SegmentsView::pin(AllocationIndex allocation)
{
    if (allocation == AllocationTable::kNoAllocation)
        m_selection.release();
    else
        m_selection.pin(allocation, m_moment->state.event);
}

} // namespace highwater::gui
