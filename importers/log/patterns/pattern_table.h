#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <re2/re2.h>

#include "core/trace/counter_series.h"
#include "core/trace/log_event.h"

/// The table that describes log lines (`resources/log-patterns.json`), ready for matching. An expression with
/// a `requiredText` is tried only on lines that contain this fixed text; `unless` is an expression that such
/// a line must not match.
namespace highwater::logs {

using SharedRegex = std::shared_ptr<const re2::RE2>;

/// Most groups of an expression, including the whole match.
inline constexpr int kMaxGroups = 24;

/// The role of a value in a record.
enum class Role : std::uint8_t
{
    Figure, ///< a point of a series
    Step,
    Epoch,
    Rank,
    Device,
    DeviceName,
    Label, ///< the reason why the record was printed
    Stage,
    Time, ///< seconds since the Unix epoch
    TimeMilliseconds,
    Record, ///< a JSON object with further figures
};

/// The quantity that a figure measures. Texts may use $1 to $9 for groups of the key's expression.
struct Measure
{
    std::string metric;
    std::string unit; ///< as `unitOf` parses it
    int unitGroup = -1; ///< for lines, the group that holds the written unit
    bool binaryUnits = false; ///< KB, MB and GB are powers of two
    bool unitGuessed = false;
    std::string unitNote;
    PeakSince since = PeakSince::NotAPeak;
    std::string component;
    std::string stage;
    std::string device; ///< text of the device's number
    std::string suffix; ///< letters after the number, which are not read
};

/// A group of a line pattern, and the role of its text.
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
    std::string series; ///< name of the family; patterns of one family share their series
    std::string requiredText;
    SharedRegex regex;
    bool onlyAtStart = false; ///< the expression begins with ^
    std::vector<Field> fields;
    SharedRegex labelFrom; ///< matched against the previous line; its group is "label"
    std::string remember; ///< stores the device under this name for other patterns
    std::string recall; ///< uses the device stored under this name, if it is at most `within` lines back
    std::uint64_t within = 0;
};

/// A record of keys and values.
struct RecordShape
{
    std::string id;
    std::string requiredText;
    SharedRegex anchor;
    std::string pairSeparator;
    std::string keySeparator;
    bool isLiteral = false; ///< a dictionary as Python or JSON writes it
    bool wholeLine = false; ///< pairs begin at the start of the line, not after the anchor
    std::vector<SharedRegex> unwrap; ///< group 1 is the value within a text such as "1.0 (2.0)"
    bool isFallback = false; ///< rounded copies of values elsewhere in the same log
    SharedRegex continuation; ///< following lines of a block; groups key and value
};

/// The meaning of the keys that an expression matches.
struct KeyRule
{
    std::string id; ///< "key 12" by its position, if the entry has no id
    SharedRegex key;
    Role role = Role::Figure;
    Measure measure;
    std::vector<std::string> onlyShapes;
    std::vector<std::string> needsKeys; ///< the record must also have these keys
    bool textIsBinary = false; ///< a value with its own written unit uses base 1024
};

/// The beginning of an out-of-memory message.
struct OomHead
{
    std::string id;
    std::string requiredText;
    SharedRegex regex;
    SharedRegex unless; ///< may be null
    std::string backend; ///< used if the message names no backend
    std::string speaker;
    bool isWeak = false; ///< also occurs within other messages, so it begins a message only if none is open
    bool isCaught = false; ///< written by code that catches the failure and continues
};

/// One statement of an out-of-memory message. Statements come in any order.
struct OomClause
{
    SharedRegex regex;
    std::string wording; ///< wording of the writer's version, which the statement reveals
    bool repeats = false;
    bool binaryUnits = true;
};

/// A line that reports an event and is not the head of an out-of-memory message.
struct EventPattern
{
    std::string id;
    std::string requiredText;
    SharedRegex regex; ///< the groups of OomClause, and `who`: the job or process concerned
    SharedRegex unless; ///< may be null
    LogEvent::Kind kind = LogEvent::Kind::Warning;
    LogEvent::Subject subject = LogEvent::Subject::Unknown;
    std::string speaker = {};
    std::string backend = {};
    std::string deviceKind = {};
    std::string amountUnit = {}; ///< for amounts without a unit
    bool endsRun = false; ///< the process or job concerned has ended
    bool isDetail = false; ///< not a message of its own: its figures belong to the speaker's last message
};

/// A line which shows that the program ended.
struct EndPattern
{
    std::string requiredText;
    SharedRegex regex;
};

/// The quantity that a memory figure measures, according to the words next to it.
struct MemoryMeaning
{
    SharedRegex words;
    std::string metric;
};

/// Memory figures in lines in an unrecognized format: a number with a unit next to words about memory.
struct MemoryWords
{
    std::vector<std::string> units; ///< a line without any of them is skipped
    SharedRegex figure; ///< groups number, whole and unit
    SharedRegex memory; ///< the line must have at least one such word
    SharedRegex foreign; ///< things other than GPU memory that are measured in bytes
    SharedRegex device; ///< group device
    SharedRegex label; ///< groups label and label2
    SharedRegex step; ///< group step
    SharedRegex epoch; ///< group epoch
    SharedRegex before; ///< matches words before a figure that describe the figure
    SharedRegex prose; ///< lines of documents and programs that mention figures but report none
    SharedRegex after; ///< group 1: a word after the figure that describes it
    SharedRegex ratio; ///< the text between a part and its whole
    SharedRegex key; ///< a key that ends in a unit; groups rest and unit
    std::vector<MemoryMeaning> meanings; ///< the first match applies; the last entry matches everything
};

/// How a log writes settings.
enum class ConfigurationForm : std::uint8_t
{
    Pair, ///< groups name and value
    Command, ///< group command, split into words
    Namespace, ///< group arguments: name=value, …
    YamlBlock, ///< this line and the following ones
    JsonBlock,
};

/// A line that holds settings or begins a block of them.
struct ConfigurationPattern
{
    std::string requiredText;
    std::string origin;
    ConfigurationForm form = ConfigurationForm::Pair;
    SharedRegex regex;
    SharedRegex unless; ///< may be null
};

/// A prefix that a launcher adds to each line.
struct PrefixPattern
{
    std::string first; ///< bytes it can begin with
    SharedRegex regex; ///< groups rank and process
};

/// A progress bar, which states the current step.
struct ProgressBar
{
    std::string requiredText;
    SharedRegex regex; ///< groups step and total
};

/// The syntax of tracebacks; groups file, line and function.
struct TracebackForms
{
    std::string start;
    std::vector<std::string> chained; ///< sentences between an exception and the one that it caused
    std::vector<SharedRegex> frames;
    std::string summaryRankText;
    SharedRegex summaryRank; ///< in a launcher's summary of failures: group rank
};

/// All sections of the table, each in the order in which its entries are tried.
struct PatternTable
{
    std::vector<PrefixPattern> prefixes;
    std::vector<SharedRegex> times;
    std::vector<ProgressBar> bars;
    std::vector<LinePattern> lines;
    std::vector<RecordShape> records;
    std::vector<KeyRule> keys;
    SharedRegex candidateKey; ///< keys that look like memory but have no rule
    std::vector<OomHead> ooms;
    std::vector<OomClause> clauses;
    std::vector<EventPattern> events;
    SharedRegex sourceLine; ///< program text, which reports no event
    std::vector<EndPattern> ends;
    SharedRegex work; ///< a line that a working program prints; the first group that matched is its number
    MemoryWords memoryWords;
    TracebackForms traceback;
    std::vector<ConfigurationPattern> configuration;
};

} // namespace highwater::logs
