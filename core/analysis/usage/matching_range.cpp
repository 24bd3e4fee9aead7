#include "core/analysis/usage/matching_range.h"

namespace highwater {

std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end)
{
    if (from.kind() == AxisKind::Time) {
        const auto offset = static_cast<double>(from.origin() - to.origin());
        if (begin + offset < to.end() && end + offset > to.begin())
            return {begin + offset, end + offset};
    }
    const double fromLength = from.end() - from.begin();
    const double scale = fromLength > 0 ? (to.end() - to.begin()) / fromLength : 1;
    return {to.begin() + (begin - from.begin()) * scale, to.begin() + (end - from.begin()) * scale};
}

} // namespace highwater
