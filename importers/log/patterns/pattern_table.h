#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <re2/re2.h>

#include "core/trace/counter_series.h"
#include "core/trace/log_event.h"

/// The declarative table of what log lines look like (`resources/log-patterns.json`), ready for matching.
namespace highwater::logs {

using SharedRegex = std::shared_ptr<const re2::RE2>;

/// Most groups of an expression, including the whole match.
inline constexpr int kMostGroups = 24;

/// The role of a value in a record.
enum class Role : std::uint8_t
{
    Figure, ///< a point of a series
    Step,
    Epoch,
    Rank,
    Device,
    DeviceName,
    Label, ///< what the record was printed for
    Stage,
    Time, ///< seconds since the Unix epoch
    TimeMilliseconds,
    Record, ///< a JSON object with further figures
};

/// What a figure measures. Texts may use $1 to $9 for groups of the key's expression.
struct Measure
{
    std::string metric;
    std::string unit; ///< as `unitOf` reads it
    int unitGroup = -1; ///< for lines: the group with the written unit
    bool binaryUnits = false; ///< KB, MB and GB are powers of two
    bool unitGuessed = false;
    std::string unitNote;
    PeakSince since = PeakSince::NotAPeak;
    std::string component;
    std::string stage;
    std::string device; ///< text of its number
    std::string strip; ///< letters behind the number
};

struct Field
{
    Role role = Role::Figure;
    int group = 0;
    Measure measure; ///< for figures
};

/// A line with named groups.
struct LinePattern
{
    std::string id;
    std::string series; ///< patterns of one family write the same series
    std::string must;
    SharedRegex regex;
    bool onlyAtStart = false; ///< the expression begins with ^
    std::vector<Field> fields;
    SharedRegex labelFrom; ///< of the line before; its group "label"
    std::string remember; ///< stores the device under this name for other patterns
    std::string recall; ///< uses it, if it is at most `within` lines back
    std::uint64_t within = 0;
};

/// A record of keys and values.
struct RecordShape
{
    std::string id;
    std::string must;
    SharedRegex anchor;
    std::string pairSeparator;
    std::string keySeparator;
    bool isLiteral = false; ///< a dictionary as Python or JSON writes it
    bool wholeLine = false; ///< pairs begin at the start of the line, not behind the anchor
    std::vector<SharedRegex> unwrap;
    bool isFallback = false; ///< rounded copies of values elsewhere in the same log
    SharedRegex continuation; ///< of blocks: the lines that follow, groups key and value
};

struct KeyRule
{
    std::string id; ///< position in the table: "key 12"
    SharedRegex key;
    Role role = Role::Figure;
    Measure measure;
    std::vector<std::string> onlyShapes;
    std::vector<std::string> needsKeys; ///< the record must also have these keys
    bool textIsBinary = false; ///< a value with a written unit of its own is read with base 1024
};

/// The beginning of an out-of-memory message.
struct OomHead
{
    std::string id;
    std::string must;
    SharedRegex regex;
    SharedRegex unless; ///< null: none
    std::string backend; ///< where the message names none
    std::string speaker;
    bool isWeak = false; ///< a part of other messages: a message only where none is being read
    bool isCaught = false; ///< it is written by who catches the failure and goes on
};

/// One of its statements; they come in any order.
struct OomClause
{
    SharedRegex regex;
    std::string wording; ///< what it says about the version that wrote it
    bool repeats = false;
    bool binaryUnits = true;
};

/// Another meaningful line.
struct EventPattern
{
    std::string id;
    std::string must;
    SharedRegex regex; ///< groups as those of the statements, and `who`: the job or process it is about
    SharedRegex unless; ///< null: none
    LogEvent::Kind kind = LogEvent::Kind::Warning;
    LogEvent::Subject subject = LogEvent::Subject::Unknown;
    std::string speaker = {};
    std::string backend = {};
    std::string deviceKind = {};
    std::string amountUnit = {}; ///< of amounts without a unit
    bool endsRun = false; ///< what it is about has ended
    bool isDetail = false; ///< no message of its own: its figures belong to the speaker's last one
};

/// A line that shows that the program ended.
struct EndPattern
{
    std::string must;
    SharedRegex regex;
};

/// What a figure of memory measures, by the words next to it.
struct MemoryMeaning
{
    SharedRegex words;
    std::string metric;
};

/// Figures of memory in lines of no known form: a number with a unit next to words of memory.
struct MemoryWords
{
    std::vector<std::string> units; ///< a line is looked at only if it has one of them
    SharedRegex figure; ///< groups number and unit
    SharedRegex memory; ///< at least one such word must be there
    SharedRegex foreign; ///< what is measured in bytes, too
    SharedRegex device; ///< group device
    SharedRegex label; ///< groups label and label2
    SharedRegex step; ///< group step
    SharedRegex epoch; ///< group epoch
    SharedRegex near; ///< how the words before a figure end that are about it
    SharedRegex prose; ///< lines of documents and programs, which write of figures and report none
    SharedRegex after; ///< a word behind the figure that says what it is
    SharedRegex ratio; ///< what stands between a part and its whole
    SharedRegex key; ///< a key that ends in a unit: groups rest and unit
    std::vector<MemoryMeaning> meanings; ///< the first that fits holds; the last fits everything
};

enum class ConfigurationForm : std::uint8_t
{
    Pair, ///< groups name and value
    Command, ///< group command: words
    Namespace, ///< group arguments: name=value, …
    YamlBlock, ///< this and the following lines
    JsonBlock,
};

struct ConfigurationPattern
{
    std::string id;
    std::string must;
    std::string origin;
    ConfigurationForm form = ConfigurationForm::Pair;
    SharedRegex regex;
    SharedRegex unless;
};

struct PrefixPattern
{
    std::string first; ///< bytes that it can begin with
    SharedRegex regex; ///< groups rank and process
};

struct ProgressBar
{
    std::string id;
    std::string must;
    SharedRegex regex; ///< groups step and total
};

/// The syntax of tracebacks; groups file, line and function.
struct TracebackForms
{
    std::string start;
    std::vector<std::string> chained; ///< sentences between an exception and the one that it led to
    std::vector<SharedRegex> frames;
    std::string summaryRankMust;
    SharedRegex summaryRank; ///< in a launcher's summary of failures: group rank
};

struct PatternTable
{
    std::vector<PrefixPattern> prefixes;
    std::vector<SharedRegex> times;
    std::vector<ProgressBar> bars;
    std::vector<LinePattern> lines;
    std::vector<RecordShape> records;
    std::vector<KeyRule> keys;
    SharedRegex candidateKey; ///< keys that look like memory but are in no rule
    std::vector<OomHead> ooms;
    std::vector<OomClause> clauses;
    std::vector<EventPattern> events;
    SharedRegex sourceLine; ///< program text, which tells of no event
    std::vector<EndPattern> ends;
    SharedRegex work; ///< a line of a program at work: group number
    MemoryWords memoryWords;
    TracebackForms traceback;
    std::vector<ConfigurationPattern> configuration;
};

} // namespace highwater::logs
