#include "importers/log/patterns/pattern_table_reader.h"

#include <algorithm>

#include "core/base/embedded_resource.h"
#include "core/base/json.h"
#include "importers/log/patterns/pattern_entries.h"

namespace highwater::logs {

namespace {

using Json = nlohmann::json;

constexpr const char* kSections[] = {"prefixes", "times", "progress_bars", "patterns", "kv_shapes", "key_map",
    "oom", "oom_clauses", "events", "frames", "configuration"};
constexpr std::size_t kMaxUserEntries = 1000;

bool hasId(const Json& entry, const Json& id)
{
    return entry.is_object() && entry.contains("id") && entry.at("id") == id;
}

/// Puts a user's entries before the built-in ones and removes the built-in ones that they replace. Returns a
/// problem, or an empty text.
std::string mergeSection(Json& builtIn, const Json& user)
{
    if (!user.is_array() || user.size() > kMaxUserEntries)
        return "is not a list of at most 1,000 entries";
    Json merged = Json::array();
    for (const Json& entry : user) {
        if (entry.is_object() && entry.contains("id"))
            builtIn.erase(std::remove_if(builtIn.begin(), builtIn.end(),
                              [&](const Json& builtInEntry) { return hasId(builtInEntry, entry.at("id")); }),
                builtIn.end());
        if (entry.is_object() && entry.contains("disabled") && entry.at("disabled") == true)
            continue;
        merged.push_back(entry);
        if (entry.is_object())
            merged.back()["user"] = true;
    }
    merged.insert(merged.end(), builtIn.begin(), builtIn.end());
    builtIn = std::move(merged);
    return {};
}

/// Names an entry in messages: by its id, or by its position.
std::string nameOf(const Json& entry, std::size_t index)
{
    if (entry.is_object() && entry.contains("id") && entry.at("id").is_string())
        return "\"" + entry.at("id").get<std::string>() + "\"";
    return "entry " + std::to_string(index);
}

/// Reads the entries of a section. Describes in `refused` those that cannot be used.
template <typename Entry>
std::vector<Entry> readSection(const Json& table, const char* section,
    Entry (*read)(const Json&, std::size_t), std::vector<std::string>& refused)
{
    std::vector<Entry> entries;
    if (!table.contains(section) || !table.at(section).is_array())
        return entries;
    std::size_t index = 0;
    for (const Json& json : table.at(section)) {
        const auto refuse = [&](const std::string& reason) {
            refused.push_back(std::string(section) + " " + nameOf(json, index) + ": " + reason);
        };
        try {
            entries.push_back(read(json, index));
        } catch (const BadEntry& error) {
            refuse(error.what());
        } catch (const Json::exception&) {
            refuse("an item is missing or has the wrong type");
        }
        ++index;
    }
    return entries;
}

/// Reads a part that only the built-in table has.
void readTraceback(const Json& json, TracebackForms& forms)
{
    forms.start = json.at("start").get<std::string>();
    forms.chained = json.at("chained").get<std::vector<std::string>>();
    forms.summaryRankText = json.at("summary_rank").at("must").get<std::string>();
    forms.summaryRank = readExpression(json.at("summary_rank").at("regex"));
}

/// Reads all sections. Describes in `refused` the entries that cannot be used.
PatternTable tableOf(const Json& json, std::vector<std::string>& refused)
{
    PatternTable table;
    table.prefixes = readSection(json, "prefixes", readPrefix, refused);
    table.times = readSection(json, "times", readExpressionEntry, refused);
    table.bars = readSection(json, "progress_bars", readBar, refused);
    table.lines = readSection(json, "patterns", readLinePattern, refused);
    table.records = readSection(json, "kv_shapes", readRecordShape, refused);
    table.keys = readSection(json, "key_map", readKeyRule, refused);
    table.ooms = readSection(json, "oom", readOomHead, refused);
    table.clauses = readSection(json, "oom_clauses", readOomClause, refused);
    table.events = readSection(json, "events", readEvent, refused);
    table.ends = readSection(json, "run_ends", readEnd, refused);
    if (json.contains("source_lines"))
        table.sourceLine = readExpression(json.at("source_lines"));
    if (json.contains("work"))
        table.work = readExpression(json.at("work"));
    if (json.contains("memory_words"))
        table.memoryWords = readMemoryWords(json.at("memory_words"));
    table.configuration = readSection(json, "configuration", readConfiguration, refused);
    if (json.contains("traceback"))
        readTraceback(json.at("traceback"), table.traceback);
    table.traceback.frames = readSection(json, "frames", readExpressionEntry, refused);
    if (json.contains("candidate_keys"))
        table.candidateKey = readExpression(json.at("candidate_keys"));
    return table;
}

Json builtInJson()
{
    return parseJson(embeddedResource("log-patterns.json").value_or("{}"));
}

} // namespace

const PatternTable& builtInPatterns()
{
    static const PatternTable table = [] {
        std::vector<std::string> refused; // always empty, which a test checks
        return tableOf(builtInJson(), refused);
    }();
    return table;
}

Result<PatternTable> patternsWith(std::string_view userJson, std::vector<std::string>& refused)
{
    const Json user = parseJson(userJson);
    if (!user.is_object())
        return fail(ErrorCode::Malformed, "the file of log patterns is not a JSON object");
    Json table = builtInJson();
    for (const char* section : kSections)
        if (user.contains(section))
            if (const std::string problem = mergeSection(table[section], user.at(section)); !problem.empty())
                refused.push_back(std::string(section) + " " + problem);
    return tableOf(table, refused);
}

} // namespace highwater::logs
