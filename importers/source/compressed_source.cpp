#include "importers/source/compressed_source.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/base/memory_limit.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
/// Frames that ask for a larger window than this are refused: memory stays bounded.
constexpr int kMaxZstdWindowLog = 27;

/// What gzip and zstd have in common: a piece of compressed input, the bound on the output, the end.
class DecompressingSource : public ByteSource
{
public:
    DecompressingSource(std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes)
        : m_inner(std::move(inner))
        , m_input(kInputBytes)
        , m_maxBytes(maxBytes)
    {
    }

    Result<std::size_t> read(std::span<std::byte> into) override
    {
        std::size_t made = 0;
        while (made == 0 && !m_finished) {
            if (auto refilled = refill(); !refilled)
                return tl::unexpected<Error>(refilled.error());
            if (auto step = advance(into); !step)
                return tl::unexpected<Error>(step.error());
            else
                made = *step;
        }
        m_madeBytes += made;
        if (m_maxBytes > 0 && m_madeBytes > m_maxBytes)
            return fail(ErrorCode::LimitExceeded,
                fmt::format("decompresses to more than {} (see --max-inflate)",
                    formatBytes(static_cast<Bytes>(m_maxBytes))));
        if (m_maxBytes == 0 && isBomb())
            return fail(ErrorCode::LimitExceeded,
                fmt::format("decompresses to more than {} times its size and {} (--max-inflate SIZE lifts "
                            "this limit, and so does unpacking it)",
                    kMostInflateRatio, formatBytes(static_cast<Bytes>(kUnsuspectedInflateBytes))));
        return made;
    }

    SourcePosition position() const override { return m_inner->position(); }

protected:
    /// Decompresses some of `m_input` from `m_used` on; may set `m_finished`.
    virtual Result<std::size_t> advance(std::span<std::byte> into) = 0;

    std::uint64_t compressedOffset() const { return m_inner->position().consumed - (m_filled - m_used); }
    Error truncated() const
    {
        return {ErrorCode::Truncated, "the compressed data end too early", Place::byte(compressedOffset())};
    }
    Error broken(std::string_view what) const
    {
        return {ErrorCode::Malformed, fmt::format("the compressed data are damaged: {}", what),
            Place::byte(compressedOffset())};
    }

    std::unique_ptr<ByteSource> m_inner;
    std::vector<std::byte> m_input;
    std::size_t m_used = 0;
    std::size_t m_filled = 0;
    bool m_inputEnded = false;
    bool m_finished = false;

private:
    bool isBomb() const
    {
        return m_madeBytes > kUnsuspectedInflateBytes
            && m_madeBytes / kMostInflateRatio > position().consumed;
    }

    Result<void> refill()
    {
        if (m_used < m_filled || m_inputEnded)
            return {};
        const Result<std::size_t> got = m_inner->read(m_input);
        if (!got)
            return tl::unexpected<Error>(got.error());
        m_used = 0;
        m_filled = *got;
        m_inputEnded = *got == 0;
        return {};
    }

    std::uint64_t m_maxBytes; ///< 0: what the compressed bytes make credible
    std::uint64_t m_madeBytes = 0;
};

class GzipSource : public DecompressingSource
{
public:
    GzipSource(std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes)
        : DecompressingSource(std::move(inner), maxBytes)
    {
        m_ready = inflateInit2(&m_stream, 16 + MAX_WBITS) == Z_OK;
    }
    ~GzipSource() override { inflateEnd(&m_stream); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

protected:
    Result<std::size_t> advance(std::span<std::byte> into) override
    {
        if (!m_ready)
            return fail(ErrorCode::LimitExceeded, outOfMemoryText());
        if (m_used == m_filled && m_inputEnded) {
            m_finished = true;
            if (m_betweenMembers)
                return std::size_t{0};
            return tl::unexpected<Error>(truncated());
        }
        if (m_betweenMembers && m_memberCount > 0 && m_input[m_used] != std::byte{0x1f}) {
            m_finished = true; // padding after the last member
            return std::size_t{0};
        }
        const std::size_t room = std::min<std::size_t>(into.size(), 1u << 30);
        m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data() + m_used);
        m_stream.avail_in = static_cast<uInt>(m_filled - m_used);
        m_stream.next_out = reinterpret_cast<Bytef*>(into.data());
        m_stream.avail_out = static_cast<uInt>(room);
        m_betweenMembers = false;
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        m_used = m_filled - m_stream.avail_in;
        if (status == Z_STREAM_END) {
            ++m_memberCount;
            m_betweenMembers = true;
            inflateReset(&m_stream);
        } else if (status == Z_MEM_ERROR) {
            return fail(ErrorCode::LimitExceeded, outOfMemoryText());
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return tl::unexpected<Error>(broken(m_stream.msg ? m_stream.msg : "not gzip data"));
        }
        return room - m_stream.avail_out;
    }

private:
    z_stream m_stream = {};
    bool m_ready = false;
    bool m_betweenMembers = true;
    std::size_t m_memberCount = 0;
};

class ZstdSource : public DecompressingSource
{
public:
    ZstdSource(std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes)
        : DecompressingSource(std::move(inner), maxBytes)
        , m_stream(ZSTD_createDStream())
    {
        if (m_stream)
            ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, kMaxZstdWindowLog);
    }
    ~ZstdSource() override { ZSTD_freeDStream(m_stream); }
    ZstdSource(const ZstdSource&) = delete;
    ZstdSource& operator=(const ZstdSource&) = delete;

protected:
    Result<std::size_t> advance(std::span<std::byte> into) override
    {
        if (!m_stream)
            return fail(ErrorCode::LimitExceeded, outOfMemoryText());
        ZSTD_inBuffer in = {m_input.data(), m_filled, m_used};
        ZSTD_outBuffer out = {into.data(), into.size(), 0};
        const bool atEnd = m_inputEnded && m_used == m_filled;
        if (atEnd && m_frameDone) {
            m_finished = true;
            return std::size_t{0};
        }
        const std::size_t hint = ZSTD_decompressStream(m_stream, &out, &in);
        m_used = in.pos;
        if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation)
            return fail(ErrorCode::LimitExceeded, outOfMemoryText());
        if (ZSTD_isError(hint))
            return tl::unexpected<Error>(broken(ZSTD_getErrorName(hint)));
        m_frameDone = hint == 0;
        if (atEnd && out.pos == 0 && !m_frameDone)
            return tl::unexpected<Error>(truncated());
        return out.pos;
    }

private:
    ZSTD_DStream* m_stream;
    bool m_frameDone = false;
};

} // namespace

std::string_view compressionOf(std::string_view prefix)
{
    if (prefix.starts_with("\x1f\x8b"))
        return "gzip";
    // Parallel compressors begin with a skippable frame.
    const bool skippable
        = prefix.size() > 3 && (prefix[0] & '\xF0') == '\x50' && prefix.substr(1, 3) == "\x2a\x4d\x18";
    return skippable || prefix.starts_with("\x28\xb5\x2f\xfd") ? "zstd" : "";
}

std::unique_ptr<ByteSource> decompress(
    std::string_view compression, std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes)
{
    if (compression == "gzip")
        return std::make_unique<GzipSource>(std::move(inner), maxBytes);
    return std::make_unique<ZstdSource>(std::move(inner), maxBytes);
}

} // namespace highwater
