#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace highwater::gui {

/// A text as it was painted.
struct PaintedLabel
{
    QString text; ///< as painted
    QRectF rect; ///< rectangle of the text, in the widget's pixels
    QRectF area; ///< rectangle that it must stay inside
    QColor ink;
    QColor background;
    QString whole; ///< full text; if `text` is shorter, the tooltip shows it
};

/// Records every text that the timeline paints while a recorder is set. Only tests set one. While one is set,
/// views paint texts on the widget, not on a cached picture.
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
