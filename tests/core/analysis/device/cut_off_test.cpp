#include "core/analysis/device/cut_off.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct PartCase
{
    const char* sample;
    RecordedPart part;
};

} // namespace

TEST(RecordedPart, IsTheWholeRunOnlyWithItsStartAndItsHistory)
{
    const PartCase cases[] = {
        {"pytorch-snapshot/tiny-hand-checked.pickle.zst", RecordedPart::Whole},
        {"pytorch-snapshot/ring-buffer-overflow.pickle.zst", RecordedPart::LateStart},
        {"kineto/tiny-addresses.pt.trace.json", RecordedPart::LateStart}, // the profiler started late
        {"encodings/tiny-segments-only.pickle", RecordedPart::OneMoment},
    };
    for (const PartCase& one : cases) {
        const auto imported = openTrace(test::samplePath(one.sample), {});
        ASSERT_TRUE(imported) << one.sample;
        const DeviceStudy study(*imported->trace, 0);
        EXPECT_EQ(recordedPart(study), one.part) << one.sample;
        EXPECT_EQ(peakCertainty(study) == Certainty::Exactly, one.part == RecordedPart::Whole) << one.sample;
        EXPECT_EQ(
            knownPeakText(study, study.figures).starts_with("at least "), one.part == RecordedPart::LateStart)
            << "the bytes of one moment are exact then";
        EXPECT_EQ(inWords(one.part).empty(), one.part == RecordedPart::Whole);
        EXPECT_EQ(reasonOf(one.part).empty(), one.part == RecordedPart::Whole);
    }
}

TEST(RecordedPart, OfAFileThatIsCutOffIsUpToTheCut)
{
    const test::TemporaryFolder folder;
    const std::string bytes
        = test::readDecompressed(test::samplePath("pytorch-snapshot/training-6-steps-bare.pickle.zst"));
    const auto imported = openTrace(folder.write("cut.pickle", bytes.substr(0, bytes.size() * 7 / 10)), {});
    ASSERT_TRUE(imported);
    EXPECT_EQ(recordedPart(DeviceStudy(*imported->trace, 0)), RecordedPart::UpToCut);
}

} // namespace highwater
