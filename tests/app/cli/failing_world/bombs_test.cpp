// Small files that need a lot of memory or time. Address space and processor time are limited, so that a
// program without its own limits is killed.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/json.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

using test::PickleWriter;

std::vector<std::pair<int, std::uint64_t>> limits()
{
    std::vector<std::pair<int, std::uint64_t>> all{{RLIMIT_CPU, 20}, {RLIMIT_CORE, 0}};
    if (!test::kIsSanitized)
        all.emplace_back(RLIMIT_AS, std::uint64_t{1} << 30);
    return all;
}

/// Expects the file to be read, read in part or refused with one sentence, within the limits. Returns the
/// exit code.
int expectBounded(const std::string& path, const std::string& what, const std::string& mostInflated = {})
{
    test::Words words{"info", path, "--json"};
    if (!mostInflated.empty())
        words.insert(words.end(), {"--max-inflate", mostInflated});
    const test::ProgramRun run = test::runHighwater(words, {.limits = limits()});
    EXPECT_TRUE(run.exitCode == 0 || run.exitCode == 3 || run.exitCode == 4) << what << ' ' << run.exitCode;
    EXPECT_EQ(run.exitCode != 0, test::isOneLine(run.err)) << what << ' ' << run.err;
    EXPECT_EQ(run.err.find("memory that"), std::string::npos) << what << ' ' << run.err;
    EXPECT_EQ(run.err.find("more memory"), std::string::npos) << what << ' ' << run.err;
    EXPECT_TRUE(nlohmann::json::accept(run.out)) << what << ' ' << run.out.substr(0, 500);
    return run.exitCode;
}

std::string zstdOf(const std::string& bytes)
{
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
    return packed;
}

std::string gzipOf(const std::string& bytes)
{
    z_stream stream{};
    std::string packed(bytes.size() / 500 + 1000, '\0');
    deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// One complete file of each format.
const std::vector<std::string> kForms = {"encodings/tiny-protocol-4.pickle", "encodings/tiny.json",
    "encodings/tiny.html", "kineto/tiny-addresses.pt.trace.json", "memory-timeline/tiny-rows.raw.json",
    "memory-timeline/tiny-levels.json", "cupti/tiny-cuda-12.txt", "cupti/tiny-table.csv",
    "logs/r5-flan-t5-xl.log", "logs/r2-grpo-memory.jsonl", "nsys/training-3.7.2.sqlite"};

} // namespace

class BombBehind : public testing::TestWithParam<std::string>
{
};

/// Half of a good file, followed by 100 MB of one byte, which compress to a few KB.
TEST_P(BombBehind, TheFirstHalfIsBounded)
{
    const test::TemporaryFolder folder;
    const std::string good = test::readWholeFile(test::samplePath(GetParam()));
    const std::string half = zstdOf(good.substr(0, good.size() / 2));
    for (const char filling : {'\0', 'A', '['}) {
        static std::map<char, std::string> packed;
        if (packed[filling].empty())
            packed[filling] = zstdOf(std::string(100'000'000, filling));
        const std::string what = GetParam() + " then " + std::to_string(filling);
        expectBounded(folder.write("bomb", half + packed[filling]), what, "64MiB");
    }
}

