#include "importers/log/patterns/pattern_entries.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "core/base/whole_number.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestLiteral = 200;
constexpr std::size_t kLongestExpression = 4'000;
constexpr std::size_t kTrialBytes = 4096;
constexpr std::chrono::microseconds kLongestTrial{200};

/// True for an entry that `patternsWith` took from the user.
bool isUserEntry(const Json& json)
{
    return json.contains("user");
}

/// Returns the fastest of three matches on a line, because other programs may interrupt one of them.
std::chrono::nanoseconds matchTime(const re2::RE2& regex, const std::string& line)
{
    using Clock = std::chrono::steady_clock;
    auto quickest = std::chrono::nanoseconds::max();
    for (int i = 0; i < 3; ++i) {
        std::array<re2::StringPiece, kMaxGroups> groups;
        const auto begin = Clock::now();
        regex.Match(line, 0, line.size(), re2::RE2::UNANCHORED, groups.data(),
            std::min(regex.NumberOfCapturingGroups() + 1, kMaxGroups));
        quickest = std::min<std::chrono::nanoseconds>(quickest, Clock::now() - begin);
    }
    return quickest;
}

/// Tries the expression on lines that are hard for regular expressions: digits, dashes, numbers, pairs, or
/// the literal over and over.
void tryOnHardLines(const re2::RE2& regex, const std::string& must)
{
    for (const std::string& piece : {std::string("1234567890"), std::string("- "), std::string("1.5 "),
             std::string("a: 1, "), must.empty() ? std::string(" ") : must + " 1"}) {
        std::string line = must;
        while (line.size() < kTrialBytes)
            line += piece;
        line.resize(kTrialBytes);
        if (matchTime(regex, line) > kLongestTrial)
            throw BadEntry("the expression takes longer than 200 µs for a line of 4 KiB");
    }
}

SharedRegex compile(const std::string& expression)
{
    if (expression.size() > kLongestExpression)
        throw BadEntry("the expression is longer than 4,000 bytes");
    re2::RE2::Options options;
    options.set_encoding(re2::RE2::Options::EncodingLatin1); // matches bytes: logs are not always valid UTF-8
    options.set_log_errors(false);
    auto regex = std::make_shared<const re2::RE2>(expression, options);
    if (!regex->ok())
        throw BadEntry("the expression is not valid: " + regex->error());
    if (regex->NumberOfCapturingGroups() >= kMaxGroups)
        throw BadEntry("the expression has more than 23 groups");
    return regex;
}

/// Reads an expression that an entry must have. The expressions of a user's entry are timed.
SharedRegex expressionOf(const Json& json, const char* key)
{
    SharedRegex regex = compile(json.at(key).get<std::string>());
    if (isUserEntry(json))
        tryOnHardLines(*regex, json.value("must", ""));
    return regex;
}

/// Returns the fixed text that lines must contain.
std::string mustOf(const Json& json)
{
    const std::string must = json.value("must", "");
    if (must.empty())
        throw BadEntry("\"must\" is missing: the text that a line has to contain");
    if (must.size() > kLongestLiteral)
        throw BadEntry("\"must\" is longer than 200 bytes");
    return must;
}

/// Returns the number of a group that the expression must have.
int groupOf(const re2::RE2& regex, const std::string& name)
{
    const auto found = regex.NamedCapturingGroups().find(name);
    if (found == regex.NamedCapturingGroups().end())
        throw BadEntry("the expression has no group \"" + name + "\"");
    return found->second;
}

Role roleOf(const std::string& name)
{
    constexpr std::pair<std::string_view, Role> kRoles[]
        = {{"step", Role::Step}, {"epoch", Role::Epoch}, {"rank", Role::Rank}, {"device", Role::Device},
            {"device_name", Role::DeviceName}, {"label", Role::Label}, {"stage", Role::Stage},
            {"time", Role::Time}, {"time_ms", Role::TimeMilliseconds}, {"json_object", Role::Record}};
    for (const auto& [text, role] : kRoles)
        if (text == name)
            return role;
    throw BadEntry("there is no role \"" + name + "\"");
}

/// Returns since when a peak counts; NotAPeak for a metric that is no peak.
PeakSince sinceOf(const Json& json, const std::string& metric)
{
    const std::string since = json.value("since", "");
    if (since == "previous_record")
        return PeakSince::PreviousRecord;
    if (!since.empty())
        throw BadEntry("\"since\" can only be \"previous_record\"");
    return !contains(metric, "_peak") ? PeakSince::NotAPeak : PeakSince::ProcessStart;
}

