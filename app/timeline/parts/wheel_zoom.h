#pragma once

#include <cmath>

#include <QWheelEvent>

namespace highwater::gui {

/// The angle of one notch of a mouse wheel, as Qt counts it.
inline constexpr double kWheelNotch = 120;

/// Returns the factor by which a turn of the wheel scales the part of an axis in view: below 1, which zooms
/// in, if the wheel turns away from the user.
inline double wheelZoomFactor(const QWheelEvent& event)
{
    constexpr double perNotch = 1.25;
    return std::pow(perNotch, -event.angleDelta().y() / kWheelNotch);
}

} // namespace highwater::gui
