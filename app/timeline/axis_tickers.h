#pragma once

#include <functional>
#include <vector>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/ticks.h"

class QCPAxis;

namespace highwater::gui {

/// Makes the ticks of an axis for the range [begin, end] and an approximate number of ticks. The functions of
/// core/figure that make ticks have this type.
using TickMaker = std::function<Ticks(double begin, double end, int wanted)>;

/// Sets the function that makes the ticks of an axis; it is called again whenever the range changes. `wanted`
/// is the approximate number of ticks.
void setTicks(QCPAxis& axis, TickMaker ticks, int wanted = 5);

/// Gives an x axis as many ticks as labels fit side by side: asks for `maxTicks`, and for fewer as long as
/// labels are too close. No label extends beyond the right edge of the widget, or into the last
/// `reservedWidth` pixels of the axis. Call `setTicks` and set the
/// axis's range and rectangle before; `texts` must have the font of the labels.
void fitTicks(QCPAxis& axis, int maxTicks, TextCache& texts, double reservedWidth = 0);

/// A tick of an axis with its label.
struct AxisTick
{
    double position = 0;
    QString label; ///< may be empty
};

/// Returns the ticks in the range of an axis that has `setTicks`.
std::vector<AxisTick> ticksOf(const QCPAxis& axis);

/// Sets the colours of lines, labels and grid that QCustomPlot draws.
void setAxisColors(QCPAxis& axis, const ThemeColors& colors);

} // namespace highwater::gui
