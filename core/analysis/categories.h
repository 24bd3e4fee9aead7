#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/allocations.h"
#include "core/analysis/grade.h"
#include "core/analysis/phases.h"
#include "core/analysis/steps.h"
#include "core/base/column.h"
#include "core/run/category_rules.h"

namespace highwater {

/// What kind each allocation of a device is, and how sure that is. Two bytes each.
class CategoryTable
{
public:
    explicit CategoryTable(std::size_t allocations);

    std::size_t size() const { return m_category.size(); }
    Category of(AllocationIndex allocation) const { return m_category[allocation]; }
    Grade gradeOf(AllocationIndex allocation) const { return m_grade[allocation]; }
    void set(AllocationIndex allocation, Category category, Grade grade)
    {
        m_category[allocation] = category;
        m_grade[allocation] = grade;
    }

private:
    Column<Category> m_category;
    Column<Grade> m_grade;
};

/// Bytes of each category; indexed by Category.
using CategoryBytes = std::array<Bytes, kCategoryCount>;

/// Lifetime and pairing first, names second; what the recorder says overrides both, and the user's rules
/// override all of it, the first that fits wins. What no rule reaches is Category::Unknown. O(allocations +
/// stacks).
CategoryTable categorize(const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases,
    const StepTable& steps, const std::vector<CategoryRule>& rules = {});

/// Bytes of each category right after each of the events, which ascend (−1: before the first). The sum of a
/// row is the total there. One pass: O(allocations + events.size()) after sorting by death.
std::vector<CategoryBytes> categoriesAt(const AllocationTable& allocations, const CategoryTable& categories,
    const std::vector<std::int64_t>& events);

} // namespace highwater
