#pragma once

#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "core/figure/drawing/note_flag.h"

namespace highwater::gui {

/// Numbered flags of notes in a chart of series.
class SeriesNotes : public QCPLayerable
{
public:
    explicit SeriesNotes(QCustomPlot* chart);

    /// Notes and where they lie on the x axis, from left to right.
    using Places = std::vector<std::pair<double, NoteFlag>>;
    void setPlaces(Places places) { m_places = std::move(places); }
    const Places& places() const { return m_places; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void draw(QCPPainter* painter) override;

private:
    Places m_places;
};

} // namespace highwater::gui
