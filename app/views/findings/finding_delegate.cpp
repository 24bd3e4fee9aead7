#include "app/views/findings/finding_delegate.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QTreeWidget>

#include "app/views/parts/elided_label.h"
#include "app/views/parts/plain_table.h"

namespace highwater::gui {

namespace {

constexpr int kMinimumEvidenceHeight = 24;
constexpr int kIndent = 12;
constexpr int kAsideGap = 16;
constexpr int kSelectedMark = 3;
constexpr int kLeastOfAside = 12; ///< letters; fewer say nothing ("The…", "Next…")
constexpr int kLeastOfNext = 25; ///< letters; less of the next step would not say what to do
constexpr int kAroundTexts = 5; ///< pixels above and below the texts of a row with more than one line
constexpr int kWrappedText
    = static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignTop) | static_cast<int>(Qt::TextWordWrap);

bool isEvidence(const QModelIndex& index)
{
    return index.parent().isValid();
}

/// Returns the height of a row that is not wrapped.
int lineHeight(const QModelIndex& index, const QFontMetrics& font)
{
    return std::max(
        isEvidence(index) ? kMinimumEvidenceHeight : FindingDelegate::kRowHeight, font.height() + 8);
}

/// Returns a text to wrap, with invisible places to break long settings and paths after "=", ":", "," and
/// "/".
QString breakable(QString text)
{
    static const QRegularExpression kMark(QStringLiteral("([=:,/])(?=[A-Za-z_])"));
    return text.replace(kMark, QStringLiteral("\\1\u200b"));
}

/// Returns the height of a wrapped text.
int wrappedHeight(const QString& text, int width, const QFontMetrics& font)
{
    const QRect room(0, 0, width, 10'000);
    return text.isEmpty() ? 0 : font.boundingRect(room, kWrappedText, breakable(text)).height();
}

/// Returns the width of a title before the next step, which has a third of the line if it needs that much. In
/// a narrow view the title has the whole line.
int titleRoom(int line, const QString& next, const QFontMetrics& font)
{
    const int share = std::min(line / 3, font.horizontalAdvance(next));
    const bool isNarrow = line / 3 < kLeastOfNext * font.averageCharWidth();
    return isNarrow ? line : line - share - kAsideGap;
}

QFont boldFont(QFont font)
{
    font.setBold(true);
    return font;
}

} // namespace

bool FindingDelegate::isCut(const QModelIndex& finding, int column, const QFontMetrics& font)
{
    const QString aside = finding.data(kAsideRole).toString();
    const int needed = font.horizontalAdvance(finding.data().toString())
        + (aside.isEmpty() ? 0 : kAsideGap + font.horizontalAdvance(aside));
    return needed > column - 2 * kIndent;
}

void FindingDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    painter->setFont(option.font);
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, m_colors.accentSoft);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, m_colors.window);
    // The current row has the mark before it is selected, which shows where the keyboard is.
    if (index.column() == Saves && (option.state & (QStyle::State_Selected | QStyle::State_HasFocus)))
        painter->fillRect(
            option.rect.left(), option.rect.top(), kSelectedMark, option.rect.height(), m_colors.accent);
    const QRect line(
        option.rect.topLeft(), QSize(option.rect.width(), lineHeight(index, option.fontMetrics)));
    const bool isWhole = showsLine(line, option.fontMetrics, option.widget); // the tabs may cut it
    if (isEvidence(index))
        paintEvidence(*painter, option.rect, index);
    else if (index.column() == Sentence && option.state.testFlag(QStyle::State_Open))
        paintOpenTitle(*painter, option.rect, index);
    else if (isWhole && index.column() == Sentence && index.row() < m_rowCount)
        paintTexts(*painter, option.rect, index);
    else if (isWhole && index.column() == Unfold)
        paintUnfold(*painter, line, option.state.testFlag(QStyle::State_Open));
    else if (isWhole)
        paintFinding(*painter, line, index);
    painter->restore();
}

