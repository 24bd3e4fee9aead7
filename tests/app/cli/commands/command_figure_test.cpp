#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/report/figures/figure_kinds.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::kStepsSample;
using test::runHighwater;
using test::samplePath;
using test::Words;

namespace {

test::ProgramRun drawn(const std::string& sample, std::vector<std::string> options)
{
    options.insert(options.begin(), {"figure", samplePath(sample), "-o", "-"});
    return runHighwater(options);
}

/// The kinds that need nothing but a recording.
std::vector<std::string> kindsOfOneRun()
{
    std::vector<std::string> names;
    for (const FigureKind& kind : figureKinds())
        if (kind.drawRun && !kind.takes(FigureKind::Configuration))
            names.emplace_back(kind.name);
    return names;
}

} // namespace

TEST(FigureCommand, DrawsWhatWasExpectedBesideWhatWasObserved)
{
    const auto run = runHighwater({"figure", samplePath("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"),
        "--kind", "budget", "--config", samplePath("budget/r5-flan-t5-xl.yaml"), "-o", "-"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    for (const char* text : {"Optimizer state", "observed at the peak", "RTX 5090"})
        EXPECT_TRUE(contains(run.out, text)) << text;
}

TEST(FigureCommand, DrawsEveryKindOfEverySampleLargeAndSmall)
{
    for (const std::string& sample : test::sampleNames("pytorch-snapshot"))
        for (const std::string& kind : kindsOfOneRun())
            for (const char* size : {"1200x675", "300x300"}) {
                const auto run = drawn(sample, {"--kind", kind, "--size", size});
                ASSERT_EQ(run.exitCode, 0) << sample << ' ' << kind << ' ' << run.err;
                EXPECT_TRUE(run.out.starts_with("<?xml ")) << sample;
                EXPECT_TRUE(run.out.ends_with("</svg>\n")) << sample;
                for (const char* wrong : {"nan", "inf\"", "height=\"-", "width=\"-"})
                    EXPECT_FALSE(contains(run.out, wrong))
                        << sample << ' ' << kind << ' ' << size << ' ' << wrong;
            }
}

TEST(FigureCommand, NamesThePeakInTheTimeline)
{
    const auto run = drawn("encodings/tiny-protocol-4.pickle", {"--kind", "timeline"});
    EXPECT_TRUE(contains(run.out, "Peak 22 MiB (requested) after event 10")) << run.out;
    EXPECT_TRUE(contains(run.out, ">peak 22 MiB</text>"));
}

TEST(FigureCommand, HasTheSizeThatIsAskedFor)
{
    EXPECT_TRUE(contains(
        drawn(kStepsSample, {"--kind", "steps", "--size", "640x400"}).out, "width=\"640\" height=\"400\""));
}

TEST(FigureCommand, DrawsTheStepsOfTwoRunsSideBySide)
{
    const auto run = runHighwater({"figure", samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        samplePath("pytorch-snapshot/r1-grpo-after.pickle.zst"), "--kind", "steps", "-o", "-"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "r1-grpo-before.pickle.zst ↔ r1-grpo-after.pickle.zst"));
    EXPECT_TRUE(contains(run.out, "15 steps before, 21 after"));
}

TEST(FigureCommand, TakesTwoFilesForNothingElseThanWhatComparesThem)
{
    const std::string file = samplePath(kStepsSample);
    for (const char* kind : {"timeline", "composition", "segments"})
        EXPECT_EQ(runHighwater({"figure", file, file, "--kind", kind, "-o", "-"}).exitCode, 2) << kind;
    EXPECT_EQ(runHighwater({"figure", file, file, file, "--kind", "steps", "-o", "-"}).exitCode, 2);
    EXPECT_EQ(runHighwater({"figure", file, "--kind", "waterfall", "-o", "-"}).exitCode, 2);
}

TEST(FigureCommand, IsDarkOnRequest)
{
    EXPECT_TRUE(contains(drawn(kStepsSample, {"--kind", "timeline"}).out, "fill=\"#ffffff\""));
    EXPECT_TRUE(contains(drawn(kStepsSample, {"--kind", "timeline", "--dark"}).out, "fill=\"#17191c\""));
}

class WrongFigure : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(WrongFigure, ExitsWithTwo)
{
    const auto run = drawn(kStepsSample, GetParam());
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongFigure,
    testing::Values(Words{}, Words{"--kind", "pie"}, Words{"--kind", "timeline", "--size", "12"},
        Words{"--kind", "timeline", "--size", "10x10"}, Words{"--kind", "timeline", "--size", "800x600x"},
        Words{"--kind", "timeline", "--range", "5:5"}, Words{"--kind", "timeline", "--at", "5"},
        Words{"--kind", "steps", "--range", "0:5"}, Words{"--kind", "composition", "--at", "-2"},
        Words{"--kind", "budget"}, Words{"--kind", "steps", "--config", "run.yaml"},
        Words{"--kind", "composition", "--group", "stream"}, Words{"--kind", "steps", "--group", "site"}));

TEST(FigureCommand, DrawsTheFlagsOfNotes)
{
    const test::TemporaryFolder folder;
    const std::string notes = folder.write("notes.json",
        R"([{"title": "elsewhere", "at": {"event": 5}, "run": "before"}, {"title": "look", "at": {"step": 2}}])");
    for (const char* kind : {"timeline", "steps"}) {
        const auto run = drawn(kStepsSample, {"--kind", kind, "--notes", notes});
        ASSERT_EQ(run.exitCode, 0) << run.err;
        EXPECT_TRUE(contains(run.out, "<title>2  look</title>")) << kind;
        EXPECT_FALSE(contains(run.out, "elsewhere")) << kind;
    }
    for (const char* kind : {"diff", "steps"}) {
        const auto run = runHighwater({"figure", samplePath(kStepsSample), samplePath(kStepsSample), "--kind",
            kind, "--notes", notes, "-o", "-"});
        ASSERT_EQ(run.exitCode, 0) << run.err;
        EXPECT_TRUE(contains(run.out, "1  elsewhere")) << kind;
        EXPECT_TRUE(contains(run.out, "2  look")) << kind;
    }
    EXPECT_EQ(drawn(kStepsSample, {"--kind", "composition", "--notes", notes}).exitCode, 2);
}

} // namespace highwater
