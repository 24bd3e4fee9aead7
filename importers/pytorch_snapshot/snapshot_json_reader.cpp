#include "importers/pytorch_snapshot/snapshot_json_reader.h"

#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/json.h"
#include "importers/source/limit_error.h"

namespace highwater {

namespace {

constexpr std::size_t kRecordsOfABatch = 1000;
constexpr std::size_t kJsonPieceBytes = 256 * 1024;
constexpr std::size_t kMaxNesting = 200;
/// Limit for a text, a number, or the blanks between values, which the parser holds completely in memory.
constexpr std::uint64_t kMaxBetweenValues = std::uint64_t{16} << 20;

/// Feeds the parser from a source and remembers why the source ended.
class CharacterStream
{
public:
    explicit CharacterStream(ByteSource& source)
        : m_source(source)
    {
        refill();
    }

    bool atEnd() const { return m_used == m_piece.size(); }
    char current() const { return m_piece[m_used]; }
    void advance()
    {
        ++m_offset;
        if (++m_used == m_piece.size())
            refill();
    }
    /// Notes that a key or value ends here.
    void noteValueEnd() { m_valueEnd = m_offset; }
    std::uint64_t offset() const { return m_offset; }
    const std::optional<Error>& sourceError() const { return m_error; }

private:
    void refill()
    {
        m_used = 0;
        if (m_offset - m_valueEnd > kMaxBetweenValues) {
            m_piece.clear();
            m_error = Error{ErrorCode::LimitExceeded,
                "a text or gap between values is longer than 16 MiB, unlike any in a snapshot",
                Place::byte(m_valueEnd)};
            return;
        }
        m_piece.resize(kJsonPieceBytes);
        const Result<std::size_t> got = m_source.read(std::as_writable_bytes(std::span(m_piece)));
        if (!got)
            m_error = got.error();
        m_piece.resize(got.value_or(0));
    }

    ByteSource& m_source;
    std::string m_piece;
    std::size_t m_used = 0;
    std::uint64_t m_offset = 0;
    std::uint64_t m_valueEnd = 0; ///< where the last value or key ended
    std::optional<Error> m_error;
};

/// The input iterator that nlohmann::json needs; all copies share one stream.
class StreamIterator
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    StreamIterator() = default;
    explicit StreamIterator(CharacterStream& stream)
        : m_stream(&stream)
    {
    }
    char operator*() const { return m_stream->current(); }
    StreamIterator& operator++()
    {
        m_stream->advance();
        return *this;
    }
    void operator++(int) { m_stream->advance(); }
    bool operator==(const StreamIterator& other) const { return ended() == other.ended(); }
    bool operator!=(const StreamIterator& other) const { return !(*this == other); }

private:
    bool ended() const { return !m_stream || m_stream->atEnd(); }
    CharacterStream* m_stream = nullptr;
};

/// Receives the parser's events and fills containers from the inside out.
class Handler
{
public:
    Handler(ObjectFactory& factory, CharacterStream& stream, std::uint64_t maxMemoryBytes)
        : m_factory(factory)
        , m_stream(stream)
        , m_maxMemoryBytes(maxMemoryBytes)
    {
    }

