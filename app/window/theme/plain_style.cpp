#include "app/window/theme/plain_style.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QFileDialog>
#include <QHeaderView>
#include <QPainter>
#include <QRegularExpression>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>

#include "app/views/parts/line_icon.h"
#include "app/views/parts/plain_table.h"

namespace highwater::gui {

namespace {

constexpr double kCorner = 4;
constexpr double kIndicatorCorner = 2;
constexpr int kTypeColumn = 2; ///< of the files in a file dialog
constexpr int kDateColumn = 3;
constexpr int kFileDialogLetters = 130; ///< the least width at which a file dialog opens
constexpr double kStroke = 1.25;

void drawChevron(QPainter& painter, const QRectF& where, const QColor& color, bool isUp)
{
    constexpr double half = 3.5;
    const double tip = isUp ? -half / 2 : half / 2;
    const QPointF middle = where.center();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(
        QPolygonF({middle + QPointF(-half, -tip), middle + QPointF(0, tip), middle + QPointF(half, -tip)}));
    painter.restore();
}

bool isEnabled(const QStyleOption& option)
{
    return option.state.testFlag(QStyle::State_Enabled);
}

/// Returns the part of a header section or cell that its view shows: the last column may reach further.
QRect shownPart(const QRect& rect, const QWidget* widget)
{
    const auto* const view = qobject_cast<const QAbstractScrollArea*>(widget);
    return view ? rect.intersected(view->viewport()->rect()) : rect;
}

/// Returns true for views with columns, and for their headers.
bool hasColumns(const QWidget* widget)
{
    const auto* const tree = qobject_cast<const QTreeView*>(widget);
    const auto* const header = qobject_cast<const QHeaderView*>(widget);
    return qobject_cast<const QTableView*>(widget)
        || (tree && tree->header() && !tree->isHeaderHidden()) // a tree being made has no header yet
        || (header && header->orientation() == Qt::Horizontal);
}

/// Returns true for a column of numbers of which the edge of the view leaves a part. It is not shown, title
/// included: some of its numbers would fit and some would not.
bool isCutColumn(const QRect& whole, const QRect& shown, Qt::Alignment alignment)
{
    return alignment.testFlag(Qt::AlignRight) && shown.width() < whole.width();
}

/// Returns a text that fits: a cut number would be another number, so a number becomes an ellipsis. Where the
/// edge of the view leaves only some letters, nothing is better.
QString fitting(
    const QString& text, const QFontMetrics& font, int room, Qt::Alignment alignment, bool isAtEdge)
{
    constexpr int fewestLetters = 8;
    if (font.horizontalAdvance(text) <= room)
        return text;
    if (isAtEdge && room < fewestLetters * font.averageCharWidth())
        return {};
    if (!alignment.testFlag(Qt::AlignRight))
        return font.elidedText(text, Qt::ElideRight, room);
    return QStringLiteral("…");
}

/// Shows the dates of a file dialog without their seconds.
class MinuteDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QString displayText(const QVariant& value, const QLocale& locale) const override
    {
        static const QRegularExpression kSeconds(QStringLiteral("(?<=:\\d\\d):\\d\\d"));
        return QStyledItemDelegate::displayText(value, locale).remove(kSeconds);
    }
};

/// Makes the columns as wide as their texts, since any part of a name may tell it from others, and the dialog
/// wide enough for long names. The platform's own dialog has no columns here.
void fitColumns(QFileDialog& dialog)
{
    auto* const files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
    if (!files || files->header()->count() == 0)
        return;
    files->header()->setStretchLastSection(false);
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    files->header()->hideSection(kTypeColumn);
    files->setItemDelegateForColumn(kDateColumn, new MinuteDelegate(files));
    const int width = kFileDialogLetters * dialog.fontMetrics().averageCharWidth();
    dialog.resize(dialog.size().expandedTo({width, 0}));
}

} // namespace

PlainStyle::PlainStyle(const ThemeColors& colors)
    : QProxyStyle(QStringLiteral("Fusion"))
    , m_colors(colors)
{
}

void PlainStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* const dialog = qobject_cast<QFileDialog*>(widget))
        fitColumns(*dialog);
}

int PlainStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const
{
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0
                                                       : QProxyStyle::styleHint(hint, option, widget, answer);
}

int PlainStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    // The style adds a pixel to this margin of the texts in cells.
    return metric == PM_FocusFrameHMargin && hasColumns(widget)
        ? kCellPadding - 1
        : QProxyStyle::pixelMetric(metric, option, widget);
}

/// The arrow of sorting is in the padding, so that the title of a sorted column stays above its numbers.
QRect PlainStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    if (hasColumns(widget) && element == SE_HeaderLabel)
        return option->rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    if (hasColumns(widget) && element == SE_HeaderArrow)
        return option->rect.adjusted(option->rect.width() - kCellPadding, 0, 0, 0);
    return QProxyStyle::subElementRect(element, option, widget);
}

/// Makes rows of one height in all views with columns.
QSize PlainStyle::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const auto* const item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    if (type == CT_ItemViewItem && item && hasColumns(widget))
        return result.expandedTo({0, tableRowHeight(item->fontMetrics)});
    const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (type == CT_HeaderSection && header && hasColumns(widget))
        result.setWidth(header->fontMetrics.size(0, header->text).width() + 2 * kCellPadding);
    return result;
}

QIcon PlainStyle::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const
{
    if (icon == SP_TitleBarCloseButton || icon == SP_DockWidgetCloseButton || icon == SP_LineEditClearButton)
        return lineIcon(LineIcon::Close);
    const bool isMessage = icon >= SP_MessageBoxInformation && icon <= SP_MessageBoxQuestion;
    return isMessage ? QIcon() : QProxyStyle::standardIcon(icon, option, widget);
}

void PlainStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const QColor ink = isEnabled(*option) ? m_colors.text : m_colors.disabledText;
    switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: drawIndicator(*painter, *option, false); return;
    case PE_IndicatorRadioButton: drawIndicator(*painter, *option, true); return;
    case PE_IndicatorArrowDown: drawChevron(*painter, option->rect, ink, false); return;
    case PE_IndicatorArrowUp: drawChevron(*painter, option->rect, ink, true); return;
    case PE_FrameFocusRect:
        // Buttons and tabs show the focus by their edge, and views only where the keyboard moved it.
        if (!qobject_cast<const QAbstractButton*>(widget) && !qobject_cast<const QTabBar*>(widget)
            && (!qobject_cast<const QAbstractItemView*>(widget)
                || widget->window()->testAttribute(Qt::WA_KeyboardFocusChange)))
            drawFocus(*painter, *option);
        return;
    case PE_IndicatorHeaderArrow:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
            header && header->sortIndicator != QStyleOptionHeader::None)
            // Qt says SortDown of an ascending order. It points up, as on Windows, macOS and in GTK 4.
            drawChevron(
                *painter, option->rect, m_colors.text, header->sortIndicator == QStyleOptionHeader::SortDown);
        return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

/// Draws an outline, unless it is that of a cell in a selected row, which shows enough.
void PlainStyle::drawFocus(QPainter& painter, const QStyleOption& option) const
{
    if (option.state.testFlag(State_Selected))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_colors.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(
        QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), kIndicatorCorner, kIndicatorCorner);
    painter.restore();
}

/// Draws a box or a circle with an outline that is visible on every theme; filled with the accent if checked.
void PlainStyle::drawIndicator(QPainter& painter, const QStyleOption& option, bool isRound) const
{
    const bool isOn = option.state & (State_On | State_NoChange);
    const QColor accent = isEnabled(option) ? m_colors.accent : m_colors.disabledText;
    const QColor outline = isEnabled(option) ? m_colors.quietText : m_colors.disabledText;
    const double side = std::min(option.rect.width(), option.rect.height()) - 1.0;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option.rect).center());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isOn ? accent : outline, 1));
    painter.setBrush(isOn ? accent : m_colors.surface);
    const double corner = isRound ? side / 2 : kIndicatorCorner;
    painter.drawRoundedRect(box, corner, corner);
    painter.setPen(QPen(m_colors.surface, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&](double x, double y) { return box.topLeft() + QPointF(x, y) * side; };
    if (isOn && isRound) {
        painter.setBrush(m_colors.surface);
        painter.drawEllipse(box.center(), side / 8, side / 8);
    } else if (option.state.testFlag(State_NoChange)) {
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
    } else if (isOn) {
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(QPolygonF({at(0.24, 0.52), at(0.43, 0.72), at(0.77, 0.3)}));
    }
    if (option.state.testFlag(State_HasFocus)) {
        painter.setPen(QPen(m_colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), corner, corner);
    }
    painter.restore();
}

