#include "app/loading/read_ahead_source.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/memory_limit.h"

namespace highwater {

namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kPieces = 4;

struct Piece
{
    std::vector<std::byte> bytes = std::vector<std::byte>(kPieceBytes);
    std::size_t filled = 0;
    std::size_t used = 0;
    SourcePosition position;
    std::optional<Error> error;
    std::exception_ptr thrown; ///< by the inner source
    bool isLast = false; ///< the end of the input, an error or an exception
};

/// A ring buffer of pieces between one producer and one consumer.
class ReadAheadSource : public ByteSource
{
public:
    explicit ReadAheadSource(std::unique_ptr<ByteSource> inner)
        : m_inner(std::move(inner))
    {
    }

    /// Returns false if the system cannot start a thread.
    bool start()
    {
        try {
            m_thread = std::thread([this, isLimited = MemoryLimitScope::isOpen()] {
                const MemoryLimitScope scope(isLimited);
                produce();
            });
        } catch (const std::system_error&) {
            return false;
        }
        return true;
    }

    /// Returns the inner source; only if there is no thread.
    std::unique_ptr<ByteSource> takeInner() { return std::move(m_inner); }

    ~ReadAheadSource() override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_changed.notify_all();
        if (m_thread.joinable())
            m_thread.join();
    }

    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        Piece* piece = waitForPiece();
        m_position = piece->position;
        if (piece->used == piece->filled) {
            if (piece->thrown)
                std::rethrow_exception(piece->thrown);
            if (piece->error)
                return tl::unexpected<Error>(*piece->error);
            return std::size_t{0}; // the end
        }
        const std::size_t count = std::min(buffer.size(), piece->filled - piece->used);
        std::memcpy(buffer.data(), piece->bytes.data() + piece->used, count);
        piece->used += count;
        if (piece->used == piece->filled && !piece->isLast)
            release();
        return count;
    }

    SourcePosition position() const override { return m_position; }

private:
    Piece* waitForPiece()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ready > 0; });
        return &m_pieces[m_first];
    }

    void release()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_first = (m_first + 1) % kPieces;
            --m_ready;
        }
        m_changed.notify_all();
    }

    void produce()
    {
        for (std::size_t next = 0;; next = (next + 1) % kPieces) {
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [this] { return m_stopping || m_ready < kPieces; });
                if (m_stopping)
                    return;
            }
            Piece& piece = m_pieces[next];
            try {
                fill(piece);
            } catch (...) { // such as std::bad_alloc: nothing here may allocate
                piece.thrown = std::current_exception();
                piece.isLast = true;
            }
            {
                const std::lock_guard lock(m_mutex);
                ++m_ready;
            }
            m_changed.notify_all();
            if (piece.isLast)
                return;
        }
    }

    void fill(Piece& piece)
    {
        piece.filled = 0;
        piece.used = 0;
        while (piece.filled < piece.bytes.size()) {
            const Result<std::size_t> got = m_inner->read(std::span(piece.bytes).subspan(piece.filled));
            if (!got)
                piece.error = got.error();
            piece.isLast = !got || *got == 0;
            if (piece.isLast)
                break;
            piece.filled += *got;
        }
        piece.position = m_inner->position();
    }

    std::unique_ptr<ByteSource> m_inner; ///< touched by the producer only
    std::array<Piece, kPieces> m_pieces;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_first = 0; ///< guarded by m_mutex, as are m_ready and m_stopping
    std::size_t m_ready = 0;
    bool m_stopping = false;
    SourcePosition m_position; ///< touched by the consumer only
    std::thread m_thread;
};

} // namespace

std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> inner)
{
    auto ahead = std::make_unique<ReadAheadSource>(std::move(inner));
    return ahead->start() ? std::move(ahead) : ahead->takeInner();
}

} // namespace highwater