void FindingDelegate::paintFinding(QPainter& painter, const QRect& cell, const QModelIndex& index) const
{
    const QString text = index.data().toString();
    const QString aside = index.data(kAsideRole).toString();
    switch (index.column()) {
    case Saves: {
        const QFont plain = painter.font();
        painter.setFont(boldFont(plain));
        painter.setPen(m_colors.text);
        painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, text);
        const int width = painter.fontMetrics().horizontalAdvance(text);
        painter.setFont(plain);
        painter.setPen(m_colors.quietText);
        painter.drawText(cell.adjusted(0, 0, -width - 4, 0), Qt::AlignRight | Qt::AlignVCenter, aside);
        return;
    }
    case Sentence: {
        const QRect line = cell.adjusted(kIndent, 0, -kIndent, 0);
        const QFontMetrics metrics = painter.fontMetrics();
        painter.setPen(m_colors.text);
        const int room
            = index.data(kNextRole).toBool() ? titleRoom(line.width(), aside, metrics) : line.width();
        const QString title = shortenedTo(room, text, metrics);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
        const QRect asideRect = line.adjusted(metrics.horizontalAdvance(title) + kAsideGap, 0, 0, 0);
        painter.setPen(m_colors.quietText);
        const QString shown = shortenedTo(asideRect.width(), aside, metrics);
        if (shown == aside || shown.size() >= kLeastOfAside)
            painter.drawText(asideRect, Qt::AlignLeft | Qt::AlignVCenter, shown);
        return;
    }
    default:
        painter.setPen(index.column() == Show ? m_colors.accent : m_colors.quietText);
        painter.drawText(cell, Qt::AlignCenter, text);
    }
}

/// Paints the sentence and, below it, the next step.
void FindingDelegate::paintTexts(QPainter& painter, const QRect& cell, const QModelIndex& index) const
{
    QRect room = cell.adjusted(kIndent, kAroundTexts, -kIndent, -kAroundTexts);
    const QFontMetrics metrics = painter.fontMetrics();
    const auto paintText = [&](const QString& text, const QColor& color) {
        painter.setPen(color);
        const bool isWhole = m_rows == Rows::Whole;
        painter.drawText(
            room, kWrappedText, isWhole ? breakable(text) : shortenedTo(room.width(), text, metrics));
        room.setTop(room.top() + (isWhole ? wrappedHeight(text, room.width(), metrics) : metrics.height()));
    };
    paintText(index.data().toString(), m_colors.text);
    paintText(index.data(kAsideRole).toString(), m_colors.quietText);
}

void FindingDelegate::paintOpenTitle(QPainter& painter, const QRect& cell, const QModelIndex& index) const
{
    painter.setPen(m_colors.text);
    painter.drawText(cell.adjusted(kIndent, 0, -kIndent, 0),
        static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter)
            | static_cast<int>(Qt::TextWordWrap),
        breakable(index.data().toString()));
}

void FindingDelegate::paintEvidence(QPainter& painter, const QRect& cell, const QModelIndex& index) const
{
    const QString text = index.data().toString();
    if (index.column() == Show) {
        painter.setPen(m_colors.accent);
        painter.drawText(cell.adjusted(0, 4, 0, 0), Qt::AlignHCenter | Qt::AlignTop, text);
        return;
    }
    if (index.column() != Sentence)
        return;
    painter.setPen(m_colors.quietText);
    painter.drawText(cell.adjusted(2 * kIndent, 4, -kIndent, 0), kWrappedText, breakable(text));
}

void FindingDelegate::paintUnfold(QPainter& painter, const QRect& cell, bool isOpen) const
{
    QPainterPath mark;
    mark.moveTo(-2, -4);
    mark.lineTo(2, 0);
    mark.lineTo(-2, 4);
    painter.translate(QRectF(cell).center());
    if (isOpen)
        painter.rotate(90);
    painter.setPen(QPen(m_colors.quietText, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(mark);
}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* tree = qobject_cast<const QTreeWidget*>(option.widget);
    const QFontMetrics& font = option.fontMetrics;
    const int line = lineHeight(index, font);
    if (!tree || index.column() != Sentence)
        return {0, line};
    const int width = std::max(tree->columnWidth(Sentence) - (isEvidence(index) ? 3 : 2) * kIndent, 80);
    const int text = wrappedHeight(index.data().toString(), width, font);
    if (isEvidence(index) || tree->isExpanded(index.siblingAtColumn(0)))
        return {0, std::max(line, text + 8)};
    if (index.row() >= m_rowCount)
        return {0, line};
    const QString aside = index.data(kAsideRole).toString();
    const int texts = m_rows == Rows::Whole ? text + wrappedHeight(aside, width, font)
                                            : (aside.isEmpty() ? 1 : 2) * font.height();
    return {0, texts + 2 * kAroundTexts};
}

} // namespace highwater::gui
