#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct NameAndError
{
    const char* name;
    ErrorCode code;
    const char* sentence;
};

std::string sampleName(const testing::TestParamInfo<NameAndError>& info)
{
    return test::testNameOf(info.param.name);
}

} // namespace

class RefusedSample : public testing::TestWithParam<NameAndError>
{
};

TEST_P(RefusedSample, IsRefusedInOneSentenceWithItsPlace)
{
    const auto imported = openTrace(test::samplePath(std::string("broken/") + GetParam().name), {});
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, GetParam().code);
    EXPECT_EQ(toText(imported.error()), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(All, RefusedSample,
    testing::Values(NameAndError{"empty.pickle", ErrorCode::UnknownFormat, "is empty"},
        NameAndError{"protocol-7.pickle", ErrorCode::UnknownFormat,
            "pickle protocol 7 is newer than the newest known (5) (at byte 0)"},
        NameAndError{"not-a-snapshot.pickle", ErrorCode::UnknownFormat,
            "is not a memory snapshot; it has neither segments nor device_traces (its top level has: model, "
            "history)"},
        NameAndError{"calls-os-system.pickle", ErrorCode::Refused,
            "the pickle would load os.system, but a memory snapshot never runs code; refused (at byte 16)"},
        NameAndError{"stack-global-posix-system.pickle", ErrorCode::Refused,
            "the pickle would load posix.system, but a memory snapshot never runs code; refused (at byte "
            "32)"},
        NameAndError{
            "memo-unset.pickle", ErrorCode::Malformed, "memo entry 77 is used before it is set (at byte 15)"},
        NameAndError{"huge-length.pickle", ErrorCode::LimitExceeded,
            "a text is longer than 64 MiB, unlike any in a snapshot (at byte 4)"},
        NameAndError{"huge-length-64.pickle", ErrorCode::LimitExceeded,
            "a text is longer than 64 MiB, unlike any in a snapshot (at byte 4)"},
        NameAndError{
            "setitems-odd.pickle", ErrorCode::Malformed, "SETITEMS has a key without a value (at byte 34)"},
        NameAndError{"appends-without-mark.pickle", ErrorCode::Malformed,
            "APPENDS has no list before its mark (at byte 8)"},
        NameAndError{"deep-nesting.pickle", ErrorCode::LimitExceeded,
            "is nested deeper than 64 levels, unlike any snapshot (at byte 5,066)"},
        NameAndError{"timeline-picture.html", ErrorCode::UnknownFormat,
            "is a picture of a memory timeline, without figures; export it with a name that ends in .json or "
            ".raw.json.gz, or record a memory snapshot"},
        NameAndError{"reference-bomb.pickle", ErrorCode::LimitExceeded,
            "is nested deeper than 64 levels, unlike any snapshot (at byte 1,439)"},
        NameAndError{"sqlite-of-others.sqlite", ErrorCode::UnknownFormat,
            "is an SQLite database, but not an export of Nsight Systems"},
        NameAndError{"nvprof.sqlite", ErrorCode::UnknownFormat,
            "is a database of nvprof or the Visual Profiler, which do not record memory; use Nsight Systems"},
        NameAndError{"closed-report.nsys-rep", ErrorCode::UnknownFormat,
            "is a report that only Nsight Systems reads; export it with \"nsys export --type sqlite "
            "--ts-normalize true REPORT\" and open the .sqlite file"}),
    sampleName);

class CutSample : public testing::TestWithParam<NameAndError>
{
};

TEST_P(CutSample, OpensAsFarAsItGoesAndSaysWhereItEnds)
{
    const auto imported = openTrace(test::samplePath(std::string("broken/") + GetParam().name), {});
    ASSERT_TRUE(imported) << toText(imported.error());
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, GetParam().code);
    EXPECT_EQ(toText(*imported->incomplete), GetParam().sentence);
    EXPECT_TRUE(imported->trace->events.rows() > 0 || !imported->trace->segments.segments.empty());
}

INSTANTIATE_TEST_SUITE_P(All, CutSample,
    testing::Values(NameAndError{"truncated.pickle", ErrorCode::Truncated,
                        "the file ends in the middle of the snapshot (at byte 6,466)"},
        NameAndError{
            "gzip-cut.pickle.gz", ErrorCode::Truncated, "the compressed data end early (at byte 1,532)"},
        NameAndError{"timeline-cut.raw.json", ErrorCode::Truncated,
            "the file ends in the middle of the timeline (at byte 364)"},
        NameAndError{"timeline-broken.raw.json", ErrorCode::Malformed,
            "is not valid JSON of lists of numbers (at byte 309)"},
        NameAndError{
            "cupti-cut.txt", ErrorCode::Truncated, "the file ends in the middle of a record (at line 22)"},
        NameAndError{"json-cut.json", ErrorCode::Truncated,
            "the file ends in the middle of the snapshot (at byte 43,746)"},
        NameAndError{"nsys-cut.sqlite", ErrorCode::Truncated,
            "the database ends early, with 33,792 of 56,320 bytes (at byte 33,792)"},
        NameAndError{"nsys-damaged.sqlite", ErrorCode::Malformed,
            "is a damaged database: table CUPTI_ACTIVITY_KIND_RUNTIME ends after 0 of its rows"}),
    sampleName);

TEST(ViewsSample, IsReadWithoutItsViews)
{
    const auto imported = openTrace(test::samplePath("broken/nsys-views.sqlite"), {});
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->events.rows(), 0u);
    EXPECT_TRUE(imported->trace->log.find("no-memory-events"));
}

TEST(WrongTypesSample, OpensCompletelyWithAllItsEvents)
{
    const auto imported = openTrace(test::samplePath("broken/wrong-types.pickle"), {});
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_EQ(imported->trace->eventCount(0), 22);
}

TEST(WrongTypesSample, ReportsTheWrongSizeAndTheWrongTime)
{
    const auto imported = openTrace(test::samplePath("broken/wrong-types.pickle"), {});
    EXPECT_NE(imported->trace->log.find("size-out-of-range"), nullptr);
    EXPECT_NE(imported->trace->log.find("time-out-of-range"), nullptr);
}

TEST(WrongTypesSample, ReportsTheAddressThatIsNoNumber)
{
    const auto imported = openTrace(test::samplePath("broken/wrong-types.pickle"), {});
    bool named = false;
    for (const ImportLogEntry& entry : imported->trace->log.entries())
        named = named || entry.message.find("address") != std::string::npos;
    EXPECT_TRUE(named);
}

TEST(UnreadableRecordSample, OpensCompletelyAndNamesItsLine)
{
    const auto imported = openTrace(test::samplePath("broken/cupti-unreadable.txt"), {});
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->incomplete);
    EXPECT_EQ(imported->trace->eventCount(0), 8);
    const ImportLogEntry* entry = imported->trace->log.find("record-unreadable");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->count, 1);
    EXPECT_EQ(entry->firstAt, Place::line(11));
}

} // namespace highwater
