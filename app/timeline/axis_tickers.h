#pragma once

#include <functional>
#include <vector>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/ticks.h"

class QCPAxis;

namespace highwater::gui {

/// Makes the ticks of an axis (from core) for its range and the number of ticks wanted.
using TickMaker = std::function<Ticks(double begin, double end, int wanted)>;

/// Sets the ticks of an axis; they are made again whenever its range changes. `wanted` is their approximate
/// number.
void setTicks(QCPAxis& axis, TickMaker ticks, int wanted = 5);

/// Gives an x axis as many ticks, up to `most`, as there are labels that fit side by side. No label extends
/// beyond the widget or into the last `keptFree` pixels of the axis. The axis needs `setTicks`, its range and
/// its rectangle; `texts` must have the font of the labels.
void fitTicks(QCPAxis& axis, int most, TextCache& texts, double keptFree = 0);

struct AxisTick
{
    double at = 0; ///< position on the axis
    QString label; ///< may be empty
};

/// Returns the ticks in the range of an axis that has `setTicks`.
std::vector<AxisTick> ticksOf(const QCPAxis& axis);

/// Sets the colours of lines, labels and grid that QCustomPlot draws.
void setAxisColors(QCPAxis& axis, const ThemeColors& colors);

} // namespace highwater::gui
