#include "core/figure/drawing/svg_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/drawing/svg_theme.h"

namespace highwater {

namespace {

std::string svgOf(FigureShape shape)
{
    Figure figure{.width = 100, .height = 50, .title = "t", .shapes = {std::move(shape)}};
    return toSvg(figure);
}

std::string inlineSvgOf(FigureShape shape)
{
    return toInlineSvg({.width = 100, .height = 50, .title = "t", .shapes = {std::move(shape)}});
}

} // namespace

TEST(Svg, ShowsTagsInNamesAsText)
{
    const std::string svg
        = svgOf(FigureText{.x = 1, .y = 2, .text = "<script>alert(\"1\" & '2')</script>", .color = 0x123456});
    EXPECT_FALSE(contains(svg, "<script"));
    EXPECT_TRUE(contains(svg, "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;"));
}

TEST(Svg, ShowsWhatXmlForbidsAsAReplacement)
{
    const std::string svg = svgOf(FigureText{.text = "a\x01"
                                                     "b\xff"});
    EXPECT_TRUE(contains(svg,
        ">a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD<"))
        << svg;
}

TEST(Svg, LeavesOutWhatOnlyAnswersThePointer)
{
    const std::string svg = svgOf(FigureRect{.width = 5, .height = 5, .opacity = 0, .title = "row", .id = 7});
    EXPECT_FALSE(contains(svg, "row"));
    EXPECT_EQ(svg, toSvg({.width = 100, .height = 50, .title = "t", .shapes = {}}));
}

TEST(Svg, IsTheSameWhateverItsShapesStandFor)
{
    EXPECT_EQ(
        svgOf(FigureRect{.width = 5, .height = 5}), svgOf(FigureRect{.width = 5, .height = 5, .id = 7}));
}

TEST(Svg, EscapesTitles)
{
    EXPECT_TRUE(contains(
        svgOf(FigureRect{.width = 5, .height = 5, .title = "<b>"}), "<title>&lt;b&gt;</title></rect>"));
}

TEST(Svg, KeepsTheLinesOfTitles)
{
    EXPECT_TRUE(contains(svgOf(FigureRect{.width = 5, .height = 5, .title = "a\n<b>\n"}),
        "<title>a\n&lt;b&gt;\n</title></rect>"));
}

TEST(Svg, WritesShapesWithTwoDecimalsAtMost)
{
    EXPECT_TRUE(contains(svgOf(FigurePolygon{.points = {{0, 1.005}, {2.5, 1.0 / 3}}, .fill = 0xff}),
        "<polygon points=\"0,1 2.5,0.33\" fill=\"#0000ff\"/>"));
    EXPECT_TRUE(contains(
        svgOf(FigureLine{.points = {{0, 0}, {9, 9}}, .color = 0xabcdef, .width = 1.5, .dash = {6, 3}}),
        "stroke=\"#abcdef\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-dasharray=\"6 3\"/>"));
}

TEST(Svg, NamesOnlyTheViewersOwnFont)
{
    const std::string svg = svgOf(FigureText{.text = "x"});
    EXPECT_TRUE(contains(svg, "font-family=\"sans-serif\""));
    EXPECT_FALSE(contains(svg, "href"));
    EXPECT_FALSE(contains(svg, "style"));
}

TEST(InlineSvg, HoldsNoIdsNorADocumentsHead)
{
    const std::string svg = toInlineSvg({.width = 100, .height = 50, .title = "<t>", .shapes = {}});
    EXPECT_TRUE(svg.starts_with("<svg viewBox=\"0 0 100 50\""));
    EXPECT_TRUE(contains(svg, "role=\"img\">\n<title>&lt;t&gt;</title>"));
    EXPECT_FALSE(contains(svg, " id="));
}

TEST(InlineSvg, GivesAClassToTheColorsThatFollowThePage)
{
    const FigurePalette light = FigurePalette::light();
    const std::string svg = inlineSvgOf(FigureText{.text = "x", .color = light.text});
    EXPECT_TRUE(contains(svg, "fill=\"#1a1e23\" class=\"f-text\""));
    EXPECT_TRUE(contains(inlineSvgOf(FigureLine{.points = {{0, 0}, {1, 1}}, .color = light.grid}),
        "stroke=\"#edeff2\" class=\"s-grid\""));
    EXPECT_TRUE(contains(
        inlineSvgOf(FigureRect{.width = 1, .height = 1, .fill = themedPhaseColor(Phase::Forward).light}),
        "class=\"f-forward\""));
}

TEST(InlineSvg, LeavesWhiteTextAndOtherColorsAsTheyAre)
{
    EXPECT_TRUE(
        contains(inlineSvgOf(FigureRect{.width = 1, .height = 1, .fill = 0x4477aa}), "fill=\"#4477aa\"/>"));
    EXPECT_TRUE(
        contains(inlineSvgOf(FigureText{.text = "1", .color = 0xffffff}), "fill=\"#ffffff\" text-anchor"));
}

TEST(InlineSvg, GivesCallSitesTheirDarkColorsOnScreenOnly)
{
    const ThemedColor site = bandColor({Category::Activation, 3, false, true});
    const std::string svg = inlineSvgOf(FigureRect{.width = 1, .height = 1, .fill = site.light});
    EXPECT_TRUE(contains(svg, fmt::format("class=\"f-x{:06x}\"", site.light))) << svg;
    EXPECT_TRUE(contains(
        svg, fmt::format(":root[data-theme=dark] .f-x{:06x}{{fill:#{:06x}}}", site.light, site.dark)))
        << svg;
    EXPECT_TRUE(contains(svg, "@media screen and (prefers-color-scheme:dark)"));
    EXPECT_FALSE(contains(svg, "@media print"));
}

TEST(InlineSvg, KeepsLabelsReadableOnDarkBands)
{
    const ThemedColor site = bandColor({Category::Activation, 0, false, true});
    const LabelColors light = labelColors(site.light, false);
    const std::string svg = toInlineSvg({.width = 100,
        .height = 50,
        .title = "t",
        .shapes = {FigureRect{.width = 9, .height = 9, .fill = light.plate, .isPlate = true},
            FigureText{.text = "x", .color = light.ink}}});
    const LabelColors dark = labelColors(darkColor(light.plate), true);
    EXPECT_GE(contrast(dark.ink, dark.plate), kReadableContrast);
    EXPECT_TRUE(contains(svg, fmt::format(".f-p{:06x}{{fill:#{:06x}}}", light.plate, dark.plate))) << svg;
    EXPECT_TRUE(contains(svg, fmt::format(".f-i{:06x}{{fill:#{:06x}}}", light.plate, dark.ink))) << svg;
}

TEST(SvgTheme, NamesEveryColorOnceAndGivesItTwoValues)
{
    EXPECT_TRUE(contains(figureColorVariables(false), "--figure-text:#1a1e23;"));
    EXPECT_TRUE(contains(figureColorVariables(true), "--figure-text:#e6e9ed;"));
    EXPECT_TRUE(contains(figureColorRules(), ".f-forward{fill:var(--figure-forward)}"));
    EXPECT_EQ(themedColorName(categoryColor(Category::Activation)), "category-activation");
    for (std::size_t i = 0; i < kNoteColorCount; ++i)
        EXPECT_EQ(themedColorName(noteColor(static_cast<NoteColor>(i))), "");
}

TEST(FittedText, IsCutWhereItIsTooWide)
{
    EXPECT_EQ(fittedText("short", 12, 100), "short");
    const std::string cut = fittedText("a very long label of a call site", 12, 100);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_LE(textWidth(cut, 12), 100);
    EXPECT_EQ(fittedText("anything", 12, 3), "");
}

TEST(FittedText, KeepsTheWholeOfACutLabel)
{
    EXPECT_EQ(fitted({.text = "a long label of a bar"}, 60).whole, "a long label of a bar");
    EXPECT_EQ(fitted({.text = "short"}, 100).whole, "");
}

TEST(Svg, GivesACutLabelItsWholeTextAsTitle)
{
    EXPECT_TRUE(contains(svgOf(fitted({.text = "a long label <b> of a bar"}, 60)),
        "><title>a long label &lt;b&gt; of a bar</title>a "));
}

TEST(SvgTheme, GivesEveryColorOfThePalettesItsDarkCounterpart)
{
    const FigurePalette light = FigurePalette::light();
    const FigurePalette dark = FigurePalette::darkColors();
    EXPECT_EQ(darkColor(light.reservedEdge), dark.reservedEdge);
    EXPECT_EQ(darkColor(light.more), dark.more);
    EXPECT_EQ(darkColor(light.less), dark.less);
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const ThemedColor color = themedCategoryColor(static_cast<Category>(i));
        EXPECT_EQ(darkColor(color.light), color.dark) << i;
    }
    for (std::size_t i = 0; i < kGroupColorCount; ++i)
        EXPECT_EQ(darkColor(groupColor(i)), themedGroupColor(i).dark) << i;
    for (std::size_t i = 0; i < kLineColorCount; ++i)
        EXPECT_EQ(darkColor(themedSeriesColor(i).light), themedSeriesColor(i).dark) << i;
    EXPECT_EQ(darkColor(kThemedReservedLine.light), kThemedReservedLine.dark);
    for (std::size_t i = 0; i < kPhaseColorCount; ++i) {
        const ThemedColor color = themedPhaseColor(static_cast<Phase>(i));
        EXPECT_EQ(darkColor(color.light), color.dark) << i;
    }
    for (int shade = 0; shade < kHeatShades; ++shade)
        EXPECT_EQ(darkColor(heatColor(light, shade)), heatColor(dark, shade)) << shade;
}

