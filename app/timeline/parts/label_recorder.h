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
    QRectF rect; ///< what it fills, in the widget's pixels
    QRectF area; ///< what it must stay in
    QColor ink;
    QColor background;
    QString whole; ///< what it stands for; where `text` is shorter, the tooltip has it
};

/// Hears of every text that the timeline paints, while one is set: how tests see them. Nobody does in the
/// program. While one is set, views paint texts onto the widget, not onto a picture that they keep.
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
