// Checks files that show a single moment, and traces whose profiler started late: there must be no findings
// about things that they cannot show.
#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/detectors.h"
#include "core/base/text_parts.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The findings of a sample's only device.
class FoundInOneMoment
{
public:
    explicit FoundInOneMoment(const std::string& sample)
        : m_trace(openTrace(test::samplePath("moments/" + sample), {})->trace)
        , m_study(*m_trace, 0)
        , m_findings(findFindings(DetectorInput(m_study)))
    {
    }

    const DeviceStudy& study() const { return m_study; }
    std::vector<std::string> rules() const
    {
        std::vector<std::string> rules;
        for (const Finding& finding : m_findings)
            rules.push_back(finding.rule);
        std::ranges::sort(rules);
        return rules;
    }
    Bytes bytesOf(const std::string& rule) const
    {
        const auto found = std::ranges::find(m_findings, rule, &Finding::rule);
        return found == m_findings.end() ? -1 : found->bytes;
    }
    std::string texts() const
    {
        std::string all;
        for (const Finding& finding : m_findings) {
            all += finding.title + '\n' + finding.remedy.action + '\n';
            for (const Evidence& evidence : finding.evidence)
                all += evidence.sentence + '\n';
        }
        return all;
    }

private:
    std::shared_ptr<const Trace> m_trace;
    DeviceStudy m_study;
    std::vector<Finding> m_findings;
};

using Rules = std::vector<std::string>;

} // namespace

TEST(OneMoment, SaysWhatIsInUseAndThatThereIsNoHistory)
{
    const FoundInOneMoment found("one-event.pickle");
    EXPECT_EQ(found.rules(), (Rules{"capture-quality", "peak-summary"}));
    EXPECT_EQ(found.bytesOf("peak-summary"), 136 * kMiB);
}

TEST(OneMoment, HoldsWhatIsReservedAgainstWhatIsInUseThen)
{
    const FoundInOneMoment found("reserved.pickle");
    EXPECT_EQ(found.rules(), (Rules{"capture-quality", "peak-summary", "reserved-above-live"}));
    EXPECT_EQ(found.bytesOf("peak-summary"), 4 * kMiB);
    EXPECT_EQ(found.bytesOf("reserved-above-live"), 16 * kMiB);
}

TEST(ProfilerTrace, SaysThatTheProfilerWasStartedLate)
{
    const FoundInOneMoment found("frees-of-older.json");
    EXPECT_EQ(found.bytesOf("capture-quality"), 2 * kGiB);
    EXPECT_TRUE(contains(found.texts(), "Start the profiler before"));
    EXPECT_FALSE(contains(found.texts(), "max_entries"));
}

TEST(ProfilerTrace, KnowsNothingOfWhatIsOlderAndWasMadeByOperators)
{
    const FoundInOneMoment found("before-the-trace.json");
    const DeviceStudy& study = found.study();
    const Composition atPeak = compositionAt(study.trace, study.allocations, study.sites,
        study.curve.peak().event, GroupKey::Category, &study.categories);
    for (const CompositionGroup& group : atPeak.groups)
        EXPECT_NE(group.key, toText(Category::Input)) << group.bytes;
}

} // namespace highwater
