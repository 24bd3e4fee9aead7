#include "app/views/side_panel/stack_view.h"

#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTreeWidgetItemIterator>

#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"

namespace highwater::gui {

StackView::StackView(QWidget* parent)
    : QTreeWidget(parent)
    , m_colors(ThemeColors::light())
{
    named(this, "stack", tr("Stack of the allocation"));
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(14);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideRight);
    setItemDelegate(new PlaceDelegate(this)); // keeps the place of a Python frame
    setUniformRowHeights(true);
    setExpandsOnDoubleClick(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeWidget::itemClicked, this, &StackView::choose);
    connect(this, &QTreeWidget::itemExpanded, this, &StackView::addFoldedItems);
    connect(this, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem* item) { showLine(*item); });
    addCommands();
}

/// Opens the frame that the first of the two clicks chose: its source line may have moved the stack
/// meanwhile. Not done by itemActivated, which is a single click in some desktops.
void StackView::mouseDoubleClickEvent(QMouseEvent* event)
{
    QTreeWidgetItem* const item = currentItem() ? currentItem() : itemAt(event->pos());
    if (event->button() == Qt::LeftButton && item)
        open(item);
}

void StackView::addCommands()
{
    const auto add = [this](const QString& text, const char* name, const QString& tip, auto run) {
        QAction* action = addContextAction(*this, text, run);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        return action;
    };
    QAction* open = add(tr("&Open in editor"), "openFrame", tr("Open the line in your editor (Enter)"),
        [this] { emit openRequested(currentFrame()); });
    QAction* copy = add(tr("Copy &file:line"), "copyFrame", tr("Copy the path and the line as text"), [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(lineOf(*currentItem()).place));
    });
    add(tr("Copy &stack"), "copyStack", tr("Copy all frames as text"), [this] { emit copyRequested(); });
    QAction* highlight = add(tr("&Highlight all allocations through this frame"), "highlightFrame",
        tr("Search for the allocations with this frame in their stack"),
        [this] { emit highlightRequested(currentFrame()); });
    add(tr("&Choose the source folder…"), "chooseFolder",
        tr("Choose where to look for files that are not at their recorded path"),
        [this] { emit folderRequested(); });
    m_frameCommands = {open, copy, highlight};
    connect(this, &QTreeWidget::currentItemChanged, this, &StackView::offerCommands);
    offerCommands();
}

/// Enables the commands on a frame if the current row is one.
void StackView::offerCommands()
{
    for (QAction* command : m_frameCommands)
        command->setEnabled(!currentFrame().isNone());
}

FrameId StackView::currentFrame() const
{
    const QTreeWidgetItem* item = currentItem();
    return item ? lineOf(*item).frame : FrameId();
}

void StackView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    for (QTreeWidgetItemIterator item(this); *item; ++item)
        showLine(**item);
}

void StackView::setStack(std::vector<StackLine> lines)
{
    setCurrentItem(nullptr);
    for (int i = 0; i < topLevelItemCount(); ++i) {
        topLevelItem(i)->setExpanded(false);
        qDeleteAll(topLevelItem(i)->takeChildren());
    }
    m_lines = std::move(lines);
    const int count = static_cast<int>(m_lines.size());
    while (topLevelItemCount() > count)
        delete takeTopLevelItem(topLevelItemCount() - 1);
    while (topLevelItemCount() < count)
        addTopLevelItem(new QTreeWidgetItem);
    for (int i = 0; i < count; ++i) {
        QTreeWidgetItem* item = topLevelItem(i);
        item->setChildIndicatorPolicy(
            isFold(*item) ? QTreeWidgetItem::ShowIndicator : QTreeWidgetItem::DontShowIndicator);
        showLine(*item);
    }
    scrollToTop();
}

const StackLine& StackView::lineOf(const QTreeWidgetItem& item) const
{
    const std::vector<StackLine>& lines = item.parent() ? lineOf(*item.parent()).folded : m_lines;
    return lines[static_cast<std::size_t>(indexFromItem(&item).row())];
}

bool StackView::isFold(const QTreeWidgetItem& item) const
{
    return !lineOf(item).folded.empty();
}

void StackView::showLine(QTreeWidgetItem& item)
{
    const QString text = QString::fromStdString(lineOf(item).text);
    const bool fold = isFold(item);
    item.setForeground(0, fold || item.parent() ? m_colors.quietText : m_colors.accent);
    item.setText(0, fold ? (item.isExpanded() ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + text : text);
}

void StackView::addFoldedItems(QTreeWidgetItem* item)
{
    showLine(*item);
    if (item->childCount() > 0)
        return;
    for (std::size_t i = 0; i < lineOf(*item).folded.size(); ++i)
        showLine(*new QTreeWidgetItem(item));
}

void StackView::chooseFrame(FrameId frame)
{
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (!frame.isNone() && lineOf(*topLevelItem(i)).frame == frame) {
            setCurrentItem(topLevelItem(i));
            return choose(topLevelItem(i));
        }
}

void StackView::choose(QTreeWidgetItem* item)
{
    if (isFold(*item))
        item->setExpanded(!item->isExpanded());
    else if (!lineOf(*item).frame.isNone())
        emit frameChosen(lineOf(*item).frame);
}

void StackView::open(QTreeWidgetItem* item)
{
    if (!lineOf(*item).frame.isNone())
        emit openRequested(lineOf(*item).frame);
}

void StackView::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (QTreeWidgetItem* item = currentItem(); item && isEnter) {
        if (isFold(*item))
            choose(item);
        else
            open(item);
        return;
    }
    const FrameId before = currentFrame();
    QTreeWidget::keyPressEvent(event);
    const FrameId now = currentFrame();
    if (!now.isNone() && (now != before || event->key() == Qt::Key_Space))
        emit frameChosen(now);
}

bool StackView::viewportEvent(QEvent* event)
{
    const auto tipAt = [this](const QPoint& position) {
        const QTreeWidgetItem* item = itemAt(position);
        if (!item)
            return QString();
        const StackLine& line = lineOf(*item);
        return QString::fromStdString(line.place.empty() ? line.text : line.text + "\n" + line.place);
    };
    return showTip(*event, *viewport(), tipAt) || QTreeWidget::viewportEvent(event);
}

} // namespace highwater::gui
