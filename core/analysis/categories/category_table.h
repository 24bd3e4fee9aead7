#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/analysis/categories/category_reason.h"
#include "core/analysis/steps/grade.h"
#include "core/analysis/usage/allocations.h"
#include "core/base/column.h"
#include "core/run/category_rules.h"

namespace highwater {

/// The category of each allocation of a device, with its grade and the rule that decided. Three bytes per
/// allocation.
class CategoryTable
{
public:
    /// Makes a table in which every category is unknown, with grade C.
    explicit CategoryTable(std::size_t allocations);

    std::size_t size() const { return m_category.size(); }
    Category of(AllocationIndex allocation) const { return m_category[allocation]; }
    Grade gradeOf(AllocationIndex allocation) const { return m_grade[allocation]; }
    CategoryReason reasonOf(AllocationIndex allocation) const { return m_reason[allocation]; }
    void set(AllocationIndex allocation, Category category, Grade grade, CategoryReason reason)
    {
        m_category[allocation] = category;
        m_grade[allocation] = grade;
        m_reason[allocation] = reason;
    }

private:
    Column<Category> m_category;
    Column<Grade> m_grade;
    Column<CategoryReason> m_reason;
};

/// Bytes by the grade of their category.
using GradeBytes = std::array<Bytes, kGradeCount>;

/// Returns one grade for some blocks: the lowest grade that at least a twentieth of the bytes have; nothing
/// if there are no bytes.
std::optional<Grade> overallGrade(const GradeBytes& bytes);

/// True for each category of which at least 95% of the bytes are guesses (grade C); indexed by Category.
using GuessedCategories = std::array<bool, kCategoryCount>;
/// Counts the bytes of all allocations, whenever they were live. O(allocations).
GuessedCategories guessedCategories(const AllocationTable& allocations, const CategoryTable& categories);

} // namespace highwater
