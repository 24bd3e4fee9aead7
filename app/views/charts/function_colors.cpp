#include "app/views/charts/function_colors.h"

#include <algorithm>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/categories/categories.h"

namespace highwater::gui {

namespace {

/// Returns the FNV-1a hash, which is the same on every machine.
std::uint32_t hashOf(const std::string& text)
{
    std::uint32_t hash = 2166136261u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash ^ (hash >> 15);
}

/// Returns, by node, the category with most of its bytes.
std::vector<Category> mainCategories(const CallTree& tree, const CategoryTable& categories,
    const AllocationTable& allocations, const LiveSet& set)
{
    std::vector<CategoryBytes> sums(tree.nodes.size(), CategoryBytes{});
    for (std::size_t i = 0; i < set.allocations.size(); ++i) {
        const AllocationIndex allocation = set.allocations[i];
        sums[tree.endOf[i]][static_cast<std::size_t>(categories.of(allocation))]
            += allocations.bytes(allocation);
    }
    std::vector<Category> main(tree.nodes.size(), Category::Unknown);
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const auto largest = std::max_element(sums[i].begin(), sums[i].end());
        main[i] = static_cast<Category>(largest - sums[i].begin());
        for (std::size_t k = 0; i > 0 && k < kCategoryCount; ++k)
            sums[tree.nodes[i].parent][k] += sums[i][k];
    }
    return main;
}

} // namespace

QColor functionColor(const CallFunction& function)
{
    const std::uint32_t hash = hashOf(function.name + function.file);
    const auto hashPart = [&](unsigned shift, int range) {
        return static_cast<int>((hash >> shift) % static_cast<unsigned>(range));
    };
    switch (function.kind) {
    case FunctionKind::Own:
        return QColor::fromHsl(14 + hashPart(0, 40), 150 + hashPart(8, 60), 128 + hashPart(16, 36));
    case FunctionKind::Library:
        return QColor::fromHsl(196 + hashPart(0, 40), 60 + hashPart(8, 50), 140 + hashPart(16, 36));
    case FunctionKind::Native:
        return QColor::fromHsl(130 + hashPart(0, 40), 40 + hashPart(8, 40), 136 + hashPart(16, 36));
    case FunctionKind::Named: break;
    }
    return QColor::fromHsl(270, 20 + hashPart(8, 20), 140 + hashPart(16, 30));
}

std::vector<QRgb> nodeColors(const CallTree& tree, const DeviceAnalysis& analysis, const LiveSet& set)
{
    std::vector<QRgb> colors(tree.nodes.size(), 0);
    if (analysis.allocationPalette() == analysis.categoryPalette) {
        const std::vector<Category> main
            = mainCategories(tree, analysis.categories, analysis.allocations, set);
        for (std::size_t i = 1; i < colors.size(); ++i)
            colors[i]
                = themed(themedCategoryColor(main[i]), false)
                      .lighter(100 + static_cast<int>(hashOf(tree.label(static_cast<std::uint32_t>(i))) % 24))
                      .rgb();
        return colors;
    }
    for (std::size_t i = 1; i < colors.size(); ++i)
        colors[i] = functionColor(tree.functionOf(tree.nodes[i])).rgb();
    return colors;
}

} // namespace highwater::gui
