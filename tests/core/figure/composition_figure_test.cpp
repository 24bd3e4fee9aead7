#include "core/figure/composition_figure.h"

#include <gtest/gtest.h>

#include "core/figure/drawing/svg_writer.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns 30 call sites; the site at line n has n bytes.
std::shared_ptr<const Trace> manySites()
{
    std::string text;
    for (int n = 1; n <= 30; ++n)
        text += "stack s" + std::to_string(n) + " = model.py:" + std::to_string(n) + " <b>\n";
    for (int n = 1; n <= 30; ++n)
        text += "alloc a" + std::to_string(n) + " " + std::to_string(n) + " @s" + std::to_string(n) + "\n";
    return test::traceFromText(text + "end\n");
}

} // namespace

TEST(CompositionBars, NameTheRestAndAddUp)
{
    const auto trace = manySites();
    const DeviceStudy study(*trace, 0);
    const std::vector<CompositionBar> bars = compositionBars(study, 29, false, 10);
    ASSERT_EQ(bars.size(), 10u);
    EXPECT_EQ(bars[0].bytes, 30);
    EXPECT_EQ(bars[8].bytes, 22);
    EXPECT_EQ(bars[9].label, "21 others");
    EXPECT_EQ(bars[9].bytes, 21 * 22 / 2);
    EXPECT_EQ(bars[9].count, 21);
    Bytes sum = 0;
    for (const CompositionBar& bar : bars) {
        Bytes byCategory = 0;
        for (const Bytes bytes : bar.byCategory)
            byCategory += bytes;
        EXPECT_EQ(byCategory, bar.bytes);
        sum += bar.bytes;
    }
    EXPECT_EQ(sum, 465);
}

TEST(CompositionFigure, ShowsNamesAsText)
{
    const auto trace = manySites();
    const std::string svg = toSvg(compositionFigure(DeviceStudy(*trace, 0), 29, false, {}));
    EXPECT_EQ(svg.find("<b>"), std::string::npos);
    EXPECT_NE(svg.find("&lt;b&gt;"), std::string::npos);
}

TEST(CompositionFigure, SaysWhenNothingWasLive)
{
    const auto trace = manySites();
    const std::string svg = toSvg(compositionFigure(DeviceStudy(*trace, 0), -1, false, {}));
    EXPECT_NE(svg.find("Nothing was in use."), std::string::npos);
}

} // namespace highwater
