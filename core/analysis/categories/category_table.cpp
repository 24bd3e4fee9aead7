#include "core/analysis/categories/category_table.h"

namespace highwater {

CategoryTable::CategoryTable(std::size_t allocations)
{
    m_category.resize(allocations, Category::Unknown);
    m_grade.resize(allocations, Grade::C);
}

} // namespace highwater
