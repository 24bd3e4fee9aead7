#include "tests/support/dump/trace_dump.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

TEST(TraceDump, WritesOneLineAnItem)
{
    const auto trace = test::traceFromText(R"(
        stack s = /app/a.py:3 make | ??:0 at::empty
        alloc a 100 @s t=7
        free a
        final b 600 pending
        cached c 512
    )");
    EXPECT_EQ(dumpTrace(*trace),
        "format  history true start_lost false\n"
        "device cuda:0 events 3\n"
        "segment 200000000 size 1024 unknown stream 0 pool - -\n"
        "  block 200000000 size 1024 requested 600 pending_free -\n"
        "segment 300000000 size 512 unknown stream 0 pool - -\n"
        "  block 300000000 size 512 requested 512 inactive -\n"
        "0 alloc 100000000 100 t7000 stream 0 pool - s0 pair 2\n"
        "1 free_requested 100000000 100 t0 stream 0 pool - - pair -1\n"
        "2 free_completed 100000000 100 t0 stream 0 pool - - pair 0\n"
        "stack s0\n"
        "  py make /app/a.py:3\n"
        "  c++ at::empty ??:0\n");
}

TEST(TraceDump, NumbersStacksByUseAndNotByStorage)
{
    const auto one
        = test::traceFromText("stack x = a.py:1 x\nstack y = b.py:1 y\nalloc a 1 @y\nalloc b 1 @x\nend");
    const auto other
        = test::traceFromText("stack y = b.py:1 y\nstack x = a.py:1 x\nalloc a 1 @y\nalloc b 1 @x\nend");
    EXPECT_EQ(dumpTrace(*one), dumpTrace(*other));
}

TEST(TraceDump, TellsTracesThatDifferApart)
{
    const std::string one = dumpTrace(*test::traceFromText("alloc a 1\nend"));
    EXPECT_NE(one, dumpTrace(*test::traceFromText("alloc a 2\nend")));
    EXPECT_NE(one, dumpTrace(*test::traceFromText("alloc a 1 stream=3\nend")));
    EXPECT_NE(one, dumpTrace(*test::traceFromText("alloc a 1 t=3\nend")));
    EXPECT_NE(one, dumpTrace(*test::traceFromText("alloc a 1 pool=0,1\nend")));
}

TEST(TraceDump, NeverPassesOnControlCharactersOfAName)
{
    TraceBuilder builder;
    builder.metadata().settings.emplace_back("na\nme", "val\x1bue");
    const std::string dump = dumpTrace(*builder.finish());
    EXPECT_NE(dump.find("setting na\uFFFDme = val\uFFFDue\n"), std::string::npos);
}

} // namespace highwater
