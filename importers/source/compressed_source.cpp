#include "importers/source/compressed_source.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY // for custom allocation functions
#include <zstd.h>
#include <zstd_errors.h>

#include "core/base/memory_limit.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
/// Base-2 logarithm of the largest window that is accepted if nothing else limits memory.
constexpr int kWindowLogWithoutLimit = 27;
/// Base-2 logarithm of the largest window that zstd's library reads, which `zstd --long=31` writes.
constexpr int kMaxWindowLog = 31;

/// The common part of gzip and zstd: buffer of compressed input, limit on the output, end of the data.
class DecompressingSource : public ByteSource
{
public:
    DecompressingSource(std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes)
        : m_inner(std::move(inner))
        , m_input(kInputBytes)
        , m_maxBytes(maxBytes)
    {
    }

    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        std::size_t produced = 0;
        while (produced == 0 && !m_finished && !m_failure) {
            fillInput();
            if (!m_failure)
                produced = decompressPart(buffer);
        }
        if (produced == 0 && m_failure) // first return the bytes produced before the failure
            return tl::unexpected<Error>(*m_failure);
        m_producedBytes += produced;
        if (m_maxBytes > 0 && m_producedBytes > m_maxBytes)
            return fail(ErrorCode::LimitExceeded,
                fmt::format("decompresses to more than {} (see --max-inflate)",
                    formatBytes(static_cast<Bytes>(m_maxBytes))));
        if (m_maxBytes == 0 && isBomb())
            return fail(ErrorCode::LimitExceeded,
                fmt::format("decompresses to more than {} times its size and {} (raise the limit with "
                            "--max-inflate SIZE, or unpack the file)",
                    kMaxInflateRatio, formatBytes(static_cast<Bytes>(kInflateBytesWithoutRatioCheck))));
        return produced;
    }

    SourcePosition position() const override { return m_inner->position(); }

protected:
    /// Decompresses a part of `m_input` from `m_used` on. May set `m_finished` or `m_failure`. Returns the
    /// number of bytes it produced.
    virtual std::size_t decompressPart(std::span<std::byte> buffer) = 0;

    std::uint64_t compressedOffset() const { return m_inner->position().consumed - (m_filled - m_used); }
    Error truncatedError() const
    {
        return {ErrorCode::Truncated, "the compressed data end early", Place::byte(compressedOffset())};
    }
    static Error outOfMemoryError() { return {ErrorCode::LimitExceeded, outOfMemoryText(), {}}; }
    Error damagedError(std::string_view reason) const
    {
        return {ErrorCode::Malformed, fmt::format("the compressed data are damaged: {}", reason),
            Place::byte(compressedOffset())};
    }

    std::unique_ptr<ByteSource> m_inner;
    std::vector<std::byte> m_input;
    std::size_t m_used = 0;
    std::size_t m_filled = 0;
    bool m_inputEnded = false;
    bool m_finished = false;
    std::optional<Error> m_failure;

private:
    bool isBomb() const
    {
        return m_producedBytes > kInflateBytesWithoutRatioCheck
            && m_producedBytes / kMaxInflateRatio > position().consumed;
    }

    void fillInput()
    {
        if (m_used < m_filled || m_inputEnded)
            return;
        const Result<std::size_t> got = m_inner->read(m_input);
        if (!got)
            m_failure = got.error();
        m_used = 0;
        m_filled = got.value_or(0);
        m_inputEnded = m_filled == 0;
    }

    std::uint64_t m_maxBytes; ///< 0 allows as much as is plausible for the compressed size
    std::uint64_t m_producedBytes = 0;
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
    std::size_t decompressPart(std::span<std::byte> buffer) override
    {
        const bool atEnd = m_used == m_filled && m_inputEnded;
        const bool atPadding
            = m_betweenMembers && m_memberCount > 0 && !atEnd && m_input[m_used] != std::byte{0x1f};
        m_finished = atPadding || (atEnd && m_betweenMembers);
        if (m_finished)
            return 0;
        if (!m_ready)
            m_failure = outOfMemoryError();
        else if (atEnd)
            m_failure = truncatedError();
        return m_failure ? 0 : inflateInto(buffer);
    }

