#include "app/views/compare/row_stack.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QToolButton>
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
    , m_previous(named(new QToolButton(this), "previousStack", {}, tr("Previous stack of the row")))
    , m_place(named(new QLabel(this), "stackPlace"))
    , m_next(named(new QToolButton(this), "nextStack", {},
          tr("Next stack of the row: fewer bytes, or the other side")))
    , m_stack(new StackView(this))
{
    setObjectName(QStringLiteral("rowStack"));
    m_title->setProperty("quiet", true);
    named(m_stack, "rowStackFrames", tr("Stack of the selected row"));
    m_previous->setText(QStringLiteral("‹"));
    m_next->setText(QStringLiteral("›"));
    for (QToolButton* button : {m_previous, m_next})
        button->setAutoRaise(true);
    m_place->setProperty("quiet", true);
    auto* top = layRow(nullptr, {{m_title, 1}, m_previous, m_place, m_next}, {{}, 4});
    layColumn(this, {top, {m_stack, 1}}, {{10, 4, 10, 4}, 2});
    connect(m_previous, &QToolButton::clicked, this, [this] { turnTo(m_shown - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { turnTo(m_shown + 1); });
    connect(m_stack, &StackView::openRequested, this, &RowStack::openFrame);
    connect(m_stack, &StackView::copyRequested, this, &RowStack::copy);
    connect(m_stack, &StackView::folderRequested, this, &RowStack::askForFolder);
    connect(&m_lookup, &SourceLookup::answered, this, &RowStack::openSource);
    for (QAction* action : m_stack->actions())
        if (action->objectName() == QLatin1String("highlightFrame"))
            action->setVisible(false); // two runs cannot be searched
    hide();
}

void RowStack::show(std::vector<Entry> entries)
{
    m_lookup.drop();
    m_entries = std::move(entries);
    for (QWidget* part : std::initializer_list<QWidget*>{m_previous, m_place, m_next})
        part->setVisible(m_entries.size() > 1);
    if (!m_entries.empty())
        turnTo(0);
    setVisible(!m_entries.empty());
}

void RowStack::turnTo(std::size_t entry)
{
    m_lookup.drop();
    m_shown = entry;
    m_title->setText(m_entries[entry].title);
    m_place->setText(tr("%1 of %2").arg(entry + 1).arg(m_entries.size()));
    m_previous->setEnabled(entry > 0);
    m_next->setEnabled(entry + 1 < m_entries.size());
    m_stack->setStack(foldedStack(*m_entries[entry].trace, m_entries[entry].stack));
}

void RowStack::setColors(const ThemeColors& colors)
{
    m_stack->setColors(colors);
}

void RowStack::openFrame(FrameId frame)
{
    if (!m_entries.empty())
        m_lookup.ask(m_entries[m_shown].trace, frame);
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
    if (!m_entries.empty())
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(plainStack(*m_entries[m_shown].trace, m_entries[m_shown].stack)));
}

} // namespace highwater::gui
