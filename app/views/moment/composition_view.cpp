#include "app/views/moment/composition_view.h"

#include <utility>

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>

#include "app/views/moment/moment_callers_page.h"
#include "app/views/moment/moment_chart_pages.h"
#include "app/views/moment/moment_modules_page.h"
#include "app/views/moment/moment_table_page.h"
#include "app/views/moment/moment_tree_page.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/composition_tables.h"

namespace highwater::gui {

CompositionView::CompositionView(Selection& selection, BandView& bands, QWidget* parent)
    : AnalysisPanel(parent)
    , m_bands(bands)
    , m_subject(selection)
    , m_heading(new ElidedLabel(this))
    , m_answer(new QLabel(this))
    , m_category(new QComboBox(this))
    , m_search(new QLineEdit(this))
    , m_stack(new QStackedWidget(this))
{
    setAccessibleName(tr("At this moment"));
    makePages(bands);
    makeOptions();
    layColumn(this, {makeRow(), makeTitle(), {m_stack, 1}});
    connect(&m_subject, &ShownAllocations::changed, this, &CompositionView::refresh);
    connect(&selection, &Selection::cursorChanged, this, &CompositionView::nameCursor);
    connect(&m_bands, &BandView::changed, this, &CompositionView::followHighlight);
    const auto takeChoice = [this](int choice) { m_subject.choose(static_cast<MomentChoice>(choice)); };
    connect(m_choices, &QComboBox::currentIndexChanged, this, takeChoice);
    connect(m_choices, &QComboBox::activated, this,
        takeChoice); // choosing the same entry again takes the present range
    connect(
        m_ways, &QComboBox::currentIndexChanged, this, [this](int way) { setWay(static_cast<Way>(way)); });
    setWay(Way::Table);
}

void CompositionView::makePages(const BandView& bands)
{
    m_pages = {new MomentTablePage(bands, this), new MomentTreePage(CallDirection::TopDown, this),
        new MomentTreePage(CallDirection::BottomUp, this), new MomentCallersPage(this),
        new MomentFlamePage(bands, this), new MomentTreemapPage(bands, this),
        new MomentHistogramPage(HistogramKind::Size, this),
        new MomentHistogramPage(HistogramKind::Lifetime, this), new MomentModulesPage(bands, this)};
    for (MomentPage* page : m_pages) {
        m_stack->addWidget(page);
        for (QAbstractItemView* items : page->findChildren<QAbstractItemView*>())
            items->installEventFilter(this);
        connect(page, &MomentPage::highlightRequested, &m_bands, &BandView::setHighlighted);
        connect(page, &MomentPage::allocationPinned, this, &CompositionView::allocationPinned);
        connect(page, &MomentPage::noteRequested, this, &CompositionView::noteRequested);
        connect(page, &MomentPage::settled, this, [this, page] {
            if (page != &current())
                return;
            refreshHeading();
            if (isSettled())
                emit settled();
        });
    }
}

void CompositionView::takeOptions()
{
    if (!m_weight) // ignore changes while the row is still being made
        return;
    const auto group = static_cast<GroupKey>(m_group->currentData().toInt());
    m_options = {group == GroupKey::Module ? m_options.group : group, // the table of groups has no modules
        static_cast<FrameDetail>(m_detail->currentData().toInt()),
        static_cast<FlameWeight>(m_weight->currentData().toInt()), m_search->text()};
    refresh();
}

void CompositionView::setOptions(const MomentOptions& options)
{
    m_options.group = options.group;
    nameGroup();
    m_detail->setCurrentIndex(m_detail->findData(static_cast<int>(options.detail)));
    m_weight->setCurrentIndex(m_weight->findData(static_cast<int>(options.weight)));
    m_search->setText(options.search);
    takeOptions();
}

/// Selects the grouping of the page in its list. The tree of modules is the grouping "By module".
void CompositionView::nameGroup()
{
    const QSignalBlocker blocker(m_group);
    const GroupKey group = m_way == Way::Modules ? GroupKey::Module : m_options.group;
    m_group->setCurrentIndex(m_group->findData(static_cast<int>(group)));
}

/// Replaces grouping by call site with grouping by category if there is only one call site, as in a file
/// without stacks. Restores grouping by call site when a device with several call sites follows.
void CompositionView::chooseGroup(const DeviceAnalysis& analysis)
{
    const bool hasSeveralSites = analysis.sites.size() > 1;
    MomentOptions options = m_options;
    if (!hasSeveralSites && options.group == GroupKey::Site)
        options.group = GroupKey::Category;
    else if (hasSeveralSites && m_hadOneSite && options.group == GroupKey::Category)
        options.group = GroupKey::Site;
    m_hadOneSite = !hasSeveralSites;
    setOptions(options);
}

void CompositionView::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    // The other pages still show the previous device.
    for (MomentPage* page : m_pages)
        page->show(nullptr, m_options);
    if (analysis) {
        chooseGroup(*analysis);
        offerCategories(*analysis);
    }
    m_subject.setAnalysis(std::move(analysis));
    m_choices->setCurrentIndex(static_cast<int>(m_subject.choice()));
    nameCursor();
}

