#include "core/analysis/device/moment_words.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

TEST(MomentWords, NameThePeakOfARecordedRun)
{
    const auto trace = test::traceFromText("alloc a 10\nalloc b 20\nfree b\nend");
    const DeviceStudy study(*trace, 0);
    EXPECT_EQ(momentAndHighest(study, 0), "after event 0");
    EXPECT_EQ(momentAndHighest(study, study.curve.peak().event), "after event 1, the peak");
    EXPECT_EQ(momentIn(*trace, -1), "before the first event");
    EXPECT_EQ(nameOfHighest(study), "peak");
}

TEST(MomentWords, CallTheOneMomentOfAFileWithoutHistoryNoPeak)
{
    for (const char* const name : {"moments/one-event.pickle", "moments/reserved.pickle"}) {
        const auto trace = openTrace(test::samplePath(name), {})->trace;
        const DeviceStudy study(*trace, 0);
        EXPECT_EQ(momentAndHighest(study, study.curve.peak().event), "at the snapshot") << name;
        EXPECT_EQ(momentIn(*trace, -1, "at"), "at the snapshot") << name;
        EXPECT_EQ(nameOfHighest(study), "snapshot") << name;
    }
}

} // namespace highwater