private:
    std::size_t inflateInto(std::span<std::byte> buffer)
    {
        const std::size_t room = std::min<std::size_t>(buffer.size(), 1u << 30);
        m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data() + m_used);
        m_stream.avail_in = static_cast<uInt>(m_filled - m_used);
        m_stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        m_stream.avail_out = static_cast<uInt>(room);
        m_betweenMembers = false;
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        m_used = m_filled - m_stream.avail_in;
        if (status == Z_STREAM_END) {
            ++m_memberCount;
            m_betweenMembers = true;
            inflateReset(&m_stream);
        } else if (status == Z_MEM_ERROR) {
            m_failure = outOfMemoryError();
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            m_failure = damagedError(m_stream.msg ? m_stream.msg : "not gzip data");
        }
        return room - m_stream.avail_out;
    }

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
        , m_stream(ZSTD_createDStream_advanced({allocate, release, &m_refusedBytes}))
    {
        if (!m_stream)
            return;
        m_nextBytes = m_headBytes = ZSTD_initDStream(m_stream);
        ZSTD_DCtx_setParameter(
            m_stream, ZSTD_d_windowLogMax, memoryLimit() ? kMaxWindowLog : kWindowLogWithoutLimit);
    }
    ~ZstdSource() override { ZSTD_freeDStream(m_stream); }
    ZstdSource(const ZstdSource&) = delete;
    ZstdSource& operator=(const ZstdSource&) = delete;

protected:
    std::size_t decompressPart(std::span<std::byte> buffer) override
    {
        if (!m_stream) {
            m_failure = outOfMemoryError();
            return 0;
        }
        const bool atEnd = m_inputEnded && m_used == m_filled;
        m_finished = atEnd && m_frameDone;
        if (m_finished)
            return 0;
        // Passes one block per call, because the library loses what it produced before a damaged block in the
        // same call.
        ZSTD_inBuffer in = {m_input.data(), std::min(m_filled, m_used + m_nextBytes), m_used};
        ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
        const std::size_t nextBytes = ZSTD_decompressStream(m_stream, &out, &in);
        m_used = in.pos;
        m_frameDone = nextBytes == 0;
        m_nextBytes = m_frameDone ? m_headBytes : nextBytes;
        if (ZSTD_isError(nextBytes))
            m_failure = decompressionError(nextBytes);
        else if (atEnd && out.pos == 0 && !m_frameDone)
            m_failure = truncatedError();
        return out.pos;
    }

private:
    /// Allocates memory that counts towards the process's limit: a window may be larger than everything else.
    static void* allocate(void* refusedBytes, std::size_t bytes)
    {
        void* const memory = reallocateWithinLimit(nullptr, bytes);
        if (!memory)
            *static_cast<std::size_t*>(refusedBytes) = bytes;
        return memory;
    }
    static void release(void*, void* memory) { freeWithinLimit(memory); }

    Error decompressionError(std::size_t result) const
    {
        constexpr std::string_view kAdvice = "decompress it first (zstd -d --long=31)";
        const auto windowError = [&](const std::string& cause) {
            return Error{
                ErrorCode::LimitExceeded, fmt::format("is compressed with {}; {}", cause, kAdvice), {}};
        };
        const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
        if (code == ZSTD_error_frameParameter_windowTooLarge)
            return windowError(fmt::format("a window of more than {}",
                formatBytes(Bytes{1} << (memoryLimit() ? kMaxWindowLog : kWindowLogWithoutLimit))));
        if (code != ZSTD_error_memory_allocation)
            return damagedError(ZSTD_getErrorName(result));
        if (m_refusedBytes < std::size_t{1} << kWindowLogWithoutLimit)
            return outOfMemoryError();
        return windowError(fmt::format(
            "a window of {} and {}", formatBytes(static_cast<Bytes>(m_refusedBytes)), outOfMemoryText()));
    }

    std::size_t m_refusedBytes = 0; ///< size of the last allocation that failed
    ZSTD_DStream* m_stream;
    std::size_t m_headBytes = 0; ///< size of the beginning of a frame
    std::size_t m_nextBytes = 0; ///< bytes needed up to the end of the next block
    bool m_frameDone = false;
};

} // namespace

std::string_view detectCompression(std::string_view prefix)
{
    if (prefix.starts_with("\x1f\x8b"))
        return "gzip";
    // Parallel compressors write a skippable frame first.
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
