#include "core/figure/ranks_figure.h"

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"

namespace highwater {

TEST(RanksFigure, MarksOutliersAndOutOfMemoryAndSaysWhyThereIsNoBar)
{
    const Figure figure = ranksFigure({{.name = "rank 0", .peak = kGiB, .median = kGiB, .id = 0},
                                          {.name = "rank 1",
                                              .peak = 2 * kGiB,
                                              .median = kGiB,
                                              .outlier = true,
                                              .outOfMemory = true,
                                              .id = 1},
                                          {.name = "rank 2", .note = "not loaded", .id = 2}},
        {.titled = false});
    std::vector<FigureRect> bars;
    std::vector<FigureRect> rows;
    std::size_t medians = 0;
    for (const FigureShape& shape : figure.shapes) {
        if (const auto* rect = std::get_if<FigureRect>(&shape))
            (rect->opacity == 0 ? rows : bars).push_back(*rect);
        medians += std::holds_alternative<FigureLine>(shape) ? 1 : 0;
    }
    ASSERT_EQ(bars.size(), 2);
    EXPECT_NEAR(bars[1].width, 2 * bars[0].width, 1e-9);
    EXPECT_EQ(bars[1].fill, FigurePalette::light().more);
    EXPECT_NE(bars[0].fill, bars[1].fill);
    EXPECT_EQ(medians, 2);
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[1].title, "rank 1: peak 2.00 GiB\nMedian (dashed line): 1.00 GiB\nRan out of memory");
    EXPECT_EQ(rows[2].title, "rank 2\nnot loaded");
    EXPECT_NE(toSvg(figure).find(">OOM<"), std::string::npos);
    EXPECT_NE(toSvg(figure).find(">not loaded<"), std::string::npos);
    EXPECT_LE(rows[2].y + rows[2].height, ranksHeight(3));
}

} // namespace highwater
