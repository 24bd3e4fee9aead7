#include "core/analysis/categories/category_table.h"

#include <numeric>

namespace highwater {

CategoryTable::CategoryTable(std::size_t allocations)
{
    m_category.resize(allocations, Category::Unknown);
    m_grade.resize(allocations, Grade::C);
    m_reason.resize(allocations, CategoryReason::Nothing);
}

GuessedCategories guessedCategories(const AllocationTable& allocations, const CategoryTable& categories)
{
    constexpr std::int64_t kPartsPerOther = 20; // at most one part in this many is no guess
    std::array<GradeBytes, kCategoryCount> sums{};
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        sums[static_cast<std::size_t>(categories.of(i))][static_cast<std::size_t>(categories.gradeOf(i))]
            += allocations.bytes(i);
    GuessedCategories guessed{};
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        const Bytes guesses = sums[category][static_cast<std::size_t>(Grade::C)];
        const Bytes total = std::accumulate(sums[category].begin(), sums[category].end(), Bytes{0});
        guessed[category] = guesses > 0 && total - guesses <= total / kPartsPerOther;
    }
    return guessed;
}

std::optional<Grade> overallGrade(const GradeBytes& bytes)
{
    const Bytes total = std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
    for (std::size_t i = kGradeCount; i-- > 0;)
        if (bytes[i] > 0 && bytes[i] >= total / 20)
            return static_cast<Grade>(i);
    return std::nullopt;
}

} // namespace highwater
