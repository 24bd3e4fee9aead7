#include "core/analysis/budget/gpu_need.h"

#include <fmt/format.h>

#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Adds the memory outside PyTorch to bytes that do not include it.
GpuNeed needOf(const BudgetStudy& study, std::string name, Bytes bytes, Bytes request, std::string_view kind)
{
    GpuNeed need{std::move(name), bytes + study.outsideBytes(),
        fmt::format("{} {}", formatBytes(bytes - request), kind)};
    if (request > 0)
        need.parts += fmt::format(" + {} requested", formatBytes(request));
    need.parts += fmt::format(" + {} {}", formatBytes(study.outsideBytes()),
        study.run.outsideBytes ? "outside PyTorch" : "typical CUDA context");
    return need;
}

/// Names the reserved peak, which a recording of one part of the run only bounds from below.
std::string_view reservedWords(RecordedPart part)
{
    switch (part) {
    case RecordedPart::Whole: return "reserved at most";
    case RecordedPart::OneMoment: return "reserved";
    case RecordedPart::UpToCut:
    case RecordedPart::LateStart: break;
    }
    return "reserved at least";
}

} // namespace

std::string GpuNeed::text() const
{
    return fmt::format("{} {}: {}", upperFirst(name), formatBytes(bytes), parts);
}

std::vector<GpuNeed> gpuNeeds(const BudgetStudy& study)
{
    std::vector<GpuNeed> needs;
    if (study.allFits.empty())
        return needs;
    if (study.observed) {
        const NeededMemory& needed = study.observed->needed;
        needs.push_back(needOf(study, "at least", needed.least, needed.leastRequest, "in use"));
        if (needed.most > needed.least)
            needs.push_back(needOf(study, "as it ran", needed.most, needed.mostRequest,
                needed.mostRequest > 0 ? "reserved" : reservedWords(study.observed->outcome.part)));
    }
    if (study.isOfConfiguration && !study.budget.lines.empty())
        needs.push_back(needOf(study, "estimate",
            study.budget.expected + study.leftOutOutsideBytes() - study.outsideBytes(), 0, "expected"));
    return needs;
}

} // namespace highwater
