#include "core/analysis/usage/matching_range.h"

namespace highwater {

std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end)
{
    if (from.kind() == AxisKind::Time) {
        const auto later = static_cast<double>(from.origin() - to.origin());
        if (begin + later < to.end() && end + later > to.begin())
            return {begin + later, end + later};
    }
    const double whole = from.end() - from.begin();
    const double scale = whole > 0 ? (to.end() - to.begin()) / whole : 1;
    return {to.begin() + (begin - from.begin()) * scale, to.begin() + (end - from.begin()) * scale};
}

} // namespace highwater
