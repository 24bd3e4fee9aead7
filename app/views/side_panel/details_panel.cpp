#include "app/views/side_panel/details_panel.h"

#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/source_view.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {

constexpr int kSideMargin = 14;
constexpr int kTopMargin = 12;
constexpr int kGap = 6;
/// Rows of the stack that stay visible above a source.
constexpr int kLeastStackRows = 6;

void appendParagraphs(std::vector<Paragraph>& paragraphs, const std::vector<Fact>& facts)
{
    for (const Fact& fact : facts)
        paragraphs.push_back({Paragraph::Kind::Fact, fact.value, fact.name, fact.aside,
            fact.frame.isNone() ? QString() : DetailsPanel::tr("Show the source of this line (Enter)")});
}

std::vector<Paragraph> paragraphsOf(
    const AllocationFacts& facts, const QString& hint, const QStringList& notes)
{
    std::vector<Paragraph> paragraphs;
    const auto add = [&](Paragraph::Kind kind, const QString& text) {
        paragraphs.push_back({kind, text, {}, {}});
    };
    add(Paragraph::Kind::Title, facts.title);
    add(Paragraph::Kind::Quiet, hint);
    for (const QString& note : notes)
        add(Paragraph::Kind::Plain, note);
    appendParagraphs(paragraphs, facts.what);
    if (!facts.sameStack.empty())
        add(Paragraph::Kind::Heading, DetailsPanel::tr("Same stack"));
    appendParagraphs(paragraphs, facts.sameStack);
    add(Paragraph::Kind::Heading, facts.stackTitle);
    if (!facts.withoutStack.isEmpty())
        add(Paragraph::Kind::Plain, facts.withoutStack);
    return paragraphs;
}

/// Returns what to do, and the peak of the device, if any.
std::vector<Paragraph> emptyParagraphs(const DeviceAnalysis* analysis)
{
    std::vector<Paragraph> paragraphs{
        {Paragraph::Kind::Title, DetailsPanel::tr("No allocation selected"), {}, {}},
        {Paragraph::Kind::Quiet,
            DetailsPanel::tr(
                "Point at a band to see what it is and who allocated it. Click to keep it here."),
            {}, {}}};
    if (!analysis || analysis->figures.peakBytes <= 0)
        return paragraphs;
    const DeviceFigures& figures = analysis->figures;
    const QString moment
        = figures.peakEvent < 0 ? DetailsPanel::tr("before the first event") : eventText(figures.peakEvent);
    paragraphs.push_back({Paragraph::Kind::Heading, DetailsPanel::tr("Peak"), {}, {}});
    appendParagraphs(paragraphs,
        {{DetailsPanel::tr("bytes"), lowerBoundText(*analysis, figures.peakBytes), {}},
            {DetailsPanel::tr("allocations"), countText(figures.peakBlocks), {}},
            {DetailsPanel::tr("reached"), moment, {}}});
    return paragraphs;
}

} // namespace

