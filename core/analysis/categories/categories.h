#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/categories/category_table.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/allocations.h"
#include "core/run/category_rules.h"

namespace highwater {

/// Bytes of each category; indexed by Category.
using CategoryBytes = std::array<Bytes, kCategoryCount>;

/// Returns the categories from the bottom of a stack to its top: those that stay for the whole run
/// (parameters, optimizer state, gradients, KV cache, memory from before the recording), then the others by
/// their bytes, largest first, with temporary memory on top.
std::array<Category, kCategoryCount> stackingOrder(const CategoryBytes& bytes);

/// Assigns a category to every allocation by its stacks and lifetime and by the sizes of parameters,
/// gradients and state. The recorder's categories override these, and the user's rules override everything
/// (the first match wins). Allocations that no rule matches are Category::BeforeRecording if they are older
/// than the events of the trace, else Category::Unknown. O(events + stacks + allocations × log allocations).
CategoryTable categorize(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
    const StepTable& steps, const std::vector<CategoryRule>& rules = {});

/// Returns the bytes of each category right after each of the events, which must ascend (−1 is before the
/// first event). Each row sums to the total at its event. O(allocations × log events + events).
std::vector<CategoryBytes> categoriesAt(const AllocationTable& allocations, const CategoryTable& categories,
    const std::vector<std::int64_t>& events);

} // namespace highwater