    bool null() { return add(Value::none()); }
    bool boolean(bool value) { return add(Value::ofBool(value)); }
    bool number_integer(std::int64_t value) { return add(Value::ofInt(value)); }
    bool number_unsigned(std::uint64_t value)
    {
        Value v = Value::ofInt(static_cast<std::int64_t>(value));
        v.unsignedBits = value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return add(v);
    }
    bool number_float(double value, const std::string&) { return add(Value::ofFloat(value)); }
    bool string(const std::string& text) { return add(Value::ofString(m_factory.string(text))); }
    bool binary(const std::vector<std::uint8_t>&) { return add(Value::opaque()); }
    bool key(const std::string& text)
    {
        m_stream.noteValueEnd();
        m_values.push_back(Value::ofString(m_factory.string(text)));
        return true;
    }
    bool start_object(std::size_t) { return open(m_factory.emptyDict()); }
    bool start_array(std::size_t) { return open(m_factory.emptyList()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&)
    {
        const Place place = Place::byte(position > 0 ? position - 1 : 0);
        if (m_stream.sourceError())
            m_error = *m_stream.sourceError();
        else if (m_stream.atEnd())
            m_error = Error{ErrorCode::Truncated, "the file ends in the middle of the snapshot",
                Place::byte(m_stream.offset())};
        else
            m_error = Error{ErrorCode::Malformed, "is not valid JSON", place};
        return false;
    }

    JsonOutcome outcome()
    {
        if (m_error)
            m_factory.beginSalvage();
        while (!m_open.empty() && m_error) // keep everything that was read before the error
            closeInnermost();
        return {m_values.empty() ? Value::none() : m_values.front(), m_error};
    }

private:
    struct OpenContainer
    {
        std::size_t index; ///< position in m_values, where the contents follow
        bool isDict;
        bool wasFlushed;
    };

    bool fail(const Error& error)
    {
        m_error = error;
        m_error->place = Place::byte(m_stream.offset());
        return false;
    }

    bool open(const Value& container)
    {
        if (m_open.size() >= kMaxNesting)
            return fail({ErrorCode::LimitExceeded,
                fmt::format("is nested deeper than {} levels, unlike any snapshot", kMaxNesting), {}});
        m_stream.noteValueEnd();
        m_open.push_back({m_values.size(), m_factory.isDict(container), false});
        m_values.push_back(container);
        return true;
    }

    bool add(const Value& value)
    {
        m_stream.noteValueEnd();
        m_values.push_back(value);
        return m_open.empty() || flushIfLong();
    }

    bool flushIfLong()
    {
        OpenContainer& inner = m_open.back();
        if (inner.isDict || m_values.size() - inner.index - 1 < kRecordsOfABatch)
            return true;
        inner.wasFlushed = true;
        if (m_factory.memoryBytes() > m_maxMemoryBytes)
            return fail(memoryLimitError(m_maxMemoryBytes));
        return flush(inner);
    }

    bool flush(const OpenContainer& inner)
    {
        std::span<Value> contents(m_values.data() + inner.index + 1, m_values.size() - inner.index - 1);
        if (inner.isDict)
            contents = contents.first(contents.size() / 2 * 2); // an error can leave a key without a value
        Value& container = m_values[inner.index];
        const Result<void> added = contents.empty() ? Result<void>()
            : inner.isDict                          ? m_factory.setItems(container, contents)
                                                    : m_factory.append(container, contents);
        m_values.resize(inner.index + 1);
        return added ? true : fail(added.error());
    }

    bool closeInnermost()
    {
        const OpenContainer inner = m_open.back();
        m_open.pop_back();
        const std::span<Value> contents(m_values.data() + inner.index + 1, m_values.size() - inner.index - 1);
        if (!inner.isDict && !inner.wasFlushed && contents.size() == 2 && contents[0].isInt()
            && contents[1].isInt()) {
            const Value tuple = m_factory.tuple(contents);
            m_values.resize(inner.index);
            m_values.push_back(tuple);
            return true;
        }
        return flush(inner);
    }

    bool close()
    {
        m_stream.noteValueEnd();
        return closeInnermost() && (m_open.empty() || flushIfLong());
    }

    ObjectFactory& m_factory;
    CharacterStream& m_stream;
    std::uint64_t m_maxMemoryBytes;
    std::vector<Value> m_values;
    std::vector<OpenContainer> m_open;
    std::optional<Error> m_error;
};

} // namespace

JsonOutcome readSnapshotJson(ByteSource& source, ObjectFactory& factory, std::uint64_t maxMemoryBytes)
{
    CharacterStream stream(source);
    Handler handler(factory, stream, maxMemoryBytes);
    factory.setPlaceProvider([&stream] { return Place::byte(stream.offset()); });
    nlohmann::json::sax_parse(
        StreamIterator(stream), StreamIterator(), &handler, nlohmann::json::input_format_t::json, false);
    JsonOutcome outcome = handler.outcome();
    factory.setPlaceProvider({});
    return outcome;
}

} // namespace highwater
