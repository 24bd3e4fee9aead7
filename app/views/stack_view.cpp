#include "app/views/stack_view.h"

#include <QFontDatabase>
#include <QHeaderView>

#include "app/workspace/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kFoldText = Qt::UserRole;
}

StackView::StackView(QWidget* parent)
    : QTreeWidget(parent)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("stack"));
    setAccessibleName(tr("Stack of the allocation"));
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(14);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideMiddle);
    setUniformRowHeights(true);
    setExpandsOnDoubleClick(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeWidget::itemClicked, this, &StackView::toggle);
    connect(this, &QTreeWidget::itemExpanded, this, &StackView::markFold);
    connect(this, &QTreeWidget::itemCollapsed, this, &StackView::markFold);
}

void StackView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = topLevelItem(i);
        item->setForeground(0, item->childCount() > 0 ? m_colors.quietText : m_colors.accent);
        for (int k = 0; k < item->childCount(); ++k)
            item->child(k)->setForeground(0, m_colors.quietText);
    }
}

void StackView::setStack(const std::vector<StackLine>& lines)
{
    clear();
    for (const StackLine& line : lines)
        addLine(line, lines.size() == 1);
    setColors(m_colors);
}

void StackView::addLine(const StackLine& line, bool open)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    const auto fill = [&](QTreeWidgetItem* item, const StackLine& of) {
        item->setText(0, QString::fromStdString(of.text));
        item->setToolTip(0, QString::fromStdString(of.place.empty() ? of.text : of.text + "\n" + of.place));
        item->setFont(0, fixed);
    };
    auto* item = new QTreeWidgetItem(this);
    fill(item, line);
    for (const StackLine& inner : line.folded)
        fill(new QTreeWidgetItem(item), inner);
    if (line.folded.empty())
        return;
    item->setData(0, kFoldText, item->text(0));
    item->setExpanded(open);
    markFold(item);
}

void StackView::markFold(QTreeWidgetItem* item)
{
    const QString text = item->data(0, kFoldText).toString();
    if (!text.isEmpty())
        item->setText(0, (item->isExpanded() ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + text);
}

void StackView::toggle(QTreeWidgetItem* item)
{
    if (item->childCount() > 0)
        item->setExpanded(!item->isExpanded());
}

} // namespace highwater::gui
