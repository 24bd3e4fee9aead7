#include "importers/wandb/wandb_importer.h"

#include <gtest/gtest.h>

#include <zlib.h>

#include "importers/wandb/record_blocks.h"
#include "tests/support/import_bytes.h"

namespace highwater {

namespace {

constexpr char kFull = 1;
constexpr char kFirst = 2;
constexpr char kLast = 4;

std::string littleEndian(std::uint32_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i));
    return text;
}

std::string piece(char type, const std::string& data)
{
    const std::string checked = type + data;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())));
    return littleEndian(sum, 4) + littleEndian(static_cast<std::uint32_t>(data.size()), 2) + checked;
}

std::string field(int number, const std::string& bytes)
{
    const int key = number << 3 | 2;
    const std::string tag = key < 128
        ? std::string(1, static_cast<char>(key))
        : std::string{static_cast<char>(key | 128), static_cast<char>(key >> 7)};
    return tag + static_cast<char>(bytes.size()) + bytes;
}

std::string item(const std::string& key, const std::string& json)
{
    return field(1, key) + field(16, json);
}

const std::string kHead = std::string(wandb::kMagic) + '\0';

/// Returns its bytes, then one error, then the end.
class FailingOnce : public ByteSource
{
public:
    explicit FailingOnce(const std::string& bytes)
        : m_bytes(bytes, bytes.size(), Error{ErrorCode::CannotRead, "gone", {}})
    {
    }
    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        if (m_failed)
            return std::size_t{0};
        Result<std::size_t> got = m_bytes.read(buffer);
        m_failed = !got;
        return got;
    }
    SourcePosition position() const override { return m_bytes.position(); }

private:
    test::PiecewiseSource m_bytes;
    bool m_failed = false;
};

std::string history(const std::string& step, const std::string& value)
{
    return field(2,
        field(1, item("_step", step)) + field(1, item("_timestamp", "1714521600.5"))
            + field(1, item("perf/max_memory_allocated_gb", value)));
}

} // namespace

TEST(Wandb, HistoryGivesSeries)
{
    const auto imported = test::importBytes(kHead + piece(kFull, history("7", "1.5")));
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_EQ(imported->trace->metadata.kind, TraceKind::WandbRun);
    ASSERT_EQ(imported->trace->counters.size(), 1u);
    const CounterSeries& series = imported->trace->counters[0];
    EXPECT_EQ(series.value, std::vector<double>{1.5 * kGiB});
    EXPECT_EQ(series.step, std::vector<std::int64_t>{7});
    EXPECT_EQ(series.time, std::vector<Nanoseconds>{1'714'521'600'500'000'000});
}

TEST(Wandb, StatisticsNameTheirDevice)
{
    const std::string stats = field(7,
        field(2, std::string("\x08\x80\xAC\xC3\xB1\x06", 6))
            + field(3, item("gpu.1.memoryAllocatedBytes", "2048")));
    const auto imported = test::importBytes(kHead + piece(kFull, stats));
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->counters.size(), 1u);
    EXPECT_EQ(imported->trace->counters[0].deviceOrdinal, 1);
    EXPECT_EQ(imported->trace->counters[0].metric, "device_used");
}

TEST(Wandb, RecordsInPiecesArePutTogether)
{
    const std::string record = history("7", "1.5");
    const auto imported
        = test::importBytes(kHead + piece(kFirst, record.substr(0, 10)) + piece(kLast, record.substr(10)));
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->counters.size(), 1u);
}

TEST(Wandb, ConsoleTextIsReadAsALog)
{
    const auto imported
        = test::importBytes(kHead + piece(kFull, field(13, field(3, "peak memory consumption: ")))
            + piece(kFull, field(13, field(3, "34239 MiB\n"))));
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->counters.size(), 1u);
    EXPECT_EQ(imported->trace->counters[0].value, std::vector<double>{34239.0 * kMiB});
}

TEST(Wandb, CutAndDamagedFilesKeepWhatCameBefore)
{
    const std::string good = kHead + piece(kFull, history("7", "1.5"));
    const auto cut = test::importBytes(good + piece(kFull, history("8", "1.5")).substr(0, 30));
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->incomplete->code, ErrorCode::Truncated);
    std::string damaged = piece(kFull, history("8", "1.5"));
    damaged.back() = static_cast<char>(damaged.back() + 1);
    const auto broken = test::importBytes(good + damaged);
    ASSERT_TRUE(broken);
    EXPECT_EQ(broken->incomplete->code, ErrorCode::Malformed);
    EXPECT_EQ(broken->incomplete->place, Place::byte(good.size()));
    EXPECT_EQ(broken->trace->counters.size(), 1u);
}

TEST(Wandb, AnErrorBehindARecordIsNoEnd)
{
    FailingOnce source(kHead + piece(kFull, "record"));
    wandb::RecordBlocks records(source, 1 << 20);
    EXPECT_EQ(records.next().value(), "record");
    const auto next = records.next();
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().message, "gone");
}

} // namespace highwater