/// The same without compression, and smaller: memory must not grow faster than the file.
TEST_P(BombBehind, TheFirstHalfIsBoundedUnpacked)
{
    const test::TemporaryFolder folder;
    const std::string good = test::readWholeFile(test::samplePath(GetParam()));
    for (const std::string filling : {"{\"a\":", "[[1,", "\"\\", "9", "\n", "(", "\xff"}) {
        std::string bytes = good.substr(0, good.size() / 2);
        while (bytes.size() < 3'000'000)
            bytes += filling;
        expectBounded(folder.write("bomb", bytes), GetParam() + " then " + filling);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, BombBehind, testing::ValuesIn(kForms), test::nameOfFile);

TEST(CompressionBomb, IsRefusedAtEveryLayer)
{
    const test::TemporaryFolder folder;
    const std::string zeros(300'000'000, '\0');
    const std::string once = gzipOf(zeros);
    EXPECT_EQ(expectBounded(folder.write("a", once), "gzip"), 3);
    EXPECT_EQ(expectBounded(folder.write("b", gzipOf(once)), "gzip of gzip"), 3);
    EXPECT_EQ(expectBounded(folder.write("c", zstdOf(gzipOf(once))), "zstd of gzip of gzip"), 3);
    EXPECT_EQ(expectBounded(folder.write("d", gzipOf(zstdOf(gzipOf(once)))), "four layers"), 3);
}

TEST(PickleBomb, IsBounded)
{
    constexpr std::uint64_t k2To63 = std::uint64_t{1} << 63;
    const auto lengthOf = [](unsigned char opcode, std::uint64_t length) {
        return PickleWriter().proto(5).op(opcode).u64(length).raw("x").bytes();
    };
    const auto many = [](const std::string& what, std::size_t times) {
        std::string bytes = PickleWriter().proto(4).bytes();
        for (std::size_t i = 0; i < times; ++i)
            bytes += what;
        return bytes + ".";
    };
    PickleWriter farApart;
    farApart.proto(2).emptyList();
    for (std::uint32_t i = 0; i < 200'000; ++i)
        farApart.op('r').u32(i * 4099);
    const std::vector<std::pair<std::string, std::string>> bombs = {
        {"text of 2^63 bytes", lengthOf(0x8d, k2To63)},
        {"bytes of 2^64 - 1", lengthOf(0x8e, ~std::uint64_t{0})},
        {"bytearray of 2^63 - 1", lengthOf(0x96, k2To63 - 1)},
        {"frame of 2^63 - 1", lengthOf(0x95, k2To63 - 1)},
        {"number of 2^31 - 1 bytes", PickleWriter().proto(2).op(0x8b).u32(0x7fffffff).stop()},
        {"number of -1 bytes", PickleWriter().proto(2).op(0x8b).u32(0xffffffff).stop()},
        {"memo entry 2^32 - 1", PickleWriter().proto(2).emptyDict().op('r').u32(0xffffffff).stop()},
        {"memo entries far apart", farApart.stop()},
        {"marks", many("(", 5'000'000)},
        {"lists", many("]", 5'000'000)},
        {"copies", many("]2", 2'000'000)},
        {"lists in lists", many("](", 2'000'000)},
        {"tuples in tuples", ")" + many("\x85", 2'000'000)},
        {"memo", "]" + many("\x94", 5'000'000)},
    };
    const test::TemporaryFolder folder;
    for (const auto& [what, bytes] : bombs)
        expectBounded(folder.write("bomb.pickle", bytes), what);
}

namespace {

/// Returns a snapshot in which `put` writes every figure.
std::string snapshotOf(const std::function<void(PickleWriter&)>& put)
{
    PickleWriter writer;
    writer.proto(4).emptyDict().mark().text("segments").emptyList().mark();
    for (int i = 0; i < 3; ++i) {
        writer.emptyDict().mark();
        for (const char* key : {"address", "total_size", "allocated_size", "stream", "device"})
            put(writer.text(key));
        writer.text("blocks").emptyList().mark().emptyDict().mark().entry("state", "active_allocated");
        for (const char* key : {"address", "size", "requested_size"})
            put(writer.text(key));
        writer.setItems().appends().setItems();
    }
    writer.appends().text("device_traces").emptyList().mark().emptyList().mark();
    for (const char* action :
        {"alloc", "alloc", "free_requested", "free_completed", "segment_alloc", "oom"}) {
        writer.emptyDict().mark().entry("action", action);
        for (const char* key : {"addr", "size", "stream", "time_us", "device_free"})
            put(writer.text(key));
        writer.setItems();
    }
    return writer.appends().appends().setItems().stop();
}

void putFloat(PickleWriter& writer, double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    writer.op('G');
    for (int shift = 56; shift >= 0; shift -= 8)
        writer.op(static_cast<unsigned char>(bits >> shift));
}

/// Returns JSON documents in all formats that have figures; every figure is this text.
std::vector<std::string> documentsOf(const std::string& v)
{
    const std::string memory
        = R"({"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":)" + v
        + R"(,"args":{"Total Reserved":)" + v + R"(,"Total Allocated":)" + v + R"(,"Bytes":)" + v
        + R"(,"Addr":)" + v + R"(,"Device Id":)" + v + R"(,"Device Type":1,"Ev Idx":)" + v + "}}";
    const std::string slice
        = R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":)" + v + R"(,"dur":)" + v + "}";
    const std::string event
        = R"({"action":"alloc","addr":)" + v + R"(,"size":)" + v + R"(,"stream":0,"time_us":)" + v + "}";
    return {R"({"schemaVersion":1,"traceEvents":[)" + memory + ',' + memory + ',' + slice + "]}",
        R"({"segments":[],"device_traces":[[)" + event + ',' + event + "]]}",
        "[[1,0," + v + ",0],[" + v + ",1,512,0],[7,2,512," + v + "]]",
        "[[1," + v + "],[[1," + v + "],[" + v + ",2]]]",
        R"({"log_history":[{"step":)" + v + R"(,"gpu_mem_gb":)" + v + R"(}],"global_step":)" + v + "}",
        "step " + v + " | memory allocated: " + v + " GiB | loss " + v
            + "\nCUDA out of memory. Tried to allocate " + v + " GiB (GPU 0; " + v + " GiB total capacity; "
            + v + " GiB already allocated; 1.00 GiB free; 2.00 GiB reserved in total by PyTorch)\n"};
}

} // namespace

TEST(UnusualFigures, OfASnapshotAreReadOrRefused)
{
    const test::TemporaryFolder folder;
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 9.3e18, -0.5})
        expectBounded(
            folder.write("a.pickle", snapshotOf([&](PickleWriter& writer) { putFloat(writer, value); })),
            std::to_string(value));
    for (const std::int64_t value : {std::numeric_limits<std::int64_t>::max(),
             std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62, std::int64_t{-5}})
        expectBounded(
            folder.write("a.pickle", snapshotOf([&](PickleWriter& writer) { writer.integer(value); })),
            std::to_string(value));
    const std::string large("\x8a\x09\0\0\0\0\0\0\0\x80\0", 11); // 2^63
    expectBounded(
        folder.write("a.pickle", snapshotOf([&](PickleWriter& writer) { writer.raw(large); })), "2^63");
    expectBounded(folder.write("a.pickle", snapshotOf([](PickleWriter& writer) { writer.none(); })), "None");
    expectBounded(
        folder.write("a.pickle", snapshotOf([](PickleWriter& writer) { writer.text("9"); })), "text");
    expectBounded(
        folder.write("a.pickle", snapshotOf([](PickleWriter& writer) { writer.emptyList(); })), "list");
}

