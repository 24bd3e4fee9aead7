#include <algorithm>

#include "importers/registry/open_trace.h"
#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(PeakSummary, HasThePeakItsEventAndItsHolders)
{
    const test::DetectorCase tiny(R"(
stack big = train.py:3 big
stack small = train.py:4 small
alloc a 3000 @big
alloc b 1000 @small
free b
end
)");
    const auto found = findPeakSummary(tiny.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, 4000);
    EXPECT_EQ(found[0].event, 1);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
    const Evidence& holder = found[0].evidence.at(1);
    EXPECT_EQ(std::get<SiteTarget>(holder.target).key, "big (train.py:3)");
    EXPECT_TRUE(test::hasParts(holder.sentence, {"2.93 KiB (75%) in 1 allocation"}));
}

TEST(PeakSummary, MarksAGuessedCategoryAndNotItsBytes)
{
    const auto imported = openTrace(test::samplePath("failures/process-cap.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findPeakSummary(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(0).sentence, {"inputs (10.56 GiB, a guess)"}));
}

TEST(PeakSummary, SaysThatAPeakAfterTheLastStepIsInNone)
{
    const auto imported = openTrace(test::samplePath("rehearsed/eval-with-gradients.pickle.zst"), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findPeakSummary(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].title, {"2.28 GiB, outside the steps"}));
}

TEST(PeakSummary, NamesAPhaseOnlyIfItIsCertain)
{
    const std::string events = "alloc a 4000 @forward t=1\nend\n";
    const std::string stack = "stack forward = /x/torch/nn/modules/module.py:1 _call_impl | /w/t.py:5 main\n";
    const test::DetectorCase likely(stack + events);
    const test::DetectorCase annotated(stack + "annotation forward 1 2\n" + events);
    EXPECT_EQ(findPeakSummary(likely.input).at(0).title.find("forward"), std::string::npos);
    EXPECT_TRUE(test::hasParts(findPeakSummary(annotated.input).at(0).title, {", in forward"}));
}

TEST(PeakSummary, IsSilentOfAnEmptyDevice)
{
    const test::DetectorCase tiny("action snapshot s 0\n");
    EXPECT_TRUE(findPeakSummary(tiny.input).empty());
}

TEST(CaptureQuality, IsSilentWhereStacksAreThere)
{
    const test::DetectorCase tiny("stack s = train.py:3 f\nalloc a 3000 @s\nend\n");
    EXPECT_TRUE(findCaptureQuality(tiny.input).empty());
}

TEST(CaptureQuality, CountsTheBytesWithoutAStack)
{
    const test::DetectorCase tiny("stack s = train.py:3 f\nalloc a 3000 @s\nalloc b 1000\nend\n");
    EXPECT_EQ(test::bytesOfOnly(findCaptureQuality(tiny.input)), 1000);
    const test::DetectorCase few("stack s = train.py:3 f\nalloc a 3001 @s\nalloc b 999\nend\n");
    EXPECT_TRUE(findCaptureQuality(few.input).empty()) << "less than a quarter";
}

TEST(CaptureQuality, AdvisesToRecordEarlierWhereMostStacksAreOlderThanTheRecording)
{
    const auto imported = openTrace(test::samplePath("rehearsed/late-manual.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findCaptureQuality(DetectorInput(study));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].remedy.action, "Start recording before the model is built");
}

TEST(CaptureQuality, SaysThatTheStartWasLost)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/ring-buffer-overflow.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    EXPECT_EQ(test::bytesOfOnly(findCaptureQuality(DetectorInput(study))), 99'518'464 - 2'097'152);
}

TEST(CaptureQuality, SaysThatThereIsNoHistory)
{
    const auto imported = openTrace(test::samplePath("encodings/tiny-segments-only.pickle"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findCaptureQuality(DetectorInput(study));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].bytes, 9'438'698);
}

TEST(CaptureQuality, SaysWhatACutMeansForTheFigures)
{
    test::DetectorCase tiny("stack s = train.py:3 f\nalloc a 3000 @s\nend\n");
    tiny.input.cutOff = "ends within an entry (at byte 7,000)";
    const auto found = findCaptureQuality(tiny.input);
    EXPECT_EQ(test::bytesOfOnly(found), 3000);
    EXPECT_EQ(found[0].title, "The figures cover only what could be read");
}

TEST(CaptureQuality, SaysThatAFileContradictsItself)
{
    const auto path = test::realFilePath("snapshots/trimmed-inconsistent.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto imported = openTrace(*path, {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findCaptureQuality(DetectorInput(study));
    EXPECT_EQ(test::bytesOfOnly(found), 402'752'512);
    EXPECT_TRUE(test::hasParts(found[0].title, {"contradicts itself", "384.09 MiB"}));
}

TEST(CaptureQuality, SaysThatARefusedRequestLeavesNoEvent)
{
    const auto trace = openTrace(test::samplePath("failures/refused.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const auto found = findCaptureQuality(DetectorInput(study));
    EXPECT_TRUE(std::ranges::any_of(found,
        [](const Finding& finding) { return finding.title.find("leaves no event") != std::string::npos; }));
}

} // namespace highwater
