// Checks that a summary describes the peak in exactly the same words as its recording.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/run/run_assembly.h"
#include "app/loading/summary_file.h"
#include "core/analysis/composition/composition.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The keys that a summary supports. It has no addresses, streams and pools, nor the calls that identify
/// modules.
constexpr GroupKey kKeys[]
    = {GroupKey::Site, GroupKey::Stack, GroupKey::Function, GroupKey::File, GroupKey::Category};

std::vector<std::pair<std::string, Bytes>> groupsOf(const RunStudy& study, GroupKey key)
{
    const DeviceStudy& device = *study.device();
    std::vector<std::pair<std::string, Bytes>> groups;
    for (const CompositionGroup& group : compositionAt(device.trace, device.allocations, device.sites,
             study.figures()->peakEvent, key, &device.categories)
                                             .groups)
        groups.emplace_back(group.key, group.bytes);
    return groups;
}

class SummaryWording : public testing::TestWithParam<std::string>
{
};

std::vector<std::string> recordings()
{
    std::vector<std::string> names;
    for (const char* folder :
        {"pytorch-snapshot", "rehearsed", "encodings", "memory-timeline", "kineto", "broken"})
        for (std::string& name : test::sampleNames(folder))
            names.push_back(std::move(name));
    return names;
}

} // namespace

TEST_P(SummaryWording, OfThePeakIsThatOfTheRecording)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath(GetParam()), {});
    if (!imported || imported->trace->devices.empty() || imported->trace->events.rows() == 0)
        return; // there is nothing to summarize
    const RunStudy recording(*partsOf(GetParam(), *imported, {}));
    const Result<ImportedTrace> summary = test::importBytes(summaryFile(recording, {}, 0).bytes);
    ASSERT_TRUE(summary) << toText(summary.error());
    const RunStudy study(*partsOf(GetParam(), *summary, {}));
    for (const GroupKey key : kKeys)
        EXPECT_EQ(groupsOf(study, key), groupsOf(recording, key)) << toText(key);
}

INSTANTIATE_TEST_SUITE_P(Of, SummaryWording, testing::ValuesIn(recordings()), [](const auto& name) {
    std::string text = name.param; // includes the folder, because some names are in several folders
    std::ranges::replace(text, '/', '.');
    return test::testNameOf(text);
});

} // namespace highwater