Measure readMeasure(const Json& json)
{
    Measure measure;
    measure.metric = json.at("metric").get<std::string>();
    measure.unit = json.value("unit", "");
    measure.binaryUnits = json.contains("base") && json.at("base") == 1024;
    measure.unitGuessed = json.value("unit_guess", false);
    measure.unitNote = json.value("unit_note", "");
    measure.since = sinceOf(json, measure.metric);
    measure.component = json.value("component", "");
    measure.stage = json.value("stage", "");
    measure.device = json.value("device", "");
    measure.suffix = json.value("strip", "");
    const std::optional<Unit> unit = unitOf(measure.unit, measure.binaryUnits);
    if (!unit)
        throw BadEntry("there is no unit \"" + measure.unit + "\"");
    if (unit->isAmbiguous) {
        measure.unitGuessed = true;
        if (measure.unitNote.empty())
            measure.unitNote = kAmbiguousUnitNote;
    }
    return measure;
}

/// Returns null if the entry has no such expression.
SharedRegex unlessOf(const Json& json)
{
    return json.contains("unless") ? expressionOf(json, "unless") : nullptr;
}

LogEvent::Kind kindOf(const std::string& name)
{
    for (const LogEvent::Kind kind :
        {LogEvent::Kind::Warning, LogEvent::Kind::DriverOom, LogEvent::Kind::HostOom,
            LogEvent::Kind::EngineOom, LogEvent::Kind::Unclear, LogEvent::Kind::Other})
        if (toText(kind) == name)
            return kind;
    throw BadEntry("there is no kind \"" + name + "\"");
}

LogEvent::Subject subjectOf(const std::string& name)
{
    for (const LogEvent::Subject subject : {LogEvent::Subject::Unknown, LogEvent::Subject::Device,
             LogEvent::Subject::Host, LogEvent::Subject::SharedMemory})
        if (toText(subject) == name)
            return subject;
    throw BadEntry("there is no subject \"" + name + "\"");
}

/// Returns the subject of an event whose entry names none.
LogEvent::Subject usualSubject(LogEvent::Kind kind)
{
    switch (kind) {
    case LogEvent::Kind::Oom:
    case LogEvent::Kind::DriverOom:
    case LogEvent::Kind::EngineOom: return LogEvent::Subject::Device;
    case LogEvent::Kind::HostOom: return LogEvent::Subject::Host;
    case LogEvent::Kind::Warning:
    case LogEvent::Kind::Unclear:
    case LogEvent::Kind::Other: break;
    }
    return LogEvent::Subject::Unknown;
}

/// Reads the role or measure of a group.
Field readField(const re2::RE2& regex, const std::string& group, const Json& target)
{
    Field field;
    field.group = groupOf(regex, group);
    if (target.is_string()) {
        field.role = roleOf(target.get<std::string>());
        return field;
    }
    field.measure = readMeasure(target);
    if (target.contains("unit_from"))
        field.measure.unitGroup = groupOf(regex, target.at("unit_from").get<std::string>());
    return field;
}

} // namespace

SharedRegex readExpression(const Json& expression, bool timed)
{
    SharedRegex regex = compile(expression.get<std::string>());
    if (timed)
        tryOnHardLines(*regex, {});
    return regex;
}

PrefixPattern readPrefix(const Json& json, std::size_t)
{
    return {json.at("first").get<std::string>(), expressionOf(json, "regex")};
}

SharedRegex readExpressionEntry(const Json& json, std::size_t)
{
    return expressionOf(json, "regex");
}

ProgressBar readBar(const Json& json, std::size_t)
{
    ProgressBar bar{mustOf(json), expressionOf(json, "regex")};
    groupOf(*bar.regex, "step");
    return bar;
}

LinePattern readLinePattern(const Json& json, std::size_t)
{
    LinePattern pattern;
    pattern.id = json.at("id").get<std::string>();
    pattern.series = json.contains("series") ? json.value("series", "") : pattern.id;
    pattern.requiredText = mustOf(json);
    pattern.regex = expressionOf(json, "regex");
    pattern.onlyAtStart = pattern.regex->pattern().starts_with('^');
    for (const auto& [group, target] : json.at("fields").items())
        pattern.fields.push_back(readField(*pattern.regex, group, target));
    std::ranges::sort(pattern.fields, {}, &Field::group);
    if (json.contains("label_from")) {
        pattern.labelFrom = expressionOf(json, "label_from");
        groupOf(*pattern.labelFrom, "label");
    }
    pattern.remember = json.value("remember", "");
    pattern.recall = json.value("recall", "");
    if (json.contains("within"))
        pattern.within = wholeNumber<std::uint64_t>(json.at("within"));
    return pattern;
}

