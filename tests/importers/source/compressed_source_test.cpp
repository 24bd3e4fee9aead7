#include "importers/source/compressed_source.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/memory_limit.h"
#include "importers/source/peekable_source.h"
#include "tests/support/piecewise_source.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

std::string gzipped(const std::string& text)
{
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string zstandard(const std::string& text)
{
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

std::string longText()
{
    std::string text;
    for (int i = 0; i < 60'000; ++i)
        text += "line " + std::to_string(i * 7919 % 65537) + "\n";
    return text;
}

Result<std::string> unpacked(const std::string& kind, const std::string& bytes, std::size_t piece = 4096,
    std::uint64_t limit = 1 << 30)
{
    const auto source = decompress(kind, std::make_unique<test::PiecewiseSource>(bytes, piece), limit);
    return test::readAll(*source, 1000);
}

std::string packed(const std::string& kind, const std::string& text)
{
    return kind == "gzip" ? gzipped(text) : zstandard(text);
}

/// 300 MiB that are never in memory completely: the same part is repeated.
constexpr std::uint64_t kManyBytes = std::uint64_t{300} << 20;

std::string packedManyTimes(const std::string& kind, const std::string& mebibyte)
{
    const std::string part = packed(kind, mebibyte);
    std::string bytes;
    for (int i = 0; i < 300; ++i)
        bytes += part;
    return bytes;
}

/// Returns a frame that does not state its content size and needs a window of 2 GiB, as `zstd --long=31`
/// writes for a pipe: magic number, descriptor, window, and a single uncompressed block.
std::string withWindowOf2GiB(const std::string& text)
{
    const std::size_t block = text.size() << 3 | 1;
    std::string bytes("\x28\xb5\x2f\xfd\x00\xa8", 6);
    for (int i = 0; i < 3; ++i)
        bytes += static_cast<char>(block >> (8 * i));
    return bytes + text;
}

/// Returns the bytes before the error, read in pieces of 1 MiB.
std::string partOf(ByteSource& source)
{
    std::string part;
    std::string piece(1 << 20, '\0');
    while (const Result<std::size_t> got = source.read(std::as_writable_bytes(std::span(piece))))
        part.append(piece, 0, *got);
    return part;
}

class MemoryLimit
{
public:
    explicit MemoryLimit(std::uint64_t bytes) { setMemoryLimit(bytes); }
    ~MemoryLimit() { setMemoryLimit(0); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    const MemoryLimitScope m_limited;
};

/// Returns the number of bytes that the source yields.
Result<std::uint64_t> countOf(ByteSource& source)
{
    std::vector<std::byte> piece(1 << 20);
    for (std::uint64_t count = 0;;) {
        const Result<std::size_t> got = source.read(piece);
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return count;
        count += *got;
    }
}

} // namespace

class Compressed : public testing::TestWithParam<const char*>
{
protected:
    const std::string kind = GetParam();
};

TEST_P(Compressed, IsRecognisedByItsFirstBytes)
{
    EXPECT_EQ(detectCompression(packed(kind, "x")), kind);
}

TEST_P(Compressed, ComesOutAsItWentIn)
{
    const std::string text = longText();
    for (const std::size_t piece : {1u, 7u, 100'000u})
        EXPECT_TRUE(unpacked(kind, packed(kind, text), piece).value() == text) << piece;
}

TEST_P(Compressed, MayBeOfNothing)
{
    EXPECT_EQ(unpacked(kind, packed(kind, "")).value(), "");
}

TEST_P(Compressed, MayBeSeveralPartsBehindEachOther)
{
    EXPECT_EQ(
        unpacked(kind, packed(kind, "one ") + packed(kind, "") + packed(kind, "two"), 5).value(), "one two");
}

TEST_P(Compressed, SaysWhereItEndsTooEarly)
{
    const std::string bytes = packed(kind, longText());
    for (const std::size_t cut : {bytes.size() / 3, bytes.size() - 1, std::size_t{12}}) {
        const Result<std::string> got = unpacked(kind, bytes.substr(0, cut));
        ASSERT_FALSE(got) << cut;
        EXPECT_EQ(got.error().code, ErrorCode::Truncated);
        EXPECT_EQ(got.error().place, Place::byte(cut));
    }
}

TEST_P(Compressed, SaysThatItIsDamaged)
{
    std::string bytes = packed(kind, longText());
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    const Result<std::string> got = unpacked(kind, bytes);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::Malformed);
}

TEST_P(Compressed, GivesWhatCameBeforeTheDamage)
{
    const std::string text = longText();
    std::string bytes = packed(kind, text);
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    const auto source = decompress(kind, std::make_unique<MemorySource>(bytes), 1 << 30);
    EXPECT_TRUE(partOf(*source).starts_with(text.substr(0, text.size() / 4)));
}

TEST_P(Compressed, StopsAtTheLimit)
{
    const std::string bytes = packed(kind, std::string(1 << 20, 'x'));
    EXPECT_EQ(unpacked(kind, bytes, 4096, (1 << 20) - 1).error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(unpacked(kind, bytes, 4096, 1 << 20));
}

TEST_P(Compressed, IsRefusedWhereItGrowsBeyondBelief)
{
    const std::string bytes = packedManyTimes(kind, std::string(1 << 20, 'x'));
    ASSERT_LT(bytes.size() * kMaxInflateRatio, kManyBytes);
    const auto counted = countOf(*decompress(kind, std::make_unique<MemorySource>(bytes), 0));
    ASSERT_FALSE(counted);
    EXPECT_EQ(counted.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(test::hasParts(counted.error().message, {"500 times its size", "256 MiB", "--max-inflate"}));
}

TEST_P(Compressed, GrowsAsFarAsIsAskedFor)
{
    const std::string bytes = packedManyTimes(kind, std::string(1 << 20, 'x'));
    EXPECT_EQ(
        countOf(*decompress(kind, std::make_unique<MemorySource>(bytes), kManyBytes)).value(), kManyBytes);
}

TEST_P(Compressed, MayBeAsMonotonousAsRecordingsAre)
{
    std::string text(1 << 20, 'x');
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < 4'000; ++i)
        text[i] = static_cast<char>((state = state * 1'664'525 + 1'013'904'223) >> 24);
    const std::string bytes = packedManyTimes(kind, text);
    ASSERT_GT(kManyBytes, bytes.size() * 150);
    EXPECT_EQ(countOf(*decompress(kind, std::make_unique<MemorySource>(bytes), 0)).value(), kManyBytes);
}

TEST_P(Compressed, IsHeldAgainstTheFileBelowAllContainers)
{
    const std::string bytes = packed("zstd", packedManyTimes(kind, std::string(1 << 20, 'x')));
    auto once = decompress("zstd", std::make_unique<MemorySource>(bytes), 0);
    EXPECT_EQ(countOf(*decompress(kind, std::move(once), 0)).error().code, ErrorCode::LimitExceeded);
}

TEST_P(Compressed, PassesOnAnErrorOfItsSource)
{
    const Error gone{ErrorCode::CannotRead, "gone", {}};
    const auto source = decompress(kind,
        std::make_unique<test::PiecewiseSource>(packed(kind, longText()).substr(0, 500), 100, gone), 1 << 30);
    EXPECT_EQ(test::readAll(*source).error().message, "gone");
}

TEST_P(Compressed, TellsThePositionInTheCompressedBytes)
{
    const std::string bytes = packed(kind, longText());
    const auto source = decompress(kind, std::make_unique<MemorySource>(bytes), 1 << 30);
    test::readAll(*source);
    EXPECT_EQ(source->position().consumed, bytes.size());
    EXPECT_EQ(source->position().total, bytes.size());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Compressed, testing::Values("gzip", "zstd"),
    [](const auto& kind) { return std::string(kind.param); });

TEST(Gzip, IgnoresPaddingBehindTheLastMember)
{
    EXPECT_EQ(unpacked("gzip", gzipped("text") + std::string(512, '\0')).value(), "text");
}

TEST(Zstd, MayHaveAWindowOf2GiBWhereMemoryAllows)
{
    const MemoryLimit limit(std::uint64_t{4} << 30);
    EXPECT_EQ(unpacked("zstd", withWindowOf2GiB("text")).value(), "text");
}

TEST(Zstd, SaysHowLargeAWindowIsThatMemoryDoesNotAllow)
{
    const MemoryLimit limit(std::uint64_t{1} << 30);
    const Result<std::string> got = unpacked("zstd", withWindowOf2GiB("text"));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(test::hasParts(
        got.error().message, {"window of 2 GiB", "allows (1 GiB)", "--max-memory", "zstd -d --long=31"}));
}

TEST(Zstd, TakesNoLargeWindowWhereNothingLimitsMemory)
{
    const Result<std::string> got = unpacked("zstd", withWindowOf2GiB("text"));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(test::hasParts(got.error().message, {"more than 128 MiB", "zstd -d --long=31"}));
}

TEST(CompressionOf, IsEmptyForPlainBytes)
{
    EXPECT_EQ(detectCompression(""), "");
    EXPECT_EQ(detectCompression("\x1f"), "");
    EXPECT_EQ(detectCompression("\x80\x04}"), "");
}

} // namespace highwater