DetailsPanel::DetailsPanel(Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_throttle([this] { refresh(); })
    , m_sheet(new FactSheet(this))
    , m_stack(new StackView(this))
    , m_source(new SourceView(this))
    , m_copy(new QPushButton(tr("Copy details"), this))
{
    named(this, "details", tr("Details of an allocation"));
    setAttribute(Qt::WA_StyledBackground);
    named(m_sheet, "facts", tr("Facts of the allocation"));
    named(m_copy, "copyDetails", tr("Copy details"), tr("Copy these details and the whole stack as text"));
    connect(m_copy, &QPushButton::clicked, this, &DetailsPanel::copyAll);
    connect(&m_selection, &Selection::shownChanged, &m_throttle, &FrameThrottle::request);
    // The number of allocations that are live at the cursor changes with the cursor, even within one band.
    connect(&m_selection, &Selection::cursorChanged, &m_throttle, &FrameThrottle::request);
    connectFrames();
    refresh();
}

void DetailsPanel::show(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_analysis = std::move(analysis);
    m_shownStack = {};
    forgetFrame();
    refresh();
}

void DetailsPanel::setColors(const ThemeColors& colors)
{
    m_sheet->setColors(colors);
    m_stack->setColors(colors);
    m_source->setColors(colors);
}

void DetailsPanel::setRun(std::shared_ptr<const RunStudy> run)
{
    m_run = std::move(run);
    refresh();
}

/// Returns the facts of the shown allocation; only if there is one.
AllocationFacts DetailsPanel::facts() const
{
    const AllocationIndex allocation = m_selection.shown();
    return allocationFacts(*m_analysis, allocation, m_selection.cursor(),
        m_run ? keeperOf(m_run->findings(), allocation) : nullptr);
}

/// Returns the facts of the failed request at the cursor, else of the last one; nullopt without any.
std::optional<AllocationFacts> DetailsPanel::failure() const
{
    if (!m_analysis || m_analysis->figures.ooms.empty())
        return std::nullopt;
    const std::vector<OomEvent>& ooms = m_analysis->figures.ooms;
    const auto here = std::ranges::find(
        ooms, m_selection.cursor(), [](const OomEvent& oom) { return std::optional(oom.event); });
    return failureFacts(*m_analysis, here == ooms.end() ? ooms.back() : *here);
}

void DetailsPanel::refresh()
{
    if (!isVisible()) // showEvent refreshes
        return;
    const AllocationIndex allocation = m_selection.shown();
    const bool hasAllocation = m_analysis && allocation != Selection::kNone;
    const std::optional<AllocationFacts> shown = hasAllocation ? std::optional(facts()) : failure();
    if (shown) {
        const auto linked
            = std::ranges::find_if(shown->what, [](const Fact& fact) { return !fact.frame.isNone(); });
        m_linked = linked == shown->what.end() ? FrameId() : linked->frame;
        m_sheet->setParagraphs(paragraphsOf(*shown,
            m_selection.isPinned() ? tr("pinned · Esc to release")
                : hasAllocation    ? tr("under the mouse · click to pin")
                                   : tr("Point at a band to see what it is, click to keep it here"),
            hasAllocation && m_notes ? m_notes(allocation) : QStringList()));
    } else {
        m_sheet->setParagraphs(emptyParagraphs(m_analysis.get()));
    }
    const bool hasStack = shown && shown->withoutStack.isEmpty();
    if (hasStack && std::exchange(m_shownStack, shown->stack) != shown->stack) {
        forgetFrame();
        m_stack->setStack(foldedStack(*m_analysis->trace, shown->stack));
    }
    if (hasStack && !hasAllocation)
        showIfFound(m_linked);
    setAccessibleDescription(m_sheet->plainText());
    m_stack->setVisible(hasStack);
    m_source->setVisible(hasStack && m_source->isFilled());
    m_copy->setVisible(hasAllocation);
    placeParts();
}

void DetailsPanel::placeParts()
{
    const int contentWidth = std::max(width() - 2 * kSideMargin, 1);
    m_sheet->resize(contentWidth, m_sheet->height()); // its height depends on its width
    m_sheet->setGeometry(kSideMargin, kTopMargin, contentWidth, m_sheet->textHeight());
    const QSize button = m_copy->sizeHint();
    const int stackTop = m_sheet->geometry().bottom() + 1;
    const int sourceHeight = makeRoomForSource(contentWidth, stackTop);
    const int buttonTop = height() - kTopMargin - button.height();
    m_copy->setGeometry(kSideMargin, buttonTop, button.width(), button.height());
    const int sourceTop = buttonTop - kGap - sourceHeight;
    m_source->setGeometry(kSideMargin, sourceTop, contentWidth, sourceHeight);
    const int stackBottom = sourceHeight > 0 ? sourceTop - kGap : sourceTop;
    m_stack->setGeometry(kSideMargin, stackTop, contentWidth, std::max(stackBottom - stackTop, 0));
}

/// Makes the panel high enough for a few rows of the stack and the source below them; its scroll area then
/// scrolls. Returns the height of the source, 0 if none is shown.
int DetailsPanel::makeRoomForSource(int contentWidth, int stackTop)
{
    if (!m_source->isVisibleTo(this)) {
        if (const std::optional<int> usual = std::exchange(m_usualMinimum, std::nullopt))
            setMinimumHeight(*usual);
        return 0;
    }
    if (!m_usualMinimum)
        m_usualMinimum = minimumHeight();
    const int sourceHeight = m_source->heightAt(contentWidth);
    const int rows = kLeastStackRows * m_stack->fontMetrics().lineSpacing();
    setMinimumHeight(std::max(*m_usualMinimum,
        stackTop + rows + sourceHeight + 2 * kGap + m_copy->sizeHint().height() + kTopMargin));
    return sourceHeight;
}

QString DetailsPanel::text() const
{
    if (!m_analysis || m_selection.shown() == Selection::kNone)
        return {};
    return plainText(*m_analysis, facts());
}

void DetailsPanel::setNotes(NotesOf notes)
{
    m_notes = std::move(notes);
    refresh();
}

/// Adds commands for notes. They keep the allocation that is shown now, because the mouse leaves the timeline
/// before a command is chosen.
void DetailsPanel::addNoteActions(QMenu& menu)
{
    const AllocationIndex allocation = m_selection.shown();
    if (!m_analysis || allocation == Selection::kNone)
        return;
    const NotedAllocation noted = notedAllocation(m_analysis->allocations, allocation);
    const NotedSite site{m_analysis->sites.site(m_analysis->sites.of(allocation)).key};
    menu.addAction(
        tr("Add a &note on this allocation"), this, [this, noted] { emit noteRequested(noteAt(noted)); });
    menu.addAction(
        tr("Add a note on its call &site"), this, [this, site] { emit noteRequested(noteAt(site)); });
}

void DetailsPanel::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("detailsMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString text = m_sheet->textAt(m_sheet->mapFrom(this, event->pos()));
    if (!text.isEmpty())
        menu->addAction(tr("&Copy “%1”").arg(QString(text).replace(QLatin1Char('&'), QLatin1String("&&"))),
            this, [text] { QGuiApplication::clipboard()->setText(text); });
    addNoteActions(*menu);
    if (menu->isEmpty())
        delete menu;
    else
        menu->popup(event->globalPos());
}

void DetailsPanel::copyAll()
{
    QGuiApplication::clipboard()->setText(text());
}

} // namespace highwater::gui
