// Tests of the additions to the snapshot format by PyTorch 2.14 to 2.16 and by other programs.
#include <gtest/gtest.h>

#include "core/run/recorded_source.h"
#include "tests/support/import_bytes.h"

namespace highwater {

namespace {

std::shared_ptr<const Trace> snapshotWith(const std::string& events, const std::string& more = "")
{
    const Result<ImportedTrace> imported
        = test::importBytes("{\"segments\": [], \"device_traces\": [[" + events + "]]" + more + "}");
    if (!imported)
        throw std::runtime_error(toText(imported.error()));
    return imported->trace;
}

std::string allocWith(const std::string& fields)
{
    return R"({"action": "alloc", "addr": 4096, "size": 512, "stream": 0)" + fields + "}";
}

const std::string kFreed = R"(, {"action": "free_requested", "addr": 4096, "size": 512, "stream": 0},
    {"action": "free_completed", "addr": 4096, "size": 512, "stream": 0})";

} // namespace

TEST(SnapshotDialect, NamesThePoolOfAnEventByEitherKey)
{
    for (const char* key : {"pool_id", "segment_pool_id"}) {
        const auto trace = snapshotWith(allocWith(std::string(", \"") + key + "\": [0, 3]") + kFreed);
        EXPECT_EQ(trace->poolLabel(trace->events.pool.get(0)), "private pool (0, 3)") << key;
    }
}

TEST(SnapshotDialect, KeepsWhatUserMetadataSays)
{
    const auto trace = snapshotWith(allocWith(R"(, "user_metadata": "{\"pool\": \"kv\"}")") + kFreed);
    EXPECT_NE(trace->text(trace->events.details.get(0)).find("kv"), std::string_view::npos);
}

TEST(SnapshotDialect, TakesSeveralAnnotationsOfOneAllocation)
{
    const auto trace = snapshotWith(allocWith("")
        + R"(, {"action": "annotate", "addr": 4096, "size": 0, "stream": 0, "user_metadata": "loss.out"},
        {"action": "annotate", "addr": 4096, "size": 0, "stream": 0, "user_metadata": "head"})"
        + kFreed);
    EXPECT_EQ(trace->eventCount(0), 5);
    EXPECT_TRUE(trace->log.entries().empty());
}

TEST(SnapshotDialect, OpensAFileOfHostMemoryAlone)
{
    const auto trace
        = snapshotWith("", R"(, "host_segments": [], "host_traces": [[)" + allocWith("") + kFreed + "]]");
    ASSERT_EQ(trace->devices.size(), 1u);
    EXPECT_EQ(trace->devices[0].label(), "host");
}

TEST(SnapshotDialect, OpensPaddlesFormWithItsOperators)
{
    const auto trace = snapshotWith(allocWith(R"(, "op_name": "matmul", "id": 3)")
        + R"(, {"action": "annotation", "addr": 0, "size": 0, "stream": 0, "op_name": "matmul", "id": 4})"
        + kFreed);
    EXPECT_EQ(trace->eventCount(0), 4);
    EXPECT_NE(trace->text(trace->events.details.get(0)).find("matmul"), std::string_view::npos);
    EXPECT_EQ(trace->unknownActions, std::vector<std::string>{"annotation"});
}

TEST(SnapshotDialect, KeepsTheSourceCodeThatAnotherProgramAdds)
{
    const auto trace = snapshotWith(allocWith("") + kFreed, R"(, "source_code": {"a.py": "import torch"})");
    EXPECT_EQ(trace->eventCount(0), 3);
    ASSERT_NE(trace->log.find("unknown-entry"), nullptr);
    EXPECT_NE(trace->log.find("unknown-entry")->message.find("source_code"), std::string::npos);
}

TEST(SnapshotDialect, KeepsLongSourceCodeAsAWhole)
{
    const std::string text(100'000, 'x');
    const auto trace = snapshotWith(
        allocWith("") + kFreed, R"(, "source_code": {"a.py": ")" + text + R"(", "b.py": "y\n\"z\""})");
    EXPECT_EQ(recordedSource(trace->metadata, "a.py"), text);
    EXPECT_EQ(recordedSource(trace->metadata, "b.py"), "y\n\"z\"");
    EXPECT_EQ(recordedSource(trace->metadata, "c.py"), std::nullopt);
}

TEST(SnapshotDialect, KeepsLongSourceCodeOnlyOnce)
{
    const std::string code = R"(, "source_code": {"a.py": ")" + std::string(100'000, 'x') + R"("})";
    const auto trace = snapshotWith(allocWith("") + kFreed, code + code + code);
    std::size_t bytes = 0;
    for (const auto& [name, value] : trace->metadata.unknownEntries)
        bytes += value.size();
    EXPECT_LT(bytes, 150'000u);
}

} // namespace highwater
