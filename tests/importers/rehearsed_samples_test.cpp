// Checks that every rehearsed sample opens, and that every remark on one is explained here.
#include <set>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Their history buffer (`max_entries`) overflowed, so earlier events are missing.
const std::set<std::string> kFullRings = {"ring-overflow-qwen.pickle.zst", "trl-grpo-qwen.pickle.zst"};

} // namespace

TEST(RehearsedSamples, OpenWithoutARemarkThatIsNotExplained)
{
    std::size_t looked = 0;
    for (const char* folder : {"rehearsed", "long"})
        for (const std::string& name : test::sampleNames(folder)) {
            if (!name.ends_with(".pickle.zst"))
                continue;
            ++looked;
            const Result<ImportedTrace> imported = openTrace(test::samplePath(name), {});
            ASSERT_TRUE(imported) << name;
            for (const ImportLogEntry& entry : imported->trace->log.entries())
                EXPECT_TRUE(entry.code == "rehearsed"
                    || (entry.code == "round-event-count"
                        && kFullRings.contains(name.substr(name.rfind('/') + 1))))
                    << name << ": " << entry.message;
        }
    EXPECT_GT(looked, 180u);
}

} // namespace highwater