TEST(SvgTheme, GivesEveryColorOfThePaletteThatOfTheGround)
{
    for (const Ground ground : {Ground{true, false}, Ground{false, true}, Ground{true, true}})
        for (const auto member : {&FigurePalette::background, &FigurePalette::text, &FigurePalette::quietText,
                 &FigurePalette::grid, &FigurePalette::border, &FigurePalette::accent, &FigurePalette::danger,
                 &FigurePalette::dangerFill, &FigurePalette::hover, &FigurePalette::reserved,
                 &FigurePalette::reservedEdge, &FigurePalette::less, &FigurePalette::more,
                 &FigurePalette::lessFill, &FigurePalette::moreFill}) {
            Figure figure;
            figure.shapes = {FigureRect{.fill = FigurePalette::light().*member}};
            EXPECT_EQ(std::get<FigureRect>(onGround(figure, ground).shapes[0]).fill,
                FigurePalette::of(ground).*member);
        }
}

TEST(SvgTheme, StrengthensDataAndBlackensLettersForHighContrast)
{
    const ThemedColor data = themedCategoryColor(Category::Activation);
    const FigureColor text = FigurePalette::light().text;
    Figure figure;
    figure.shapes = {FigureRect{.fill = data.light}, FigureRect{.fill = text},
        FigureRect{.fill = FigurePalette::light().quietText}};
    for (const bool dark : {false, true}) {
        const Figure strong = onGround(figure, {dark, true});
        EXPECT_EQ(std::get<FigureRect>(strong.shapes[0]).fill, colorOn(data, {dark, true}));
        EXPECT_NE(colorOn(data, {dark, true}), colorOn(data, {dark, false}));
        for (const std::size_t ink : {1, 2})
            EXPECT_EQ(std::get<FigureRect>(strong.shapes[ink]).fill, dark ? 0xffffffu : 0x000000u);
    }
}

} // namespace highwater
