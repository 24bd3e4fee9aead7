// Tests of files that trainers, loggers and the profiler wrote for runs in samples/rehearsed: every file
// opens, and every remark on a file is explained here.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The expected remarks and the reasons for them.
const std::map<std::string, std::set<std::string>>& explained()
{
    static const std::map<std::string, std::set<std::string>> remarks = {
        // The format has levels of categories, no addresses, and times in microseconds.
        {"profiled-gpt2.timeline.json.gz",
            {"device-not-recorded", "layers-of-levels", "tensors-and-blocks", "times-cut"}},
        {"profiled-gpt2.timeline.raw.json.gz",
            {"category-changes", "device-not-recorded", "paired-by-size", "tensors-and-blocks",
                "writes-in-place"}},
        // Its times are local.
        {"torchtitan-llama3.log", {"zone-unknown"}},
        // Trainer writes its settings as text next to the scalars, and no memory.
        {"trainer-lora-llama.tfevents", {"not-scalar", "no-memory-figures"}},
    };
    return remarks;
}

} // namespace

class TrainerFile : public testing::TestWithParam<std::string>
{
};

TEST_P(TrainerFile, OpensWithoutARemarkThatIsNotExplained)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath(GetParam()), {});
    ASSERT_TRUE(imported);
    const auto known = explained().find(GetParam().substr(GetParam().find('/') + 1));
    std::set<std::string> codes;
    for (const ImportLogEntry& entry : imported->trace->log.entries())
        codes.insert(entry.code);
    EXPECT_EQ(codes, known == explained().end() ? std::set<std::string>() : known->second);
}

TEST_P(TrainerFile, HasEventsOrFiguresOfMemoryUnlessItSaysOtherwise)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath(GetParam()), {});
    ASSERT_TRUE(imported);
    const auto known = explained().find(GetParam().substr(GetParam().find('/') + 1));
    const bool hasNone = known != explained().end() && known->second.contains("no-memory-figures");
    EXPECT_EQ(imported->trace->events.rows() > 0
            || std::ranges::any_of(imported->trace->counters,
                [](const CounterSeries& series) { return series.unit == "bytes"; }),
        !hasNone);
}

INSTANTIATE_TEST_SUITE_P(
    All, TrainerFile, testing::ValuesIn(test::sampleNames("trainers")), test::nameOfFile);

} // namespace highwater
