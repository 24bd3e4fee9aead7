#include "app/views/parts/box_label.h"

#include <QPainter>

#include "app/timeline/parts/label_recorder.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text/name_text.h"

namespace highwater::gui {

namespace {

/// A shortened name with fewer characters says nothing.
constexpr qsizetype kFewestCharacters = 5;

} // namespace

QString placeOf(const QString& label)
{
    const std::string text = label.toStdString();
    const std::string_view place = fileAndLineOf(text);
    return place.empty() ? label : toQString(place);
}

QString cutFunction(const QFontMetrics& font, const QString& label, int room)
{
    if (font.horizontalAdvance(label) <= room)
        return label;
    const QString place = placeOf(label);
    if (place == label)
        return font.elidedText(label, Qt::ElideLeft, room);
    const QString ending = QStringLiteral(" (%1)").arg(place);
    const QString function = font.elidedText(
        label.left(label.size() - ending.size()), Qt::ElideRight, room - font.horizontalAdvance(ending));
    const bool isNamed = function.size() > 3; // "fo…" says nothing
    return font.elidedText(isNamed ? function + ending : place, Qt::ElideLeft, room);
}

QString cutHead(const QFontMetrics& font, const QString& label, int room)
{
    const QString separator = QStringLiteral(" · ");
    const qsizetype head = label.indexOf(separator);
    if (head < 0 || font.horizontalAdvance(label) <= room)
        return label;
    const QString tail = QChar(0x2026) + label.mid(head + separator.size());
    return font.elidedText(tail, Qt::ElideRight, room);
}

QString fittingLabel(const QFontMetrics& font, const QString& label, const QString& size, int room)
{
    const QString place = placeOf(label);
    const bool hasPlace = place != label;
    const QString ending = size.isEmpty() ? size : QStringLiteral("  ") + size;
    const auto fits = [&](const QString& text) { return font.horizontalAdvance(text) <= room; };
    if (fits(label + ending))
        return label + ending;
    const int labelRoom = room - font.horizontalAdvance(ending);
    const QString cut
        = hasPlace ? cutFunction(font, label, labelRoom) : font.elidedText(label, Qt::ElideRight, labelRoom);
    if (cut.size() >= kFewestCharacters + (hasPlace ? place.size() : 0))
        return cut + ending;
    if (!hasPlace) {
        const QString name = font.elidedText(label, Qt::ElideRight, room);
        return name.size() >= kFewestCharacters ? name : QString();
    }
    for (const QString& text : {place + ending, place})
        if (fits(text))
            return text;
    return {};
}

void paintBoxLabel(QPainter& painter, const QRectF& box, const QColor& band, Ground ground,
    const QString& text, const QString& whole)
{
    if (text.isEmpty())
        return;
    const LabelColors colors = labelColorsOn(band.rgb() & 0xffffff, ground);
    const QColor ink = QColor::fromRgb(colors.ink);
    const QColor background = QColor::fromRgb(colors.plate);
    const QFontMetricsF font(painter.font());
    const QRectF place(
        box.left(), box.center().y() - font.height() / 2, font.horizontalAdvance(text), font.height());
    painter.fillRect(place, background); // hatching would cross the letters
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({text, place, box, ink, background, whole});
}

} // namespace highwater::gui