void PlainStyle::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    if (element == CE_HeaderSection || element == CE_HeaderEmptyArea)
        drawHeader(*painter, *option);
    else if (element == CE_HeaderLabel || element == CE_ComboBoxLabel || element == CE_ItemViewItem)
        drawShortened(element, *option, *painter, widget);
    else
        QProxyStyle::drawControl(element, option, painter, widget);
}

/// Ends a text that does not fit with an ellipsis, where Fusion would cut a letter.
void PlainStyle::drawShortened(
    ControlElement element, const QStyleOption& option, QPainter& painter, const QWidget* widget) const
{
    const auto ended = [&option](const QString& text, int room) {
        return option.fontMetrics.elidedText(text, Qt::ElideRight, room);
    };
    if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(&option)) {
        QStyleOptionHeader shown = *header;
        shown.version = QStyleOptionHeader::Version;
        shown.rect = shownPart(header->rect, widget);
        shown.text = fitting(header->text, option.fontMetrics, shown.rect.width(), Qt::AlignLeft,
            shown.rect.width() < header->rect.width());
        if (hasColumns(widget) && isCutColumn(header->rect, shown.rect, header->textAlignment))
            shown.text.clear();
        QProxyStyle::drawControl(element, &shown, &painter, widget);
    } else if (const auto* const box = qstyleoption_cast<const QStyleOptionComboBox*>(&option)) {
        QStyleOptionComboBox shown = *box;
        const QRect field = proxy()->subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget);
        shown.currentText = ended(box->currentText, field.width() - 2);
        QProxyStyle::drawControl(element, &shown, &painter, widget);
    } else if (const auto* const item = qstyleoption_cast<const QStyleOptionViewItem*>(&option)) {
        QStyleOptionViewItem shown = *item;
        shown.palette.setBrush(QPalette::HighlightedText, shown.palette.brush(QPalette::Text));
        const QRect visible = shownPart(item->rect, widget);
        const bool isAtEdge = visible.width() < item->rect.width();
        const int room = visible.width() - 2 * (proxy()->pixelMetric(PM_FocusFrameHMargin, item, widget) + 1);
        if (hasColumns(widget) && (isAtEdge || item->displayAlignment.testFlag(Qt::AlignRight)))
            shown.text = fitting(item->text, item->fontMetrics, room, item->displayAlignment, isAtEdge);
        if (hasColumns(widget)
            && (isCutColumn(item->rect, visible, item->displayAlignment)
                || !showsLine(item->rect, item->fontMetrics, widget)))
            shown.text.clear();
        shown.rect.setLeft(visible.left());
        shown.rect.setRight(visible.right());
        QProxyStyle::drawControl(element, &shown, &painter, widget);
    }
}

void PlainStyle::drawHeader(QPainter& painter, const QStyleOption& option) const
{
    const bool isHovered = option.state.testFlag(State_MouseOver) && isEnabled(option);
    painter.fillRect(option.rect, isHovered ? m_colors.hover : m_colors.window);
    const QRect& rect = option.rect;
    if (option.state.testFlag(State_Horizontal))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, m_colors.border);
    else
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), m_colors.border);
}

void PlainStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    if (control == CC_ComboBox)
        drawComboBox(*painter, *option, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void PlainStyle::drawComboBox(
    QPainter& painter, const QStyleOptionComplex& option, const QWidget* widget) const
{
    const bool hasFocus = option.state.testFlag(State_HasFocus);
    const bool isHovered = option.state.testFlag(State_MouseOver) && isEnabled(option);
    const double width = hasFocus ? 2 : 1;
    const double inset = width / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus ? m_colors.accent : m_colors.border, width));
    painter.setBrush(isHovered ? m_colors.hover : m_colors.surface);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), kCorner, kCorner);
    painter.restore();
    drawChevron(painter, proxy()->subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget),
        isEnabled(option) ? m_colors.text : m_colors.disabledText, false);
}

} // namespace highwater::gui
