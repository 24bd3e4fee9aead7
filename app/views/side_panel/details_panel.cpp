#include "app/views/side_panel/details_panel.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/detail_paragraphs.h"
#include "app/views/side_panel/source_view.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/stacks/call_site.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {

constexpr int kSideMargin = 14;
constexpr int kTopMargin = 12;
constexpr int kGap = 6;
/// Rows of the stack that stay visible above a source.
constexpr int kLeastStackRows = 6;

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
    // An allocation needs this, too: the number of allocations of its stack in use changes with the cursor.
    connect(&m_selection, &Selection::chosenChanged, &m_throttle, &FrameThrottle::request);
    connectFrames();
    refresh();
}

void DetailsPanel::show(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_analysis = std::move(analysis);
    m_sites.clear();
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

/// Returns the facts of the shown allocation, which must exist.
AllocationFacts DetailsPanel::facts() const
{
    const AllocationIndex allocation = m_selection.shown();
    const bool isEverKept = m_analysis->keptBlocks->keptSince(allocation) != KeptBlocks::kNever;
    return allocationFacts(*m_analysis, allocation, m_selection.cursor(),
        m_run && isEverKept ? findKeeper(m_run->findings(), allocation) : nullptr);
}

/// Returns the facts of the failed request at the selected moment, or of the last failed request if nothing
/// is selected; else nullopt.
std::optional<AllocationFacts> DetailsPanel::failure() const
{
    const bool isNothing = m_selection.kind() == Selection::Kind::Nothing;
    if (!m_analysis || m_analysis->figures.ooms.empty()
        || (!isNothing && m_selection.kind() != Selection::Kind::Moment))
        return std::nullopt;
    const std::vector<OomEvent>& ooms = m_analysis->figures.ooms;
    const auto here = std::ranges::find(
        ooms, m_selection.cursor(), [](const OomEvent& oom) { return std::optional(oom.event); });
    if (here == ooms.end() && !isNothing)
        return std::nullopt;
    return failureFacts(*m_analysis, here == ooms.end() ? ooms.back() : *here);
}

void DetailsPanel::refresh()
{
    if (!isVisible()) // showEvent refreshes
        return;
    const AllocationIndex allocation = m_selection.shown();
    const bool hasAllocation = m_analysis && allocation != Selection::kNone && isAllocationShown();
    m_showsSites = m_analysis && !hasAllocation && m_selection.subject() == Selection::Kind::Highlight
        && m_sites.show(*m_analysis, m_selection.highlight().members, m_selection.cursor());
    if (m_showsSites)
        return showSites();
    const std::optional<AllocationFacts> shown = hasAllocation ? std::optional(facts()) : failure();
    if (shown) {
        const auto linked
            = std::ranges::find_if(shown->what, [](const Fact& fact) { return !fact.frame.isNone(); });
        m_linked = linked == shown->what.end() ? FrameId() : linked->frame;
    }
    if (hasAllocation)
        m_sheet->setParagraphs(allocationParagraphs(*shown,
            m_selection.isPinned() ? tr("pinned · Esc to release") : tr("under the mouse · click to pin"),
            m_notes ? m_notes(allocation) : QStringList()));
    else if (m_analysis)
        m_sheet->setParagraphs(selectionParagraphs(*m_analysis, m_selection, shown ? &*shown : nullptr));
    else
        m_sheet->setParagraphs({});
    showStack(shown, hasAllocation);
    finish(hasAllocation);
}

/// Shows the call sites of the highlighted allocations, and the stack of the chosen one.
void DetailsPanel::showSites()
{
    const AllocationFacts stack = m_sites.stack(*m_analysis);
    m_linked = codeFrame(*m_analysis->trace, stack.stack);
    std::vector<Paragraph> paragraphs = selectionParagraphs(*m_analysis, m_selection, nullptr);
    std::ranges::move(m_sites.paragraphs(*m_analysis), std::back_inserter(paragraphs));
    m_sheet->setParagraphs(std::move(paragraphs));
    showStack(stack, false);
    finish(false);
}

/// Describes the sheet to screen readers, offers to copy an allocation, and places the parts.
void DetailsPanel::finish(bool hasAllocation)
{
    setAccessibleDescription(m_sheet->plainText());
    m_copy->setVisible(hasAllocation);
    placeParts();
}

/// True if the details are about the allocation that is pinned or under the mouse, not about something that
/// was selected after it was pinned.
bool DetailsPanel::isAllocationShown() const
{
    return !m_selection.isPinned() || m_selection.subject() == Selection::Kind::Allocation;
}

/// Shows the stack of the chosen call site, or the source of the line that the details name.
void DetailsPanel::followLink(std::size_t link)
{
    if (!m_showsSites)
        return m_stack->chooseFrame(m_linked);
    m_sites.choose(link);
    refresh();
}

/// Shows the stack of an allocation, of a failed request or of a call site.
void DetailsPanel::showStack(const std::optional<AllocationFacts>& shown, bool hasAllocation)
{
    const bool hasStack = shown && shown->withoutStack.isEmpty();
    if (hasStack && std::exchange(m_shownStack, shown->stack) != shown->stack) {
        forgetFrame();
        m_stack->setStack(foldedStack(*m_analysis->trace, shown->stack));
    }
    if (hasStack && !hasAllocation)
        showIfFound(m_linked);
    m_stack->setVisible(hasStack);
    m_source->setVisible(hasStack && m_source->isFilled());
}

/// Makes the panel high enough for all its parts, so that its scroll area scrolls them as one, and gives the
/// stack the height that is left.
void DetailsPanel::placeParts()
{
    const int contentWidth = std::max(width() - 2 * kSideMargin, 1);
    m_sheet->resize(contentWidth, m_sheet->height()); // `textHeight` is the height at this width
    m_sheet->setGeometry(kSideMargin, kTopMargin, contentWidth, m_sheet->textHeight());
    const QSize button = m_copy->sizeHint();
    const int stackTop = m_sheet->geometry().bottom() + 1;
    const int sourceHeight = m_source->isHidden() ? 0 : m_source->heightAt(contentWidth);
    const int below = kTopMargin + (m_copy->isHidden() ? 0 : button.height() + kGap)
        + (sourceHeight > 0 ? sourceHeight + kGap : 0);
    setMinimumHeight(stackTop + leastStackHeight() + below);
    const int stackBottom = std::max(height(), minimumHeight()) - below;
    m_stack->setGeometry(kSideMargin, stackTop, contentWidth, stackBottom - stackTop);
    const int sourceTop = stackBottom + kGap;
    m_source->setGeometry(kSideMargin, sourceTop, contentWidth, sourceHeight);
    const int buttonTop = std::max(height(), minimumHeight()) - kTopMargin - button.height();
    m_copy->setGeometry(kSideMargin, buttonTop, button.width(), button.height());
}

/// Returns the height of all rows of the stack, folds closed; above a source, that of a few rows.
int DetailsPanel::leastStackHeight() const
{
    if (m_stack->isHidden())
        return 0;
    const int rowCount = m_source->isHidden() ? m_stack->topLevelItemCount() : kLeastStackRows;
    const QAbstractItemView& list = *m_stack;
    return rowCount * std::max(list.sizeHintForRow(0), m_stack->fontMetrics().lineSpacing()) + kGap;
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
