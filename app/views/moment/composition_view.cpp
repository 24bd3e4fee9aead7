#include "app/views/moment/composition_view.h"

#include <utility>

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>

#include "app/views/charts/frame_detail_titles.h"
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

namespace {

struct Entry
{
    const char* title;
    const char* tip;
};

constexpr std::array<Entry, 6> kChoiceEntries = {{
    {QT_TRANSLATE_NOOP("CompositionView", "Cursor"),
        QT_TRANSLATE_NOOP("CompositionView",
            "In use at the moment of the cursor: a click on the axis, P, O or a step sets it")},
    {QT_TRANSLATE_NOOP("CompositionView", "Peak"),
        QT_TRANSLATE_NOOP("CompositionView", "In use at the peak of the run")},
    {QT_TRANSLATE_NOOP("CompositionView", "Step's peak"),
        QT_TRANSLATE_NOOP("CompositionView", "In use at the peak of the step that the cursor is in")},
    {QT_TRANSLATE_NOOP("CompositionView", "Born in range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Allocated in the marked range (Shift+drag in the timeline), else in the events in view now; "
            "zooming keeps them")},
    {QT_TRANSLATE_NOOP("CompositionView", "Freed in range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Freed in the marked range, else in the events in view now, whenever it was allocated")},
    {QT_TRANSLATE_NOOP("CompositionView", "Survived range"),
        QT_TRANSLATE_NOOP("CompositionView",
            "Allocated in the marked range, else in the events in view now, and still in use after it")},
}};

constexpr std::array<Entry, CompositionView::kWays> kWayEntries = {{
    {QT_TRANSLATE_NOOP("CompositionView", "Table"),
        QT_TRANSLATE_NOOP("CompositionView", "In groups, largest first")},
    {QT_TRANSLATE_NOOP("CompositionView", "Top-down"),
        QT_TRANSLATE_NOOP("CompositionView", "From the outermost function to its callees")},
    {QT_TRANSLATE_NOOP("CompositionView", "Bottom-up"),
        QT_TRANSLATE_NOOP("CompositionView", "From the allocating functions to their callers")},
    {QT_TRANSLATE_NOOP("CompositionView", "Callers"),
        QT_TRANSLATE_NOOP("CompositionView", "Callers and callees of one function")},
    {QT_TRANSLATE_NOOP("CompositionView", "Flame"), QT_TRANSLATE_NOOP("CompositionView", "Flame graph")},
    {QT_TRANSLATE_NOOP("CompositionView", "Treemap"),
        QT_TRANSLATE_NOOP("CompositionView", "Every allocation as a rectangle, coloured as in the timeline")},
    {QT_TRANSLATE_NOOP("CompositionView", "Sizes"),
        QT_TRANSLATE_NOOP("CompositionView", "Histogram of sizes")},
    {QT_TRANSLATE_NOOP("CompositionView", "Lifetimes"),
        QT_TRANSLATE_NOOP("CompositionView", "Histogram of lifetimes, in events")},
    {QT_TRANSLATE_NOOP("CompositionView", "Modules"),
        QT_TRANSLATE_NOOP(
            "CompositionView", "Allocations of each module and layer of the model, by category")},
}};

/// Makes a drop-down list from the entries, each with its tool tip. `before` is the format of the titles,
/// such as "At: %1".
template <std::size_t Count>
QComboBox* makeChooser(const char* name, const QString& tip, const std::array<Entry, Count>& entries,
    const QString& titleFormat, QWidget* parent)
{
    auto* chooser = named(new QComboBox(parent), name, tip, tip);
    for (std::size_t i = 0; i < Count; ++i) {
        chooser->addItem(titleFormat.arg(CompositionView::tr(entries[i].title)));
        chooser->setItemData(static_cast<int>(i), CompositionView::tr(entries[i].tip), Qt::ToolTipRole);
    }
    return chooser;
}

} // namespace

