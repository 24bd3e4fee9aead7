#include "core/analysis/categories/recorded_categories.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/interruption.h"
#include "core/trace/category_text.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

namespace {

constexpr std::array<std::pair<std::string_view, Category>, 7> kWords
    = {{{"PARAMETER", Category::Parameter}, {"OPTIMIZER_STATE", Category::OptimizerState},
        {"INPUT", Category::Input}, {"TEMPORARY", Category::Temporary}, {"ACTIVATION", Category::Activation},
        {"GRADIENT", Category::Gradient}, {"AUTOGRAD_DETAIL", Category::Temporary}}};

} // namespace

Category categoryOfRecordedWord(std::string_view word)
{
    const auto found
        = std::ranges::find_if(kWords, [word](const auto& known) { return known.first == word; });
    return found == kWords.end() ? Category::Unknown : found->second;
}

void applyRecordedCategories(const Trace& trace, const AllocationTable& allocations, CategoryTable& table)
{
    if (!hasRecordedCategories(trace))
        return;
    // A summary stores the names of the categories themselves.
    const bool isSummary = trace.metadata.kind == TraceKind::RankSummary;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        interruption.round();
        const StringId word = allocations.recordedCategory(i);
        if (word.isNone())
            continue;
        const Category category = isSummary ? categoryFromText(trace.text(word)).value_or(Category::Unknown)
                                            : categoryOfRecordedWord(trace.text(word));
        table.set(
            i, category, category == Category::Unknown ? Grade::C : Grade::B, CategoryReason::RecordedWord);
    }
}

} // namespace highwater
