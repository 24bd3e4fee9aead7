#include "core/analysis/usage/range_figures.h"

namespace highwater {

RangeFigures rangeFigures(
    const AllocationTable& allocations, const UsageCurve& curve, std::int64_t first, std::int64_t last)
{
    RangeFigures figures;
    figures.first = first;
    figures.last = last;
    figures.peak = curve.peak(first, last);
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        const std::int64_t birth = allocations.birth(i);
        const std::int64_t death = allocations.death(i);
        if (birth >= last)
            break; // the table is sorted by birth
        if (death < first)
            continue;
        const bool bornHere = birth >= first;
        const bool freedHere = death < last;
        const Bytes bytes = allocations.bytes(i);
        if (!bornHere)
            figures.atBegin.add(bytes);
        if (bornHere)
            figures.born.add(bytes);
        if (freedHere)
            figures.freed.add(bytes);
        if (bornHere && freedHere)
            figures.bornAndFreed.add(bytes);
        if (bornHere && !freedHere)
            figures.surviving.add(bytes);
        if (!freedHere)
            figures.atEnd.add(bytes);
    }
    return figures;
}

} // namespace highwater