RecordShape readRecordShape(const Json& json, std::size_t)
{
    RecordShape shape;
    shape.id = json.at("id").get<std::string>();
    shape.requiredText = mustOf(json);
    shape.anchor = expressionOf(json, "anchor");
    shape.pairSeparator = json.value("pair_sep", "");
    shape.keySeparator = json.value("kv_sep", "");
    shape.isLiteral = json.value("syntax", "") == "literal";
    shape.wholeLine = json.value("whole_line", false);
    shape.isFallback = json.value("fallback", false);
    if (json.contains("unwrap"))
        for (const Json& expression : json.at("unwrap"))
            shape.unwrap.push_back(readExpression(expression, isUserEntry(json)));
    if (json.contains("continuation")) {
        shape.continuation = expressionOf(json, "continuation");
        groupOf(*shape.continuation, "key");
        groupOf(*shape.continuation, "value");
    }
    if (!shape.isLiteral && !shape.continuation
        && (shape.pairSeparator.empty() || shape.keySeparator.empty()))
        throw BadEntry("the entry needs \"pair_sep\" and \"kv_sep\", or \"syntax\": \"literal\"");
    return shape;
}

KeyRule readKeyRule(const Json& json, std::size_t index)
{
    KeyRule rule;
    rule.id = json.contains("id") ? json.value("id", "") : "key " + std::to_string(index);
    rule.key = expressionOf(json, "key");
    if (json.contains("role"))
        rule.role = roleOf(json.value("role", ""));
    else
        rule.measure = readMeasure(json);
    if (json.contains("only_shapes"))
        rule.onlyShapes = json.at("only_shapes").get<std::vector<std::string>>();
    if (json.contains("needs_keys"))
        rule.needsKeys = json.at("needs_keys").get<std::vector<std::string>>();
    rule.textIsBinary = json.contains("text_base") && json.at("text_base") == 1024;
    return rule;
}

OomHead readOomHead(const Json& json, std::size_t)
{
    return {json.at("id").get<std::string>(), mustOf(json), expressionOf(json, "regex"), unlessOf(json),
        json.value("backend", ""), json.value("speaker", ""), json.value("weak", false),
        json.value("caught", false)};
}

OomClause readOomClause(const Json& json, std::size_t)
{
    return {expressionOf(json, "regex"), json.value("wording", ""), json.value("repeat", false),
        !json.contains("base") || json.at("base") == 1024};
}

EventPattern readEvent(const Json& json, std::size_t)
{
    EventPattern event{
        json.at("id").get<std::string>(), mustOf(json), expressionOf(json, "regex"), unlessOf(json)};
    const std::string kind = json.at("kind").get<std::string>();
    event.isDetail = kind == "detail";
    if (!event.isDetail)
        event.kind = kindOf(kind);
    event.subject = json.contains("subject") ? subjectOf(json.at("subject").get<std::string>())
                                             : usualSubject(event.kind);
    event.speaker = json.value("speaker", "");
    event.backend = json.value("backend", "");
    event.deviceKind = json.value("device_kind", "");
    event.amountUnit = json.value("amount_unit", "");
    event.endsRun = json.value("ends", false);
    return event;
}

EndPattern readEnd(const Json& json, std::size_t)
{
    return {mustOf(json), expressionOf(json, "regex")};
}

MemoryWords readMemoryWords(const Json& json)
{
    MemoryWords words{json.at("units").get<std::vector<std::string>>(), expressionOf(json, "figure"),
        expressionOf(json, "memory"), expressionOf(json, "foreign"), expressionOf(json, "device"),
        expressionOf(json, "label"), expressionOf(json, "step"), expressionOf(json, "epoch"),
        expressionOf(json, "near"), expressionOf(json, "prose"), expressionOf(json, "after"),
        expressionOf(json, "ratio"), expressionOf(json, "key"), {}};
    for (const Json& meaning : json.at("meanings"))
        words.meanings.push_back({expressionOf(meaning, "words"), meaning.at("metric").get<std::string>()});
    return words;
}

ConfigurationPattern readConfiguration(const Json& json, std::size_t)
{
    ConfigurationPattern pattern;
    pattern.requiredText = mustOf(json);
    pattern.origin = json.value("origin", "");
    constexpr std::pair<const char*, ConfigurationForm> kForms[] = {{"regex", ConfigurationForm::Pair},
        {"command", ConfigurationForm::Command}, {"namespace", ConfigurationForm::Namespace}};
    for (const auto& [key, form] : kForms)
        if (json.contains(key)) {
            pattern.form = form;
            pattern.regex = expressionOf(json, key);
        }
    if (const std::string block = json.value("block", ""); !block.empty()) {
        pattern.form = block == "yaml" ? ConfigurationForm::YamlBlock : ConfigurationForm::JsonBlock;
        pattern.regex = expressionOf(json, "start");
    }
    if (!pattern.regex)
        throw BadEntry("the entry has no expression");
    if (pattern.form == ConfigurationForm::Pair) {
        groupOf(*pattern.regex, "name");
        groupOf(*pattern.regex, "value");
    }
    pattern.unless = unlessOf(json);
    return pattern;
}

} // namespace highwater::logs
