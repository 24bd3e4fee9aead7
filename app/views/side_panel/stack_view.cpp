#include "app/views/side_panel/stack_view.h"

#include <utility>

#include <QFontDatabase>
#include <QTreeWidgetItemIterator>

#include "app/views/parts/arrange.h"

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
    setTextElideMode(Qt::ElideMiddle);
    setUniformRowHeights(true);
    setExpandsOnDoubleClick(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    setFont(fixed);
    connect(this, &QTreeWidget::itemClicked, this, &StackView::toggleFold);
    connect(this, &QTreeWidget::itemExpanded, this, &StackView::addFoldedItems);
    connect(this, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem* item) { showLine(*item); });
}

void StackView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    for (QTreeWidgetItemIterator at(this); *at; ++at)
        showLine(**at);
}

void StackView::setStack(std::vector<StackLine> lines)
{
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
    if (count == 1 && isFold(*topLevelItem(0)))
        topLevelItem(0)->setExpanded(true);
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

void StackView::toggleFold(QTreeWidgetItem* item)
{
    if (isFold(*item))
        item->setExpanded(!item->isExpanded());
}

bool StackView::viewportEvent(QEvent* event)
{
    const auto tipAt = [this](const QPoint& at) {
        const QTreeWidgetItem* item = itemAt(at);
        if (!item)
            return QString();
        const StackLine& line = lineOf(*item);
        return QString::fromStdString(line.place.empty() ? line.text : line.text + "\n" + line.place);
    };
    return showTip(*event, *viewport(), tipAt) || QTreeWidget::viewportEvent(event);
}

} // namespace highwater::gui
