#pragma once

#include <functional>
#include <vector>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/ticks.h"

class QCPAxis;

namespace highwater::gui {

/// Ticks of the axis from core: called with its range and with how many are wanted.
using TickMaker = std::function<Ticks(double begin, double end, int wanted)>;

/// Labels of which the longest has so many ticks, or fewer, are made anew whenever the range changes.
void setTicks(QCPAxis& axis, TickMaker ticks, int wanted = 5);

/// Gives an x axis as many ticks, up to `most`, as labels fit side by side, and no label that would stick out
/// of the widget, or lie in the last `keptFree` pixels of the axis. Needs `setTicks`, its range and its
/// rectangle; `texts` has the font of the labels.
void fitTicks(QCPAxis& axis, int most, TextCache& texts, double keptFree = 0);

struct AxisTick
{
    double at = 0; ///< on the axis
    QString label; ///< may be empty
};

/// Those in the range of an axis that has `setTicks`.
std::vector<AxisTick> ticksOf(const QCPAxis& axis);

/// Lines, labels and grid, where QCustomPlot draws them.
void setAxisColors(QCPAxis& axis, const ThemeColors& colors);

} // namespace highwater::gui
