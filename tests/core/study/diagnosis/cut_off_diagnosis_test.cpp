// Checks that nothing is judged clean from a file that is cut off.
#include <gtest/gtest.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/study/run_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

RunStudy studyOfCutFile(const Result<ImportedTrace>& imported)
{
    RunParts parts;
    parts.name = "cut";
    parts.trace = imported->trace;
    parts.device = std::make_shared<const DeviceStudy>(*imported->trace, 0);
    parts.cutOff = toText(*imported->incomplete);
    return RunStudy(std::move(parts));
}

RunStudy studyOfSample(const std::string& name)
{
    return studyOfCutFile(openTrace(test::samplePath("broken/" + name), {}));
}

class CutFile : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(CutFile, IsHeadedCutOffWithItsPlaceAndTheLeastPeak)
{
    const RunStudy run = studyOfSample(GetParam());
    const Diagnosis& diagnosis = run.diagnosis();
    EXPECT_EQ(diagnosis.diagnosed, DiagnosisClass::CutOff);
    EXPECT_TRUE(diagnosis.sentence.starts_with("The file is cut off at ")) << diagnosis.sentence;
    EXPECT_TRUE(test::hasParts(diagnosis.sentence, {"at least", "event"})) << diagnosis.sentence;
    EXPECT_EQ(diagnosis.detail.find("No fault"), std::string::npos) << diagnosis.detail;
    EXPECT_FALSE(diagnosis.next.empty());
}

TEST_P(CutFile, HasOnePeakInHeadlineSummaryAndRemark)
{
    const RunStudy run = studyOfSample(GetParam());
    const std::string peak = knownPeakText(*run.device(), *run.figures());
    EXPECT_TRUE(peak.starts_with("at least ")) << peak;
    EXPECT_TRUE(test::hasParts(run.diagnosis().sentence, {peak}));
    const Finding* const summary = run.finding("peak-summary");
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->bytes, run.diagnosis().bytes);
    EXPECT_TRUE(test::hasParts(summary->title, {peak}));
}

TEST(TruncatedFile, DoesNotCallTheHighestMomentReadThePeak)
{
    const RunStudy run = studyOfSample("truncated.pickle");
    EXPECT_EQ(nameOfHighest(*run.device()), "highest readable total");
}

TEST_P(CutFile, SavesNothingAndWastesNothing)
{
    const RunStudy run = studyOfSample(GetParam());
    for (const Finding& finding : run.findings()) {
        EXPECT_EQ(finding.remedy.savedBytes, 0) << finding.title;
        EXPECT_NE(finding.rule, "reserved-above-live") << finding.title;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, CutFile,
    testing::Values("truncated.pickle", "gzip-cut.pickle.gz", "json-cut.json", "timeline-cut.raw.json",
        "cupti-cut.txt", "nsys-cut.sqlite"),
    test::nameOfFile);

TEST(CutFileWithBlocksAtItsEnd, SaysHowMuchOfThemTheEventsReach)
{
    const std::string detail = studyOfSample("truncated.pickle").diagnosis().detail;
    EXPECT_TRUE(detail.starts_with("The readable events account for at most 6 MiB of the 9 MiB in use at "
                                   "the end; the rest was allocated before the first of them or after the "
                                   "cut"))
        << detail;
}

TEST(CutFileWithAFault, NamesTheCutBeforeTheFault)
{
    const std::string bytes = test::readDecompressed(test::snapshotPath("r3-vocabulary-before"));
    const RunStudy run = studyOfCutFile(test::importBytes(bytes.substr(0, bytes.size() * 9 / 10)));
    const Diagnosis& diagnosis = run.diagnosis();
    EXPECT_TRUE(diagnosis.sentence.starts_with("The file is cut off at byte ")) << diagnosis.sentence;
    EXPECT_NE(diagnosis.diagnosed, DiagnosisClass::Clean);
}

} // namespace highwater
