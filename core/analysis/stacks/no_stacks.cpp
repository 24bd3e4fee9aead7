#include "core/analysis/stacks/no_stacks.h"

#include "core/base/text_format.h"
#include "core/trace/category_text.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

std::string noStacksReason(const Trace& trace)
{
    if (trace.stacks.nodeCount() > 1)
        return {};
    if (const auto facts = readSummaryStackFacts(trace.metadata); facts && !facts->noStacks.empty())
        return sanitizedText(facts->noStacks);
    return hasRecordedCategories(trace) ? "this kind of file has categories, not stacks"
                                        : "stacks were not recorded in this file";
}

} // namespace highwater
