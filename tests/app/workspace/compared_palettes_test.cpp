#include <QTest>

#include "app/workspace/compare/compared_palettes.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/band_colors.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/support/trace_from_text.h"

namespace highwater::gui::test {

namespace {

std::shared_ptr<const DeviceAnalysis> analysisOf(const char* text)
{
    return std::make_shared<const DeviceAnalysis>(highwater::test::traceFromText(text), DeviceIndex{0});
}

ComparedPalettes compared(const DeviceAnalysis& before, const DeviceAnalysis& after)
{
    return comparedPalettes(before, after, matchStacks(*before.trace, *after.trace));
}

/// Returns the colour of the site with this label; an invalid colour if there is none.
QColor colorOf(const BandPalette& palette, const std::string& label)
{
    const std::vector<BandGroup>& groups = palette.groups()->groups;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].label == label)
            return palette.color(static_cast<GroupRank>(i));
    return {};
}

} // namespace

class ComparedPalettesTest : public QObject
{
    Q_OBJECT

private slots:
    void runsWithCategoriesKeepTheirColorsAndCallSitesTheirSteps()
    {
        const auto before = mainAnalysis(QStringLiteral("r1-grpo-before"));
        const auto after = mainAnalysis(QStringLiteral("r1-grpo-after"));
        const ComparedPalettes palettes = compared(*before, *after);
        QCOMPARE(palettes.before, before->categoryPalette);
        // A site that is a guess in one run alone is grey there.
        const auto isGuess = [](const DeviceAnalysis& run, AllocationIndex i) {
            return run.siteGuesses.isGuess(run.siteGroups->rank(i), Category::Activation, false);
        };
        std::map<std::pair<std::string, bool>, QRgb> shades;
        for (AllocationIndex i = 0; i < before->allocations.size(); ++i)
            if (before->categories.of(i) == Category::Activation)
                shades.try_emplace({before->sites.site(before->sites.of(i)).key, isGuess(*before, i)},
                    palettes.before->shade(i));
        int same = 0;
        for (AllocationIndex i = 0; i < after->allocations.size(); ++i) {
            QCOMPARE(palettes.after->color(palettes.after->groups()->rank(i)),
                themed(categoryColor(after->study.guessed, after->categories.of(i)), false));
            const auto known = shades.find({after->sites.site(after->sites.of(i)).key, isGuess(*after, i)});
            if (after->categories.of(i) != Category::Activation || known == shades.end())
                continue;
            QCOMPARE(palettes.after->shade(i), known->second);
            ++same;
        }
        QVERIFY(same > 0);
    }

    void aCallSiteThatBothRunsHaveHasOneColor()
    {
        const auto before = analysisOf("stack big = train.py:10 load\n"
                                       "stack small = train.py:20 step\n"
                                       "alloc a 8MiB @big\nalloc b 1MiB @small\n");
        // A line was inserted at the top, and the small site became the large one.
        const auto after = analysisOf("stack big = train.py:11 load\n"
                                      "stack small = train.py:21 step\n"
                                      "stack new = train.py:31 keep\n"
                                      "alloc a 1MiB @big\nalloc b 8MiB @small\nalloc c 64MiB @new\n");
        QVERIFY(before->allocationPalette() == before->sitePalette);
        const ComparedPalettes palettes = compared(*before, *after);
        QCOMPARE(
            colorOf(*palettes.before, "load (train.py:10)"), colorOf(*palettes.after, "load (train.py:11)"));
        QCOMPARE(
            colorOf(*palettes.before, "step (train.py:20)"), colorOf(*palettes.after, "step (train.py:21)"));
        QVERIFY(colorOf(*palettes.before, "load (train.py:10)")
            != colorOf(*palettes.before, "step (train.py:20)"));
    }

    void aCallSiteOfOneRunAloneHasAColorOfItsOwn()
    {
        const auto before = analysisOf("stack big = train.py:10 load\nalloc a 8MiB @big\n");
        const auto after = analysisOf("stack big = train.py:10 load\nstack new = other.py:31 keep\n"
                                      "alloc a 8MiB @big\nalloc c 64MiB @new\n");
        const ComparedPalettes palettes = compared(*before, *after);
        const QColor alone = colorOf(*palettes.after, "keep (other.py:31)");
        QVERIFY(alone.isValid());
        QVERIFY(alone != colorOf(*palettes.after, "load (train.py:10)"));
    }
};

HIGHWATER_APP_TEST(ComparedPalettesTest)

} // namespace highwater::gui::test

#include "compared_palettes_test.moc"
