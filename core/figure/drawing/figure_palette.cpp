#include "core/figure/drawing/figure_palette.h"

#include <array>

namespace highwater {

FigurePalette FigurePalette::light()
{
    return {.background = 0xffffff,
        .text = 0x16181d,
        .quietText = 0x5f6673,
        .grid = 0xe8eaee,
        .border = 0xd9dce3,
        .accent = 0x2a62c9,
        .danger = 0xb42318,
        .dark = false};
}

FigurePalette FigurePalette::darkColors()
{
    return {.background = 0x23272c,
        .text = 0xe9ebee,
        .quietText = 0x9fa6b1,
        .grid = 0x31363d,
        .border = 0x3a4048,
        .accent = 0x78acff,
        .danger = 0xff7b72,
        .dark = true};
}

FigureColor categoryColor(Category category)
{
    static constexpr std::array<FigureColor, kCategoryCount> kColors
        = {0x4477aa, 0x66ccee, 0xee6677, 0x228833, 0xccbb44, 0xaa3377, 0xbbbbbb, 0xee7733, kRestColor};
    return kColors[static_cast<std::size_t>(category)];
}

FigureColor groupColor(std::size_t rank)
{
    static constexpr std::array<FigureColor, kDistinctGroups> kBright = {
        0x4477aa, 0x66ccee, 0xee6677, 0x228833, 0xccbb44, 0xaa3377, 0xee7733, 0x44aa99, 0x5b4fa8, 0x999933};
    static constexpr std::array<FigureColor, 8> kMuted
        = {0x9db4c8, 0xc5a3a9, 0x9dba9f, 0xc9c19a, 0xb59ab0, 0xa3c6cc, 0xcbae98, 0xa9a9c4};
    return rank < kBright.size() ? kBright[rank] : kMuted[(rank - kBright.size()) % kMuted.size()];
}

FigureColor phaseColor(Phase phase, bool dark)
{
    static constexpr std::array<FigureColor, 8> kLight
        = {0xeceef1, 0xd3e3f6, 0xf8dfd2, 0xd6eedd, 0xecdff3, 0xf4edcd, 0xdfe3ee, 0xd9eeee};
    static constexpr std::array<FigureColor, 8> kDark
        = {0x31363d, 0x2c4468, 0x5a3a29, 0x28502f, 0x4b3358, 0x50491f, 0x3d4459, 0x2a4c4c};
    return (dark ? kDark : kLight)[static_cast<std::size_t>(phase)];
}

} // namespace highwater
