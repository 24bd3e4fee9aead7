#include "core/analysis/categories/category_table.h"

#include <numeric>

namespace highwater {

CategoryTable::CategoryTable(std::size_t allocations)
{
    m_category.resize(allocations, Category::Unknown);
    m_grade.resize(allocations, Grade::C);
    m_reason.resize(allocations, CategoryReason::Nothing);
}

std::optional<Grade> overallGrade(const GradeBytes& bytes)
{
    const Bytes total = std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
    for (std::size_t i = kGrades; i-- > 0;)
        if (bytes[i] > 0 && bytes[i] >= total / 20)
            return static_cast<Grade>(i);
    return std::nullopt;
}

} // namespace highwater
