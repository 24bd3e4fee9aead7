#include "app/views/compare/row_stack.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QToolTip>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/source/editor_command.h"
#include "core/analysis/stacks/folded_stack.h"

namespace highwater::gui {

RowStack::RowStack(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_stack(new StackView(this))
{
    setObjectName(QStringLiteral("rowStack"));
    m_title->setProperty("quiet", true);
    named(m_stack, "rowStackFrames", tr("Stack of the selected row"));
    layColumn(this, {m_title, {m_stack, 1}}, {{10, 4, 10, 4}, 2});
    connect(m_stack, &StackView::openRequested, this, &RowStack::openFrame);
    connect(m_stack, &StackView::copyRequested, this, &RowStack::copy);
    connect(m_stack, &StackView::folderRequested, this, &RowStack::askForFolder);
    connect(&m_lookup, &SourceLookup::answered, this, &RowStack::openSource);
    for (QAction* action : m_stack->actions())
        if (action->objectName() == QLatin1String("highlightFrame"))
            action->setVisible(false); // two runs cannot be searched
    hide();
}

void RowStack::show(const QString& title, std::shared_ptr<const Trace> trace, StackId stack)
{
    m_trace = std::move(trace);
    m_shown = stack;
    m_lookup.drop();
    m_title->setText(title);
    m_stack->setStack(foldedStack(*m_trace, stack));
    setVisible(true);
}

void RowStack::clear()
{
    m_lookup.drop();
    m_trace.reset();
    m_shown = {};
    hide();
}

void RowStack::setColors(const ThemeColors& colors)
{
    m_stack->setColors(colors);
}

void RowStack::openFrame(FrameId frame)
{
    if (m_trace)
        m_lookup.ask(m_trace, frame);
}

void RowStack::openSource(const SourceAnswer& answer)
{
    const QString failure = answer.path.empty()
        ? tr("Not opened: the file is not on this machine")
        : openInEditor(QFile::decodeName(answer.path.c_str()), answer.line);
    if (!failure.isEmpty())
        QToolTip::showText(m_stack->mapToGlobal(QPoint(0, m_stack->height())), failure, m_stack);
}

void RowStack::askForFolder()
{
    const QString folder
        = QFileDialog::getExistingDirectory(this, tr("Choose the source folder"), SourceLookup::folder());
    if (!folder.isEmpty())
        SourceLookup::setFolder(folder);
}

void RowStack::copy() const
{
    if (m_trace && !m_shown.isNone())
        QGuiApplication::clipboard()->setText(QString::fromStdString(plainStack(*m_trace, m_shown)));
}

} // namespace highwater::gui
