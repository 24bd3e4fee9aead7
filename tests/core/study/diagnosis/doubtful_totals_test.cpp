// Checks that nothing is judged clean from a file whose totals may be wrong.
#include <gtest/gtest.h>

#include "core/study/run_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

RunStudy studyOfDoubtfulSample(const std::string& name)
{
    RunParts parts;
    parts.name = name;
    parts.trace = openTrace(test::samplePath(name), {})->trace;
    parts.device = std::make_shared<const DeviceStudy>(*parts.trace, 0);
    return RunStudy(std::move(parts));
}

} // namespace

TEST(DoubtfulTotals, HeadTheDiagnosisOfAFileThatContradictsItself)
{
    const RunStudy run = studyOfDoubtfulSample("broken/wrong-types.pickle");
    const Diagnosis& diagnosis = run.diagnosis();
    EXPECT_EQ(diagnosis.diagnosed, DiagnosisClass::Untrusted);
    EXPECT_TRUE(diagnosis.sentence.starts_with("The file contradicts itself")) << diagnosis.sentence;
    EXPECT_FALSE(diagnosis.next.empty());
}

TEST(DoubtfulTotals, HeadTheDiagnosisOfAFileWithUnreadableRecords)
{
    const RunStudy run = studyOfDoubtfulSample("broken/cupti-unreadable.txt");
    EXPECT_EQ(run.diagnosis().diagnosed, DiagnosisClass::Untrusted);
    EXPECT_TRUE(run.diagnosis().sentence.starts_with("Parts of the file could not be read"))
        << run.diagnosis().sentence;
}

TEST(DoubtfulTotals, LeaveNothingCertainButThatTheyAreDoubtful)
{
    const RunStudy run = studyOfDoubtfulSample("broken/wrong-types.pickle");
    for (const Finding& finding : run.findings())
        EXPECT_TRUE(finding.grade != Grade::A || finding.rule == "capture-quality") << finding.title;
    EXPECT_EQ(run.diagnosis().text().find("No fault"), std::string::npos) << run.diagnosis().text();
}

TEST(DoubtfulTotals, AreNotSaidOfAFileWithoutContradiction)
{
    const RunStudy run = studyOfDoubtfulSample("pytorch-snapshot/training-6-steps-annotated.pickle.zst");
    EXPECT_EQ(doubtOfTotals(run.trace()), "");
}

} // namespace highwater