CompositionView::CompositionView(Selection& selection, BandView& bands, QWidget* parent)
    : AnalysisPanel(parent)
    , m_bands(bands)
    , m_subject(selection)
    , m_heading(new ElidedLabel(this))
    , m_answer(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_stack(new QStackedWidget(this))
{
    setAccessibleName(tr("At this moment"));
    makePages(bands);
    makeOptions();
    layColumn(this, {makeRow(), {m_stack, 1}});
    connect(&m_subject, &ShownAllocations::changed, this, &CompositionView::refresh);
    connect(&m_bands, &BandView::changed, this, &CompositionView::followHighlight);
    const auto takeChoice = [this](int choice) { m_subject.choose(static_cast<MomentChoice>(choice)); };
    connect(m_choices, &QComboBox::currentIndexChanged, this, takeChoice);
    connect(m_choices, &QComboBox::activated, this, takeChoice); // the same again takes the range of now
    connect(
        m_ways, &QComboBox::currentIndexChanged, this, [this](int way) { setWay(static_cast<Way>(way)); });
    setWay(Way::Table);
}

void CompositionView::makePages(const BandView& bands)
{
    m_pages = {new MomentTablePage(this), new MomentTreePage(CallDirection::TopDown, this),
        new MomentTreePage(CallDirection::BottomUp, this), new MomentCallersPage(this),
        new MomentFlamePage(bands, this), new MomentTreemapPage(bands, this),
        new MomentHistogramPage(HistogramKind::Size, this),
        new MomentHistogramPage(HistogramKind::Lifetime, this), new MomentModulesPage(this)};
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

/// Makes the row above the views: which allocations, how they are shown and grouped, their sum, and the
/// search.
QWidget* CompositionView::makeRow()
{
    auto* row = new QWidget(this);
    m_choices
        = makeChooser("momentChoice", tr("Which allocations are shown"), kChoiceEntries, tr("At: %1"), row);
    m_ways = makeChooser("momentWay", tr("How they are shown"), kWayEntries, tr("As: %1"), row);
    named(m_heading, "momentHeading");
    makeBold(*m_heading);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    named(m_search, "momentSearch", tr("Search in this view"),
        tr("Search these allocations: rows with this text in function, file or name; Esc ends the search"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &CompositionView::takeOptions);
    named(m_answer, "momentAnswer");
    m_answer->setProperty("quiet", true);
    m_answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* copyAll = named(new QToolButton(row), "momentCopy", {},
        tr("Copy everything shown as text; Ctrl+C copies the selection"));
    copyAll->setText(tr("Copy"));
    connect(copyAll, &QToolButton::clicked, this, [this] { copy(false); });
    layRow(row,
        {m_choices, m_ways, m_group, m_detail, m_weight, Part::gap(8), {m_heading, 5}, {m_search, 2},
            {m_answer, 2}, copyAll},
        {{12, 4, 12, 4}, 4});
    return row;
}

template <typename Value>
QComboBox* CompositionView::makeChoice(const QString& name, const QString& tip,
    const std::vector<std::pair<QString, Value>>& values, void (CompositionView::*slot)())
{
    auto* choice = new QComboBox(this);
    choice->setObjectName(name);
    choice->setToolTip(tip);
    choice->setAccessibleName(tip);
    for (const auto& [title, value] : values)
        choice->addItem(title, static_cast<int>(value));
    connect(choice, &QComboBox::currentIndexChanged, this, slot);
    return choice;
}

void CompositionView::makeOptions()
{
    std::vector<std::pair<QString, GroupKey>> groups;
    for (const GroupKey key :
        {GroupKey::Site, GroupKey::Stack, GroupKey::Function, GroupKey::File, GroupKey::Module,
            GroupKey::Category, GroupKey::Size, GroupKey::Stream, GroupKey::Pool, GroupKey::Allocation})
        groups.emplace_back(tr("By %1").arg(toQString(groupTitle(key)).toLower()), key);
    m_group = makeChoice(
        QStringLiteral("momentGroup"), tr("Grouping of the rows"), groups, &CompositionView::takeOptions);
    m_detail = makeChoice(QStringLiteral("momentDetail"), tr("Which frames are shown"), frameDetailTitles(),
        &CompositionView::takeOptions);
    m_weight = makeChoice<FlameWeight>(QStringLiteral("momentWeight"), tr("Meaning of the widths"),
        {{tr("Bytes"), FlameWeight::Size}, {tr("Bytes × lifetime"), FlameWeight::ByteEvents}},
        &CompositionView::takeOptions);
}

void CompositionView::takeOptions()
{
    if (!m_weight) // ignore changes while the row is still being made
        return;
    m_options = {static_cast<GroupKey>(m_group->currentData().toInt()),
        static_cast<FrameDetail>(m_detail->currentData().toInt()),
        static_cast<FlameWeight>(m_weight->currentData().toInt()), m_search->text()};
    refresh();
}

void CompositionView::setOptions(const MomentOptions& options)
{
    m_group->setCurrentIndex(m_group->findData(static_cast<int>(options.group)));
    m_detail->setCurrentIndex(m_detail->findData(static_cast<int>(options.detail)));
    m_weight->setCurrentIndex(m_weight->findData(static_cast<int>(options.weight)));
    m_search->setText(options.search);
}

/// Replaces grouping by call site with grouping by category if there is only one call site, as in a file
/// without stacks. Restores grouping by call site when a device with several call sites is shown.
void CompositionView::chooseGroup(const DeviceAnalysis& analysis)
{
    const bool hasManySites = analysis.sites.size() > 1;
    MomentOptions options = m_options;
    if (!hasManySites && options.group == GroupKey::Site)
        options.group = GroupKey::Category;
    else if (hasManySites && m_hadOneSite && options.group == GroupKey::Category)
        options.group = GroupKey::Site;
    m_hadOneSite = !hasManySites;
    setOptions(options);
}

void CompositionView::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    // The other pages still show the previous device.
    for (MomentPage* page : m_pages)
        page->show(nullptr, m_options);
    if (analysis)
        chooseGroup(*analysis);
    m_subject.setAnalysis(std::move(analysis));
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
    m_group->setVisible(way == Way::Table);
    const bool tree = way == Way::TopDown || way == Way::BottomUp || way == Way::Callers || way == Way::Flame;
    m_detail->setVisible(tree);
    m_weight->setVisible(way == Way::Flame);
    m_search->setVisible(way != Way::Sizes && way != Way::Lifetimes);
    m_stack->setCurrentWidget(&current());
    refresh();
}

/// Shows the subject on the current page; the other pages compute nothing.
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

/// Ends the highlight in the timeline, because nothing would explain it while this view is hidden.
void CompositionView::hideEvent(QHideEvent* event)
{
    m_subject.setActive(false);
    m_bands.setHighlighted(nullptr);
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

/// Without a highlight in the timeline, no row stays selected that would stand for it.
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
