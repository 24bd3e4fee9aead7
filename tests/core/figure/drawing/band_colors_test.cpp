#include "core/figure/drawing/band_colors.h"

#include <gtest/gtest.h>

namespace highwater::test {

TEST(BandColors, TellsUnnamedGroupsApart)
{
    const std::vector<GroupColor> colors = groupColors({{30, true}, {20, false}, {10, true}});
    EXPECT_EQ(colors[0].color.light, kThemedRestColor.light);
    EXPECT_NE(colors[2].color.light, colors[0].color.light);
    EXPECT_NE(colors[2].color.dark, colors[0].color.dark);
}

TEST(BandColors, TellSmallModulesFromMemoryOutsideOfModules)
{
    const std::vector<BandGroup> groups = {{.key = "large", .label = "large", .family = "large"},
        {.key = "small", .label = "small", .family = "small"}, {.key = "none", .label = "none"}};
    const std::vector<GroupColor> colors = moduleColors(groups, {{1000, false}, {1, false}, {500, true}});
    EXPECT_EQ(colors[1].color.light, kThemedSmallModuleColor.light);
    EXPECT_NE(colors[1].color.light, colors[2].color.light);
    EXPECT_NE(colors[1].color.dark, colors[2].color.dark);
}

} // namespace highwater::test
