#pragma once

#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The start or the end of a named range, as the recorder writes it.
struct AnnotationMark
{
    StringId name;
    std::int64_t deviceOrdinal = 0;
    Nanoseconds time = 0;
    bool isStart = true;
};

/// Pairs each END mark with the latest open START mark of the same name. Returns spans sorted by begin,
/// outer before inner, with their depths. An END without START begins at the first mark's time, a START
/// without END ends at the last mark's time; both are flagged. Marks of several threads may interleave, so
/// ranges need not nest. Names of the form "ProfilerStep#N" become SpanKind::ProfilerStep. O(marks ×
/// log(marks)).
std::vector<Span> spansFromMarks(std::span<const AnnotationMark> marks, const StringPool& strings);

/// Sorts spans by begin, outer before inner, and sets their depths. O(n log n).
void orderSpans(std::vector<Span>& spans);

} // namespace highwater
