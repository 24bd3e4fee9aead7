#include "importers/memory_timeline/timeline_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/trace/allocator_sizes.h"
#include "importers/memory_timeline/list_reader.h"
#include "importers/source/limit_error.h"

namespace highwater::memory_timeline {

namespace {

constexpr std::int64_t kMaxMicroseconds = std::numeric_limits<Nanoseconds>::max() / 1000;
constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

constexpr std::size_t kLevelsLength
    = kTimelineCategoryCount + 1; ///< the first is the base line of a stacked plot

/// A list of numbers. A long list keeps only its count and its first numbers.
struct NumberList
{
    std::array<std::int64_t, kLevelsLength> numbers{};
    std::size_t count = 0;
    bool areIntegers = true; ///< true if the list has only integers
    bool isComplete = true; ///< true if the list's end was read
    std::uint64_t offset = 0;

    /// True for a list of exactly `length` integers.
    bool isListOf(std::size_t length) const { return areIntegers && count == length; }
};

struct Row
{
    enum Action : std::uint8_t
    {
        Preexisting = 1,
        Create,
        IncrementVersion,
        Destroy
    };
    Nanoseconds time = 0; ///< negative before the trace
    Action action = Create;
    Bytes bytes = 0; ///< signed
    CategoryIndex category = 0;
};

/// Returns nothing unless the list is a row with numbers in range.
std::optional<Row> rowOf(const NumberList& list)
{
    const std::int64_t action = list.numbers[1];
    const Bytes bytes = list.numbers[2];
    const std::int64_t category = list.numbers[3];
    if (!list.isListOf(kRowLength) || action < Row::Preexisting || action > Row::Destroy
        || bytes < -kLargestStoredSize || bytes > kLargestStoredSize || category < 0
        || category >= static_cast<std::int64_t>(kTimelineCategoryCount))
        return std::nullopt;
    return Row{
        list.numbers[0], static_cast<Row::Action>(action), bytes, static_cast<CategoryIndex>(category)};
}

class TimelineReader
{
public:
    TimelineReader(ByteSource& source, std::uint64_t maxMemoryBytes, ImportLog& log)
        : m_tokens(source)
        , m_maxMemoryBytes(maxMemoryBytes)
        , m_log(log)
    {
    }

    Timeline readAll()
    {
        if (m_tokens.next().kind == TokenKind::Open)
            readLists();
        if (!m_tokens.error()) // after an error, the row that belongs to it may just be missing
            flushVersion();
        readToEnd();
        m_timeline.ledger.finish();
        if (!m_timeline.error)
            m_timeline.error = m_tokens.error();
        return std::move(m_timeline);
    }

private:
    /// Reads the outermost list. The beginning of its second list shows which form the file has.
    void readLists()
    {
        const Token token = m_tokens.next();
        if (token.kind != TokenKind::Open)
            return;
        const NumberList first = readTimes(token.offset);
        const Token second = m_tokens.next();
        const Token firstToken = second.kind == TokenKind::Open ? m_tokens.next() : Token();
        const bool hasLevels = firstToken.kind == TokenKind::Open
            || (firstToken.kind == TokenKind::Close && first.count != kRowLength);
        if (hasLevels) {
            readLevels(firstToken);
            return;
        }
        if (first.isComplete && first.count > 0)
            takeRow(first);
        m_times.clear();
        if (second.kind == TokenKind::Open && firstToken.kind != TokenKind::End)
            readRows(readList(firstToken, second.offset));
    }

    /// Reads the list of times, or the first row.
    NumberList readTimes(std::uint64_t offset)
    {
        NumberList list;
        list.offset = offset;
        for (Token token = m_tokens.next(); token.kind != TokenKind::Close; token = m_tokens.next()) {
            list.isComplete = token.kind != TokenKind::End && mayContinue();
            if (!list.isComplete)
                break;
            m_times.push_back(token.kind == TokenKind::Number ? token.number : kNoTime);
            addToken(token, list);
        }
        return list;
    }

