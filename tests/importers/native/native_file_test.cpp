// Tests of Highwater's own compact file: the written trace is read again, and a damaged file is refused.
#include <gtest/gtest.h>

#include "importers/native/native_format.h"
#include "importers/native/native_reader.h"
#include "importers/native/native_writer.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::string nativeBytes(const Trace& trace)
{
    std::string bytes;
    EXPECT_TRUE(writeNative(trace, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    return bytes;
}

std::string dumpBody(const Trace& trace)
{
    const std::string dump = dumpTrace(trace);
    return dump.substr(dump.find(" history"));
}

std::string smallFile()
{
    return nativeBytes(*test::traceFromText(
        "stack s = a.py:1 f\nalloc a 1 @s t=5\nfree a\nalloc b 2 pool=0,1\nend\nfinal old 9"));
}

} // namespace

TEST(NativeFile, BeginsWithItsMagic)
{
    EXPECT_TRUE(sniffNative(smallFile()));
    EXPECT_FALSE(sniffNative("HWTRACE"));
    EXPECT_FALSE(sniffNative(""));
}

TEST(NativeFile, GivesBackRandomTraces)
{
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const auto trace = test::randomTrace(seed, {.consistent = seed % 3 != 0, .times = seed % 2 == 0});
        const Result<ImportedTrace> reopened = test::importBytes(nativeBytes(*trace));
        ASSERT_TRUE(reopened) << toText(reopened.error());
        EXPECT_EQ(dumpBody(*reopened->trace), dumpBody(*trace)) << seed;
    }
}

TEST(NativeFile, GivesBackATraceOfNothing)
{
    const Result<ImportedTrace> reopened = test::importBytes(nativeBytes(*TraceBuilder().finish()));
    ASSERT_TRUE(reopened) << toText(reopened.error());
    EXPECT_TRUE(reopened->trace->devices.empty());
}

TEST(NativeFile, GivesBackATraceWhoseFirstTextIsEmpty)
{
    TraceBuilder builder;
    builder.strings().intern("x");
    const StringId name = builder.strings().intern("");
    builder.addAnnotationMark({name, 0, 5, true});
    const Result<ImportedTrace> reopened = test::importBytes(nativeBytes(*builder.finish()));
    ASSERT_TRUE(reopened);
    EXPECT_EQ(reopened->trace->spans.size(), 1u);
}

TEST(NativeFile, ReadsTheSameInPiecesOfAnySize)
{
    const std::string bytes = smallFile();
    const std::string whole = dumpTrace(*test::importBytes(bytes)->trace);
    for (const std::size_t piece : {1u, 7u, 100u})
        EXPECT_EQ(dumpTrace(*test::importBytes(bytes, piece)->trace), whole);
}

TEST(NativeFile, CutAnywhereIsRefused)
{
    const std::string bytes = smallFile();
    for (std::size_t cut = 8; cut < bytes.size(); ++cut) {
        const Result<ImportedTrace> imported = test::importBytes(bytes.substr(0, cut));
        ASSERT_FALSE(imported) << cut;
        ASSERT_EQ(imported.error().code, ErrorCode::Truncated) << cut << ": " << toText(imported.error());
    }
}

TEST(NativeFile, WithAnyByteChangedIsRefusedOrTheSame)
{
    const std::string bytes = smallFile();
    const std::string whole = dumpTrace(*test::importBytes(bytes)->trace);
    ImportOptions options;
    options.maxMemoryBytes = 64 << 20;
    for (std::size_t position = 8; position < bytes.size(); ++position)
        for (const int bit : {1, 0x80}) {
            std::string changed = bytes;
            changed[position] = static_cast<char>(changed[position] ^ bit);
            const Result<ImportedTrace> imported = test::importBytes(changed, 1 << 20, options);
            if (imported) {
                ASSERT_EQ(dumpTrace(*imported->trace), whole) << "byte " << position;
            }
        }
}

TEST(NativeFile, OfANewerVersionIsRefusedByNumber)
{
    std::string bytes = smallFile();
    bytes[8] = 77;
    const Result<ImportedTrace> imported = test::importBytes(bytes);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::UnknownFormat);
    EXPECT_NE(imported.error().message.find("file version 77"), std::string::npos);
}

TEST(NativeFile, StopsAtTheMemoryLimit)
{
    ImportOptions options;
    options.maxMemoryBytes = 100;
    const Result<ImportedTrace> imported = test::importBytes(smallFile(), 1 << 20, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(NativeFile, SaysThatItsSinkFailed)
{
    EXPECT_FALSE(writeNative(*test::traceFromText("alloc a 1\nend"), [](std::string_view) { return false; }));
}

} // namespace highwater
