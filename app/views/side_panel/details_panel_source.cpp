#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QScrollArea>
#include <QTimer>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/source_view.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/source/editor_command.h"
#include "core/analysis/categories/allocation_filter.h"

// The source of the frame that the user chooses in the stack.

namespace highwater::gui {

namespace {

/// Scrolls the nearest scroll area around the widget so that all of the widget is in view.
void scrollTo(QWidget& widget)
{
    for (QWidget* ancestor = widget.parentWidget(); ancestor; ancestor = ancestor->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(ancestor)) {
            area->ensureWidgetVisible(&widget, 0, 0);
            return;
        }
}

} // namespace

void DetailsPanel::connectFrames()
{
    connect(m_sheet, &FactSheet::linkFollowed, this, &DetailsPanel::followLink);
    connect(m_stack, &StackView::frameChosen, this, &DetailsPanel::chooseFrame);
    connect(m_stack, &StackView::openRequested, this, &DetailsPanel::openFrame);
    connect(m_stack, &StackView::highlightRequested, this, &DetailsPanel::requestSearch);
    connect(m_stack, &StackView::copyRequested, this, &DetailsPanel::copyStack);
    connect(m_stack, &StackView::folderRequested, this, &DetailsPanel::askForFolder);
    connect(m_source, &SourceView::folderRequested, this, &DetailsPanel::askForFolder);
    connect(m_source, &SourceView::openRequested, this, &DetailsPanel::openSource);
    connect(&m_lookup, &SourceLookup::answered, this, &DetailsPanel::showSource);
}

void DetailsPanel::chooseFrame(FrameId frame)
{
    m_isFrameChosen = true;
    // A double click chooses its frame twice; the second time must not undo what opening it has shown.
    if (std::exchange(m_frame, frame) == frame && (m_lookup.isBusy() || m_source->isFilled()))
        return;
    m_opensWhenFound = false;
    m_lookup.ask(m_analysis->trace, frame);
}

/// Shows the source of a frame that the user has not asked for, unless another one is shown.
void DetailsPanel::showIfFound(FrameId frame)
{
    if (frame.isNone() || !m_frame.isNone())
        return;
    m_frame = frame;
    m_isFrameChosen = false;
    m_lookup.ask(m_analysis->trace, frame);
}

void DetailsPanel::openFrame(FrameId frame)
{
    chooseFrame(frame);
    if (m_lookup.isBusy())
        m_opensWhenFound = true;
    else
        openSource();
}

void DetailsPanel::showSource(const SourceAnswer& answer)
{
    if (!m_isFrameChosen && !answer.lines)
        return;
    m_answer = answer;
    m_source->show(answer);
    m_source->setVisible(m_stack->isVisibleTo(this));
    if (std::exchange(m_opensWhenFound, false))
        openSource();
    placeParts();
    // The scroll area learns of the new height when its events are processed.
    if (m_isFrameChosen)
        QTimer::singleShot(0, m_source, [this] { scrollTo(*m_source); });
}

/// Opens the shown source. A reason why there are no lines stays on screen, unless the file cannot be opened.
void DetailsPanel::openSource()
{
    const QString failure = m_answer.path.empty()
        ? tr("Not opened: the file is not on this machine")
        : openInEditor(QFile::decodeName(m_answer.path.c_str()), m_answer.line);
    if (m_answer.problem.empty() || (!failure.isEmpty() && !m_answer.path.empty()))
        m_source->setProblem(failure);
    placeParts();
}

void DetailsPanel::forgetFrame()
{
    m_lookup.drop();
    m_frame = {};
    m_opensWhenFound = false;
    m_source->clear();
}

void DetailsPanel::askForFolder()
{
    const QString folder
        = QFileDialog::getExistingDirectory(this, tr("Choose the source folder"), SourceLookup::folder());
    if (folder.isEmpty())
        return;
    SourceLookup::setFolder(folder);
    if (!m_analysis || m_frame.isNone())
        return;
    m_isFrameChosen = true;
    m_lookup.ask(m_analysis->trace, m_frame);
}

void DetailsPanel::requestSearch(FrameId frame)
{
    const Trace& trace = *m_analysis->trace;
    const Frame wanted = trace.stacks.frame(frame);
    emit searchRequested(QString::fromStdString(
        frameFilterText(trace.text(wanted.function), trace.text(wanted.file), wanted.line)));
}

void DetailsPanel::copyStack()
{
    if (m_analysis && !m_shownStack.isNone())
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(plainStack(*m_analysis->trace, m_shownStack)));
}

} // namespace highwater::gui
