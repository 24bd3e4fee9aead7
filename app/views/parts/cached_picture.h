#pragma once

#include <functional>

#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include "app/timeline/parts/label_recorder.h"

namespace highwater::gui {

/// Caches what a widget painted as a pixmap, until the size or the pixel ratio changes or `drop` is called.
class CachedPicture
{
public:
    void drop() { m_picture = {}; }

    /// Draws the cached picture on the widget. Calls `paint` before if nothing is cached. While a
    /// LabelRecorder records texts, or the widget is recorded for a picture to copy or save, calls `paint` on
    /// the widget instead.
    void show(QPainter& painter, const QWidget& widget, const std::function<void(QPainter&)>& paint)
    {
        const bool isRecorded = painter.paintEngine()->type() == QPaintEngine::Picture;
        if (LabelRecorder::current() || isRecorded)
            return paint(painter);
        const double ratio = widget.devicePixelRatioF();
        const QSize size = widget.size() * ratio;
        if (m_picture.size() != size || m_picture.devicePixelRatio() != ratio) {
            m_picture = QPixmap(size);
            m_picture.setDevicePixelRatio(ratio);
            QPainter cachePainter(&m_picture);
            cachePainter.setFont(widget.font());
            paint(cachePainter);
        }
        painter.drawPixmap(0, 0, m_picture);
    }

private:
    QPixmap m_picture;
};

} // namespace highwater::gui