TEST(UnusualFigures, OfTextAreReadOrRefused)
{
    const test::TemporaryFolder folder;
    for (const std::string value : {"NaN", "Infinity", "-Infinity", "1e999", "-1.7e308",
             "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775808",
             "-5", "null", "\"x\"", "1e-400", "[]", "{}", "true"})
        for (const std::string& document : documentsOf(value))
            expectBounded(folder.write("a", document), value + " in " + document.substr(0, 40));
    for (const std::string& document : documentsOf(std::string(1'000'000, '9')))
        expectBounded(folder.write("a", document), "a million digits in " + document.substr(0, 40));
}

TEST(UnusualFigures, OfHeadersAreReadOrRefused)
{
    const test::TemporaryFolder folder;
    const test::ProgramRun run
        = test::runHighwater({"convert", test::samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst"),
            "-o", (folder.path() / "run.hwt").string()});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    for (const std::string& good : {test::readWholeFile(folder.path() / "run.hwt"),
             test::readWholeFile(test::samplePath("nsys/training-3.7.2.sqlite"))})
        for (std::size_t at = 0; at < 200; at += 4) { // counts and lengths are at the beginning of the file
            std::string bytes = good;
            bytes.replace(
                at, 8, at % 8 == 0 ? "\xff\xff\xff\xff\xff\xff\xff\x7f" : "\xff\xff\xff\xff\xff\xff\xff\xff");
            expectBounded(folder.write("a", bytes), "at " + std::to_string(at));
        }
}

} // namespace highwater::cli