void CompositionView::setColors(const ThemeColors& colors)
{
    for (MomentPage* page : m_pages)
        page->setColors(colors);
}

bool CompositionView::isSettled() const
{
    return !m_subject.isBusy() && current().isSettled();
}

void CompositionView::choose(MomentChoice choice)
{
    m_choices->setCurrentIndex(static_cast<int>(choice));
    m_subject.choose(choice);
}

void CompositionView::setWay(Way way)
{
    if (m_ways->currentIndex() != static_cast<int>(way))
        return m_ways->setCurrentIndex(static_cast<int>(way)); // which calls this function again
    m_way = way;
    nameGroup();
    m_group->setVisible(way == Way::Table || way == Way::Modules);
    const bool isTree
        = way == Way::TopDown || way == Way::BottomUp || way == Way::Callers || way == Way::Flame;
    m_detail->setVisible(isTree);
    m_weight->setVisible(way == Way::Flame);
    m_search->setVisible(way != Way::Sizes && way != Way::Lifetimes);
    m_stack->setCurrentWidget(&current());
    refresh();
}

/// Shows the allocations on the current page; the other pages compute nothing.
void CompositionView::refresh()
{
    current().show(m_subject.moment(), m_options);
    refreshHeading();
}

void CompositionView::refreshHeading()
{
    m_heading->setText(heading());
    m_heading->setToolTip(heading());
    m_answer->setText(answer());
    m_answer->setVisible(!answer().isEmpty());
}

QString CompositionView::heading() const
{
    return m_subject.moment() ? m_subject.moment()->title : QString();
}

QString CompositionView::answer() const
{
    return current().answer();
}

void CompositionView::copy(bool onlySelected)
{
    QGuiApplication::clipboard()->setText(heading() + QLatin1Char('\n') + current().text(onlySelected));
}

void CompositionView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    m_subject.setActive(true);
}

void CompositionView::hideEvent(QHideEvent* event)
{
    m_subject.setActive(false);
    AnalysisPanel::hideEvent(event);
}

bool CompositionView::canGoBack() const
{
    return current().canGoBack() || !m_search->text().isEmpty();
}

void CompositionView::goBack()
{
    if (current().canGoBack())
        current().goBack();
    else
        m_search->clear();
}

/// Clears the selection of the current page when the highlight in the timeline ends.
void CompositionView::followHighlight()
{
    const bool hasEnded = std::exchange(m_hasHighlight, m_bands.highlighted() != nullptr) && !m_hasHighlight;
    if (!hasEnded)
        return;
    for (QAbstractItemView* items : current().findChildren<QAbstractItemView*>())
        if (items->selectionModel() && items->selectionModel()->hasSelection())
            items->clearSelection();
}

/// Keeps Ctrl+C and, while there is something to go back from, Esc from the shortcuts of the window.
bool CompositionView::event(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return AnalysisPanel::event(event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isHandled = key->matches(QKeySequence::Copy) || (key->key() == Qt::Key_Escape && canGoBack());
    event->setAccepted(isHandled);
    return isHandled;
}

void CompositionView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy(true);
    else if (event->key() == Qt::Key_Escape && canGoBack())
        goBack();
    else
        AnalysisPanel::keyPressEvent(event);
}

bool CompositionView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return AnalysisPanel::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (watched != m_search) {
        // By itself, an item view would copy only one cell.
        if (!key->matches(QKeySequence::Copy))
            return false;
        copy(true);
        return true;
    }
    if (key->key() != Qt::Key_Escape && key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return false;
    if (key->key() == Qt::Key_Escape)
        m_search->clear();
    current().setFocus(Qt::OtherFocusReason);
    return true;
}

} // namespace highwater::gui
