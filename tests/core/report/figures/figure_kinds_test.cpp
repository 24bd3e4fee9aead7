#include "core/report/figures/figure_kinds.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/figure/drawing/svg_writer.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/report_runs.h"

namespace highwater {
namespace {

namespace fs = std::filesystem;
using test::RunOfReport;

/// Returns the figure as SVG, or the error.
std::string drawnOf(const RunOfReport& of, const std::string& kind, const RunOfReport* before = nullptr)
{
    const ReportRun run = of.run();
    const std::optional<ReportRun> other = before ? std::optional(before->run()) : std::nullopt;
    const ReportRequest request{run, other ? &*other : nullptr, {}, {}, {}};
    const Result<ReportMaterial> material = reportMaterial(request);
    if (!material)
        return material.error().message;
    const Result<Figure> figure = drawFigure(*material, *figureKindNamed(kind), {});
    return figure ? toSvg(*figure) : figure.error().message;
}

TEST(FigureKinds, HaveANameASentenceAndSomethingToDraw)
{
    std::set<std::string_view> names;
    for (const FigureKind& kind : figureKinds()) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_EQ(figureKindNamed(kind.name), &kind);
        EXPECT_FALSE(kind.sentence.empty()) << kind.name;
        EXPECT_TRUE(kind.drawRun || kind.drawTwoRuns) << kind.name;
        EXPECT_EQ(kind.groups.empty(), kind.defaultGroupText.empty()) << kind.name;
    }
    EXPECT_EQ(figureKindNamed("pie"), nullptr);
}

TEST(FigureKinds, AreAllInTheManual)
{
    const std::string manual = test::readWholeFile(
        fs::path(test::samplePath("x")).parent_path().parent_path() / "resources/manual/command-line.md");
    const std::size_t row = manual.find("| `--kind` |");
    ASSERT_NE(row, std::string::npos);
    const std::string kinds = manual.substr(row, manual.find('\n', row) - row);
    for (const FigureKind& kind : figureKinds())
        EXPECT_TRUE(contains(kinds, '`' + std::string(kind.name) + '`')) << kind.name;
}

TEST(FigureKinds, NameTheRunsThatTheyAreOf)
{
    const RunOfReport before(test::randomTrace(1, {}), "one.pickle");
    const RunOfReport after(test::randomTrace(2, {}), "other.pickle");
    EXPECT_TRUE(contains(drawnOf(after, "timeline"), "other.pickle"));
    for (const char* kind : {"diff", "waterfall", "steps"})
        EXPECT_TRUE(contains(drawnOf(after, kind, &before), "one.pickle ↔ other.pickle")) << kind;
}

TEST(FigureKinds, AreOfTheRunAfterWhereTheyTakeOneOnly)
{
    const RunOfReport before(test::randomTrace(1, {}), "one.pickle");
    const RunOfReport after(test::randomTrace(2, {}), "other.pickle");
    EXPECT_EQ(drawnOf(after, "composition", &before), drawnOf(after, "composition"));
}

TEST(FigureKinds, SayWhatARunCannotShow)
{
    const RunOfReport run(test::randomTrace(1, {}));
    EXPECT_TRUE(test::hasParts(drawnOf(run, "diff"), {"one run", "diff", "two"}));
    EXPECT_TRUE(test::hasParts(drawnOf(run, "budget"), {"no configuration"}));
    const RunOfReport log = test::runOfSample("logs/r5-flan-t5-xl.log");
    EXPECT_TRUE(test::hasParts(drawnOf(log, "steps"), {"is a log", "steps", "--kind timeline"}));
    EXPECT_TRUE(test::hasParts(drawnOf(log, "waterfall", &log), {"is a log", "diff"}));
}

} // namespace
} // namespace highwater
