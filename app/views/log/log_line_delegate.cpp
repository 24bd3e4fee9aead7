#include "app/views/log/log_line_delegate.h"

#include <algorithm>

#include <QRegularExpression>

#include "app/models/log_model.h"

namespace highwater::gui {

QString cutAroundAmounts(const QString& line, qsizetype characters)
{
    // This many characters before an amount are shown with it, because they usually name it.
    constexpr qsizetype kContext = 22;
    static const QRegularExpression kAmount(QStringLiteral("\\d+(?:\\.\\d+)? ?[KMGT]i?B\\b"));
    if (line.size() <= characters)
        return line;
    qsizetype first = -1;
    qsizetype end = 0;
    for (auto match = kAmount.globalMatch(line); match.hasNext();) {
        const QRegularExpressionMatch amount = match.next();
        first = first < 0 ? amount.capturedStart() : first;
        end = amount.capturedEnd();
    }
    const qsizetype head = characters / 4;
    if (first < 0 || end < characters)
        return line;
    const qsizetype wordBegin = line.indexOf(QLatin1Char(' '), std::max<qsizetype>(first - kContext, 0)) + 1;
    const qsizetype tail = wordBegin > 0 && wordBegin <= first ? wordBegin : first;
    return tail > head + 1 ? line.left(head) + QStringLiteral("…") + line.mid(tail) : line;
}

void LogLineDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto* log = qobject_cast<const LogModel*>(index.model());
    if (!log || log->kindOf(index.row()) == LogLineKind::Plain)
        return;
    // The size hint is asked for without a rectangle.
    const int width = option->rect.width() - option->decorationSize.width() * (option->icon.isNull() ? 0 : 1);
    if (option->rect.width() > 0 && width > 0)
        option->text
            = cutAroundAmounts(option->text, width / std::max(option->fontMetrics.averageCharWidth(), 1));
}

} // namespace highwater::gui
