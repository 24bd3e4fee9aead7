#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace highwater::gui {

/// A painted text with its place and colours, all in pixels of the widget.
struct PaintedLabel
{
    QString text; ///< as painted
    QRectF rect; ///< rectangle of the text, in the widget's pixels
    QRectF area; ///< rectangle that it must stay inside
    QColor ink;
    QColor background;
    QString whole; ///< `text` before it was shortened
};

/// Receives texts with the places where they are painted, so that tests can check overlaps and contrast.
/// Texts of the axes are not recorded, and of the lanes only texts inside bars. Only tests set `current()`;
/// the caller owns the recorder. While one is set, a view that keeps a picture paints on the widget instead.
class LabelRecorder
{
public:
    virtual ~LabelRecorder() = default;
    virtual void record(const PaintedLabel& label) = 0;

    static LabelRecorder*& current()
    {
        static LabelRecorder* recorder = nullptr;
        return recorder;
    }
};

} // namespace highwater::gui
