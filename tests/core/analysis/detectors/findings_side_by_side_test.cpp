// Checks that detectors have the same results when they run in parallel or in another order.
#include <gtest/gtest.h>

#include <array>

#include "app/loading/background.h"
#include "core/analysis/detectors/detectors.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

constexpr std::array kSamples = {"pytorch-snapshot/fault-growth.pickle.zst",
    "pytorch-snapshot/fault-retained-graph.pickle.zst", "pytorch-snapshot/r1-grpo-before.pickle.zst"};

void expectSameFindings(const std::vector<Finding>& some, const std::vector<Finding>& others)
{
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].rule, others[i].rule);
        EXPECT_EQ(some[i].title, others[i].title);
        EXPECT_EQ(some[i].grade, others[i].grade);
        EXPECT_EQ(some[i].bytes, others[i].bytes);
        EXPECT_EQ(some[i].evidence.size(), others[i].evidence.size());
    }
}

void backwards(std::size_t count, const std::function<void(std::size_t)>& work)
{
    while (count-- > 0)
        work(count);
}

} // namespace

TEST(FindingsSideBySide, AreThoseOfDetectorsThatRunOneAfterAnother)
{
    for (const char* name : kSamples) {
        SCOPED_TRACE(name);
        const auto imported = openTrace(test::samplePath(name), {});
        ASSERT_TRUE(imported);
        const DeviceStudy study(*imported->trace, 0);
        const DetectorInput input(study);
        const std::vector<Finding> findings = findFindings(input);
        EXPECT_GT(findings.size(), 3u);
        expectSameFindings(findFindings(input, {}, sideBySide), findings);
        expectSameFindings(findFindings(input, {}, backwards), findings);
    }
}

TEST(FindingsSideBySide, AreEachToldOnce)
{
    const auto imported = openTrace(test::samplePath(kSamples[0]), {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    std::vector<std::string> told;
    std::vector<std::string> all;
    const auto tell = [&](const Finding& finding) { told.push_back(finding.title); };
    for (const Finding& finding : findFindings(DetectorInput(study), tell, sideBySide))
        all.push_back(finding.title);
    std::ranges::sort(told);
    std::ranges::sort(all);
    EXPECT_EQ(told, all);
}

} // namespace highwater
