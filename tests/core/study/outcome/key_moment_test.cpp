// Tests that the figures of one screen are of one moment.
#include "core/study/outcome/key_moment.h"

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/stacked_groups.h"
#include "core/study/run_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::shared_ptr<const Trace> sampleTrace(const std::string& path)
{
    return openTrace(test::samplePath(path), {})->trace;
}

Bytes sumOf(const StackedGroups& stacked)
{
    Bytes sum = 0;
    for (const StackedGroup& group : stacked.groups)
        sum += group.bytes;
    return sum;
}

} // namespace

TEST(KeyMoment, IsTheFailureThatEndedTheRun)
{
    const auto trace = sampleTrace("pytorch-snapshot/oom-fragmentation.pickle.zst");
    const DeviceStudy study(*trace, 0);
    const KeyMoment moment = keyMoment(study);
    EXPECT_EQ(inWords(moment.kind), "when memory ran out");
    EXPECT_EQ(formatBytes(moment.bytes), "4.37 GiB");
    EXPECT_EQ(formatBytes(moment.reserved.value_or(0)), "7.24 GiB");
    // The headline gives the bytes that are free then.
    EXPECT_EQ(formatBytes(*moment.reserved - moment.bytes), "2.87 GiB");
    EXPECT_EQ(formatBytes(peakMoment(study).bytes), "4.65 GiB");
}

TEST(KeyMoment, HasOneReservedFigureWhereThePeakOfReservedMemoryWasEarlier)
{
    const auto trace = sampleTrace("ranks/rank2_snapshot.pickle.zst");
    const DeviceStudy study(*trace, 0);
    EXPECT_EQ(formatBytes(keyMoment(study).bytes), "515.91 MiB");
    EXPECT_EQ(formatBytes(keyMoment(study).reserved.value_or(0)), "596 MiB");
}

TEST(KeyMoment, IsTheOneThatTheReaderChose)
{
    const auto trace = test::traceFromText("alloc a 10\nalloc b 20\nend");
    const DeviceStudy study(*trace, 0);
    EXPECT_EQ(inWords(momentAfter(study, 0).kind), "at this moment");
    EXPECT_EQ(momentAfter(study, 0).bytes, 10);
}

TEST(KeyMoment, IsTheHighestEventOfAFileThatIsCutOff)
{
    const auto trace = sampleTrace("broken/truncated.pickle");
    const DeviceStudy study(*trace, 0);
    EXPECT_EQ(inWords(keyMoment(study).kind), "at the highest readable total");
    EXPECT_EQ(formatBytes(keyMoment(study).bytes), "6 MiB");
}

TEST(KeyMoment, IsThePeakIfTheRunWentOnAfterAFailure)
{
    const auto trace = test::traceFromText("alloc a 3GiB\noom 1GiB 1MiB\nend\n");
    EXPECT_EQ(keyMoment(DeviceStudy(*trace, 0)).kind, KeyMomentKind::OutOfMemory);
    const auto whole = sampleTrace("pytorch-snapshot/training-6-steps-bare.pickle.zst");
    EXPECT_EQ(inWords(keyMoment(DeviceStudy(*whole, 0)).kind), "at the peak");
}

TEST(KeyMoment, HasTheSameBytesInTablesLegendAndCurve)
{
    for (const char* name :
        {"pytorch-snapshot/r1-grpo-before.pickle.zst", "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst",
            "pytorch-snapshot/oom-fragmentation.pickle.zst", "pytorch-snapshot/oom-too-big.pickle.zst",
            "ranks/rank2_snapshot.pickle.zst"}) {
        const auto trace = sampleTrace(name);
        const DeviceStudy study(*trace, 0);
        const LiveIndex live(study.allocations);
        for (const KeyMoment& moment : {keyMoment(study), peakMoment(study)}) {
            EXPECT_EQ(moment.bytes, study.curve.at(moment.event)) << name;
            for (const GroupKey key : {GroupKey::Category, GroupKey::Site})
                EXPECT_EQ(compositionAt(study.trace, study.allocations, study.sites, moment.event, key,
                              &study.categories)
                              .bytes,
                    moment.bytes)
                    << name;
            EXPECT_EQ(sumOf(stackSites(study, live, moment.event)), moment.bytes) << name;
            EXPECT_EQ(sumOf(stackKeptApart(study, live, moment.event)), moment.bytes) << name;
        }
    }
}

} // namespace highwater