    static void addToken(const Token& token, NumberList& list)
    {
        list.areIntegers = list.areIntegers && token.kind == TokenKind::Number;
        if (list.count < list.numbers.size())
            list.numbers[list.count] = token.number;
        ++list.count;
    }

    /// Reads a list whose first inner token is `token`.
    NumberList readList(Token token, std::uint64_t offset)
    {
        NumberList list;
        list.offset = offset;
        int nested = 0;
        for (; token.kind != TokenKind::Close || nested > 0; token = m_tokens.next()) {
            list.isComplete = token.kind != TokenKind::End;
            if (!list.isComplete)
                break;
            nested += (token.kind == TokenKind::Open) - (token.kind == TokenKind::Close);
            addToken(token, list);
        }
        return list;
    }

    /// Passes the following lists to `takeList` until the enclosing list ends.
    template <typename TakeList>
    void eachList(TakeList takeList)
    {
        for (Token token = m_tokens.next(); token.kind != TokenKind::Close; token = m_tokens.next()) {
            if (token.kind == TokenKind::End || !mayContinue())
                return;
            if (token.kind != TokenKind::Open) {
                countUnreadable(token.offset);
                continue;
            }
            const NumberList list = readList(m_tokens.next(), token.offset);
            if (list.isComplete)
                takeList(list);
        }
    }

    bool mayContinue()
    {
        const std::uint64_t needed = m_timeline.ledger.memoryBytes() + m_times.memoryBytes();
        if (needed > m_maxMemoryBytes || m_timeline.ledger.isFull())
            m_timeline.error = memoryLimitError(std::min(needed, m_maxMemoryBytes));
        return !m_timeline.error;
    }

    void countUnreadable(std::uint64_t offset)
    {
        m_log.add(Severity::Warning, "row-unreadable",
            "a row with a wrong count or range of numbers is ignored", Place::byte(offset));
    }

    // Reads a file that lists every change.

    void readRows(const NumberList& second)
    {
        if (second.isComplete)
            takeRow(second);
        eachList([this](const NumberList& list) { takeRow(list); });
    }

    void takeRow(const NumberList& list)
    {
        m_timeline.form = TimelineForm::Rows;
        const std::optional<Row> row = rowOf(list);
        if (!row) {
            countUnreadable(list.offset);
            return;
        }
        ++m_timeline.rowCount;
        if (takeNewVersion(*row))
            return;
        flushVersion();
        if (row->action == Row::IncrementVersion && row->bytes < 0)
            m_oldVersion = *row; // the next row shows whether it is a write or a change of category
        else
            apply(*row);
    }

    /// If this row adds the new version of the tensor whose old version the previous row removed, handles
    /// both rows and returns true. A write in place changes no bytes; otherwise the tensor changes its
    /// category.
    bool takeNewVersion(const Row& row)
    {
        if (!m_oldVersion || row.action != Row::IncrementVersion || row.time != m_oldVersion->time
            || row.bytes != -m_oldVersion->bytes)
            return false;
        const bool keepsCategory = row.category == m_oldVersion->category;
        m_timeline.writeInPlaceCount += keepsCategory;
        m_timeline.categoryChangeCount += !keepsCategory;
        if (!keepsCategory) {
            apply(*m_oldVersion);
            apply(row);
        }
        m_oldVersion.reset();
        return true;
    }

    void flushVersion()
    {
        if (m_oldVersion)
            apply(*m_oldVersion);
        m_oldVersion.reset();
    }

    void apply(const Row& row)
    {
        const bool precedesTrace = row.time < 0 && !m_moment;
        if (!precedesTrace && m_moment != row.time) {
            m_moment = row.time;
            m_timeline.ledger.beginMoment(std::max<Nanoseconds>(row.time, 0));
        }
        if (!precedesTrace && (row.action == Row::Create || row.action == Row::Destroy))
            noteAllocation(row.bytes);
        change(row.category, row.bytes);
    }

    void noteAllocation(Bytes change)
    {
        m_timeline.allocates = m_timeline.allocates || change != 0;
        m_timeline.inBlocks = m_timeline.inBlocks && change % kSmallestBlock == 0;
    }

