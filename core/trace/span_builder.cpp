#include "core/trace/span_builder.h"

#include <algorithm>
#include <limits>

#include "core/base/hash.h"

namespace highwater {

namespace {

SpanKind kindOf(std::string_view name)
{
    return name.starts_with("ProfilerStep#") ? SpanKind::ProfilerStep : SpanKind::Annotation;
}

struct TimeBounds
{
    Nanoseconds first = 0;
    Nanoseconds last = 0;
};

TimeBounds boundsOf(std::span<const AnnotationMark> marks)
{
    const auto byTime = [](const AnnotationMark& a, const AnnotationMark& b) { return a.time < b.time; };
    const auto [first, last] = std::minmax_element(marks.begin(), marks.end(), byTime);
    return {first->time, last->time};
}

void assignDepths(std::vector<Span>& spans)
{
    std::vector<Nanoseconds> openEnds; // ends of the spans that are open at the current one's begin
    for (Span& span : spans) {
        while (!openEnds.empty()
            && (openEnds.back() < span.begin || (openEnds.back() == span.begin && span.end != span.begin)))
            openEnds.pop_back();
        span.depth = static_cast<std::uint16_t>(
            std::min<std::size_t>(openEnds.size(), std::numeric_limits<std::uint16_t>::max()));
        openEnds.push_back(span.end);
    }
}

} // namespace

std::vector<Span> spansFromMarks(std::span<const AnnotationMark> marks, const StringPool& strings)
{
    std::vector<Span> spans;
    if (marks.empty())
        return spans;
    spans.reserve(marks.size() / 2 + 1);
    const TimeBounds bounds = boundsOf(marks);
    NumberMap<std::uint32_t, std::vector<std::size_t>> open; // indices of the open spans, by name
    for (const AnnotationMark& mark : marks) {
        Span span{kindOf(strings.view(mark.name)), mark.name, mark.deviceOrdinal, Span::kAnyProcess,
            mark.time, bounds.last, false, true, 0};
        std::vector<std::size_t>& openSpans = open[mark.name.value()];
        if (mark.isStart) {
            openSpans.push_back(spans.size());
            spans.push_back(span);
        } else if (!openSpans.empty()) {
            spans[openSpans.back()].end = mark.time;
            spans[openSpans.back()].endMissing = false;
            openSpans.pop_back();
        } else {
            span.begin = bounds.first;
            span.end = mark.time;
            span.beginMissing = true;
            span.endMissing = false;
            spans.push_back(span);
        }
    }
    orderSpans(spans);
    return spans;
}

void orderSpans(std::vector<Span>& spans)
{
    std::ranges::stable_sort(spans,
        [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    assignDepths(spans);
}

} // namespace highwater
