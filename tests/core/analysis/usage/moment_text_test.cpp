#include "core/analysis/usage/moment_text.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const char* const kTimedTrace = "alloc a 512 t=1000\nalloc b 512 t=1500\nalloc c 512 t=3000\nend";

} // namespace

TEST(DurationFromText, TakesEveryUnitHoweverItIsWritten)
{
    for (const char* text :
        {"12.5ms", "+12.5 ms", "12500us", "12,500 µs", "0.0125s", "12500000 ns", "12.5 MS"})
        EXPECT_EQ(durationFromText(text), 12.5e6) << text;
    EXPECT_EQ(durationFromText("2min"), 120e9);
}

TEST(DurationFromText, TakesNothingElse)
{
    for (const char* text : {"", "12", "ms", "-1s", "1e3s", "1,2ms", "12.5 MiB", "s5", "nan s", "5 s 3"})
        EXPECT_EQ(durationFromText(text), std::nullopt) << text;
}

TEST(MomentText, IsAnEventOrATime)
{
    for (const char* text : {"5701", "-1", "12.5ms"})
        EXPECT_TRUE(namesMoment(text)) << text;
    for (const char* text : {"", "peak", "5.5", "5 701", "-2ms"})
        EXPECT_FALSE(namesMoment(text)) << text;
}

TEST(MomentText, LeadsToTheEventItself)
{
    const auto trace = test::traceFromText(kTimedTrace);
    EXPECT_EQ(eventOfMoment("2", *trace, 0), 2);
    EXPECT_EQ(eventOfMoment("-1", *trace, 0), -1);
}

TEST(MomentText, LeadsToTheLastEventThatBeganBeforeATime)
{
    const auto trace = test::traceFromText(kTimedTrace);
    EXPECT_EQ(eventOfMoment("0ms", *trace, 0), 0);
    EXPECT_EQ(eventOfMoment("499us", *trace, 0), 0);
    EXPECT_EQ(eventOfMoment("0.5ms", *trace, 0), 1);
    EXPECT_EQ(eventOfMoment("2ms", *trace, 0), 2);
}

TEST(MomentText, OfAnEventThatThereIsNotSaysWhichThereAre)
{
    const auto trace = test::traceFromText(kTimedTrace);
    for (const char* text : {"3", "-2"}) {
        const Result<std::int64_t> event = eventOfMoment(text, *trace, 0);
        ASSERT_FALSE(event);
        EXPECT_NE(event.error().message.find("0 to 2"), std::string::npos) << event.error().message;
    }
}

TEST(MomentText, AfterTheEndSaysHowLongTheTraceIs)
{
    const Result<std::int64_t> event = eventOfMoment("2.1ms", *test::traceFromText(kTimedTrace), 0);
    ASSERT_FALSE(event);
    EXPECT_NE(event.error().message.find("lasts 2 ms"), std::string::npos) << event.error().message;
}

TEST(MomentText, NeedsTimes)
{
    const auto trace = test::traceFromText("alloc a 512\nend");
    const Result<std::int64_t> event = eventOfMoment("1ms", *trace, 0);
    ASSERT_FALSE(event);
    EXPECT_NE(event.error().message.find("no times"), std::string::npos);
}

} // namespace highwater