    void change(CategoryIndex category, Bytes change)
    {
        TensorLedger& ledger = m_timeline.ledger;
        const bool isInRange = change > 0 ? ledger.addBytes(category, change)
            : change < 0                  ? ledger.removeBytes(category, -change)
                                          : true;
        if (!isInRange)
            m_log.add(Severity::Warning, "total-out-of-range",
                "bytes that would make the total larger than any machine's memory are ignored");
    }

    // Reads a file that lists levels.

    void readLevels(Token firstToken)
    {
        m_timeline.form = firstToken.kind == TokenKind::Open || !m_times.empty() ? TimelineForm::Levels
                                                                                 : TimelineForm::Empty;
        m_timeline.ledger = TensorLedger(TensorLedger::Matching::LayersOnly);
        if (firstToken.kind == TokenKind::Open) {
            const NumberList first = readList(m_tokens.next(), firstToken.offset);
            if (first.isComplete)
                takeLevels(first);
            eachList([this](const NumberList& list) { takeLevels(list); });
        }
        if (!m_timeline.error && !m_tokens.error() && m_nextLevels != m_times.size())
            m_log.add(Severity::Warning, "lengths-differ",
                fmt::format(
                    "the file has {} and {}; times without levels and levels without a time are ignored",
                    counted(m_times.size(), "time", "times"),
                    counted(m_nextLevels, "row of levels", "rows of levels")));
    }

    void takeLevels(const NumberList& list)
    {
        const std::size_t index = m_nextLevels++;
        if (index >= m_times.size())
            return;
        const bool inRange = std::ranges::all_of(
            list.numbers, [](std::int64_t bytes) { return bytes >= 0 && bytes <= kLargestStoredSize; });
        const std::int64_t time = m_times[index];
        if (!list.isListOf(kLevelsLength) || !inRange || list.numbers[0] != 0 || time == kNoTime
            || time > kMaxMicroseconds) {
            countUnreadable(list.offset);
            return;
        }
        ++m_timeline.rowCount;
        const bool precedesTrace = index == 0 && isBeforeTrace();
        if (!precedesTrace)
            m_timeline.ledger.beginMoment(std::max<Nanoseconds>(time, 0) * 1000);
        const Bytes totalBefore = std::accumulate(m_levels.begin(), m_levels.end(), Bytes{0});
        for (CategoryIndex category = 0; category < kTimelineCategoryCount; ++category) {
            change(category, list.numbers[category + 1u] - m_levels[category]);
            m_levels[category] = list.numbers[category + 1u];
        }
        if (!precedesTrace)
            noteAllocation(std::accumulate(m_levels.begin(), m_levels.end(), Bytes{0}) - totalBefore);
    }

    /// True if the first row of levels is the state before the trace. The profiler gives this row the time of
    /// the next row, or −1 if there is no other.
    bool isBeforeTrace() const { return m_times[0] < 0 || (m_times.size() > 1 && m_times[0] == m_times[1]); }

    /// Reads to the end of the text, only to check that it is well formed.
    void readToEnd()
    {
        while (!m_timeline.error && m_tokens.next().kind != TokenKind::End) { }
    }

    ListReader m_tokens;
    std::uint64_t m_maxMemoryBytes;
    ImportLog& m_log;
    Timeline m_timeline;
    Column<std::int64_t> m_times; ///< times of the levels, in microseconds
    std::size_t m_nextLevels = 0; ///< index of the next row of levels
    std::array<Bytes, kTimelineCategoryCount> m_levels{};
    std::optional<Nanoseconds> m_moment; ///< current moment of the rows
    std::optional<Row> m_oldVersion; ///< the row that removed a tensor's old version
};

} // namespace

Timeline readTimeline(ByteSource& source, std::uint64_t maxMemoryBytes, ImportLog& log)
{
    return TimelineReader(source, maxMemoryBytes, log).readAll();
}

} // namespace highwater::memory_timeline
