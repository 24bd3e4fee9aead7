#include "app/timeline/bands/column_copy.h"

#include <algorithm>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace highwater::gui {

namespace {

constexpr std::size_t kEight = 8;
constexpr std::size_t kPerCacheLine = 64 / sizeof(QRgb);

#ifdef __x86_64__
__attribute__((target("avx2"))) __m256i load(const void* at)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
#endif

bool hasAvx2()
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

} // namespace

ColumnCopy::ColumnCopy(std::vector<int> columns, int width, bool usesAvx2)
    : m_columns(std::move(columns))
{
    if (usesAvx2 && hasAvx2() && width >= static_cast<int>(kEight))
        findEights(width);
}

/// Finds the groups of eight pixels. Leaves none if the source columns of some group are too far apart for a
/// register.
void ColumnCopy::findEights(int width)
{
    const int last = width - static_cast<int>(kEight); // last position from which eight pixels can be read
    for (std::size_t x = 0; x + kEight <= m_columns.size(); x += kEight) {
        const int* const columns = m_columns.data() + x;
        Eight eight{std::min(columns[0], last), std::min(columns[4], last), {}};
        for (std::size_t i = 0; i < kEight; ++i)
            eight.within[i] = columns[i] - (i < kEight / 2 ? eight.first : eight.fifth);
        if (*std::ranges::max_element(eight.within) >= static_cast<int>(kEight)) {
            m_eights.clear();
            return;
        }
        m_eights.push_back(eight);
    }
}

void ColumnCopy::copyRow(const QRgb* source, const QRgb* next, QRgb* target) const
{
    copyEights(source, next, target);
    for (std::size_t x = m_eights.size() * kEight; x < m_columns.size(); ++x) {
        const auto column = static_cast<std::size_t>(m_columns[x]);
        if (x % kPerCacheLine == 0)
            __builtin_prefetch(next + column);
        target[x] = source[column] != 0 ? source[column] : target[x];
    }
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void ColumnCopy::copyEights(
    const QRgb* source, const QRgb* next, QRgb* target) const
{
    for (const Eight& eight : m_eights) {
        __builtin_prefetch(next + eight.first);
        const __m256i within = load(eight.within.data());
        const __m256i left = _mm256_permutevar8x32_epi32(load(source + eight.first), within);
        const __m256i right = _mm256_permutevar8x32_epi32(load(source + eight.fifth), within);
        const __m256i colors = _mm256_blend_epi32(left, right, 0xf0);
        const __m256i isEmpty = _mm256_cmpeq_epi32(colors, _mm256_setzero_si256());
        const __m256i under = _mm256_and_si256(load(target), isEmpty);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), _mm256_or_si256(colors, under));
        target += kEight;
    }
}
#else
void ColumnCopy::copyEights(const QRgb*, const QRgb*, QRgb*) const { }
#endif

} // namespace highwater::gui
