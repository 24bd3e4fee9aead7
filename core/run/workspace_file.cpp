#include "core/run/workspace_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/run/json_document.h"
#include "core/run/note_json_value.h"

namespace highwater {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kFormat = "highwater-workspace";
constexpr std::size_t kMaxParts = 1'000;
constexpr std::size_t kMaxRules = 10'000;
constexpr std::size_t kMaxMarkers = 1'000'000;

bool isSha256(std::string_view text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

using EventPair = std::pair<std::int64_t, std::int64_t>;

/// `Reader` and `Writer` have the same functions, one for each type of member, so that each `describe`
/// below defines both reading and writing. `Reader` leaves a value unchanged if its member is absent or
/// null, except for a role, which is required; `Writer` omits empty values.
class Reader
{
public:
    explicit Reader(JsonMembers& members)
        : m_members(members)
    {
    }

    void text(const char* key, std::string& value) { m_members.text(key, value); }
    void flag(const char* key, bool& value) { m_members.boolean(key, value); }
    void number(const char* key, auto& value, std::int64_t least)
    {
        std::int64_t number = 0;
        m_members.integer(key, number, least);
        if (m_members.find(key))
            value = number;
    }
    void role(const char* key, NoteRun& value);
    void texts(const char* key, std::vector<std::string>& values);
    void numbers(const char* key, std::vector<std::int64_t>& values);
    void eventPair(const char* key, std::optional<EventPair>& value, std::int64_t least);
    void require(bool isValid, const char* key, const char* problem)
    {
        if (!isValid)
            m_members.fail(key, problem);
    }

private:
    JsonMembers& m_members;
};

void Reader::role(const char* key, NoteRun& value)
{
    std::string role;
    text(key, role);
    if (role == toText(NoteRun::Before))
        value = NoteRun::Before;
    else
        require(role == toText(NoteRun::After), key, "is not \"before\" or \"after\"");
}

void Reader::texts(const char* key, std::vector<std::string>& values)
{
    const Json* const list = m_members.list(key, kMaxParts);
    for (std::size_t i = 0; list && i < list->size(); ++i)
        if ((*list)[i].is_string())
            values.push_back((*list)[i].get<std::string>());
        else
            m_members.fail(key, "has an entry that is not a string");
}

void Reader::numbers(const char* key, std::vector<std::int64_t>& values)
{
    const Json* const list = m_members.list(key, kMaxMarkers);
    for (std::size_t i = 0; list && i < list->size() && m_members.problems().ok(); ++i)
        readInteger((*list)[i], m_members.nameOf(key), 0, values.emplace_back(), m_members.problems());
}

void Reader::eventPair(const char* key, std::optional<EventPair>& value, std::int64_t least)
{
    const Json* const json = m_members.list(key, 2);
    if (!json)
        return;
    EventPair events;
    const std::string name = m_members.nameOf(key);
    if (json->size() != 2)
        m_members.fail(key, "is not a list of two numbers");
    else if (readInteger((*json)[0], name, least, events.first, m_members.problems())
        && readInteger((*json)[1], name, least, events.second, m_members.problems()))
        value = events;
}

class Writer
{
public:
    void text(const char* key, const std::string& value) { add(key, value, !value.empty()); }
    void flag(const char* key, bool value) { add(key, value, value); }
    void number(const char* key, const auto& value, std::int64_t)
    {
        add(key, value.value_or(0), value.has_value());
    }
    void role(const char* key, NoteRun value) { text(key, std::string(toText(value))); }
    void texts(const char* key, const std::vector<std::string>& values) { add(key, values, !values.empty()); }
    void numbers(const char* key, const auto& values) { add(key, values, !values.empty()); }
    void eventPair(const char* key, const std::optional<EventPair>& value, std::int64_t)
    {
        add(key, value.value_or(EventPair()), value.has_value());
    }
    void require(bool, const char*, const char*) { }

    OrderedJson json = OrderedJson::object();

private:
    void add(const char* key, const auto& value, bool isSet)
    {
        if (isSet)
            json[key] = value;
    }
};

void describe(auto& members, WorkspaceReference& reference)
{
    members.text("path", reference.path);
    members.text("last_seen", reference.lastSeen);
    members.text("sha256", reference.sha256);
    members.require(reference.sha256.empty() || isSha256(reference.sha256), "sha256",
        "does not have 64 hexadecimal digits");
    members.number("bytes", reference.bytes, 0);
    members.require(!reference.path.empty() || !reference.lastSeen.empty(), "path", "is missing");
}

void describe(auto& members, WorkspaceSource& source)
{
    members.role("role", source.role);
    describe(members, source.file);
    members.number("rank", source.rank, 0);
    members.flag("shown", source.isShown);
    members.text("device", source.device);
    members.number("offset_ns", source.offset, -kLargestStoredNumber);
    members.number("capacity_bytes", source.capacity, 1);
    members.text("card", source.gpu);
}

void describe(auto& members, WorkspaceSteps& steps)
{
    members.text("source", steps.source);
    members.text("pattern", steps.pattern);
    members.numbers("markers", steps.markers);
    members.require(std::ranges::is_sorted(steps.markers), "markers", "are not in ascending order");
}

void describe(auto& members, WorkspaceReport& report)
{
    members.text("template", report.kind);
    members.texts("parts", report.parts);
    members.text("title", report.title);
    members.flag("strip_paths", report.stripPaths);
}

void describe(auto& members, WorkspaceView& view)
{
    members.text("open", view.open);
    members.eventPair("events", view.events, 0);
    members.require(!view.events || view.events->first < view.events->second, "events",
        "is empty: its second number is the event after the last");
    members.text("axis", view.axis);
    members.text("bands", view.bands);
    members.text("bytes", view.bytes);
    members.number("cursor", view.cursor, -1);
    members.text("compare_axis", view.compareAxis);
    members.text("compare_group", view.compareGroup);
    members.eventPair("compare_events", view.comparedEvents, -1);
}

/// Reads an object; `prefix` precedes the names of its members in messages.
void readObject(const Json& json, const std::string& name, const std::string& prefix, auto& target,
    DocumentProblems& problems)
{
    JsonMembers members(json, name, prefix, problems);
    Reader reader(members);
    describe(reader, target);
    members.warnAboutUnknownKeys();
}

void readMember(JsonMembers& document, const std::string& key, auto& target)
{
    if (const Json* const json = document.find(key.c_str()))
        readObject(*json, key, key + '.', target, document.problems());
}

void readSources(JsonMembers& document, std::vector<WorkspaceSource>& target)
{
    const Json* const list = document.list("sources", kMaxWorkspaceSources);
    for (std::size_t i = 0; list && i < list->size() && document.problems().ok(); ++i) {
        const std::string name = fmt::format("source {}", i + 1);
        readObject((*list)[i], name, name + ": ", target.emplace_back(), document.problems());
    }
}

void readRules(JsonMembers& document, std::vector<CategoryRule>& target)
{
    const Json* const json = document.list("rules", kMaxRules);
    if (!json)
        return;
    Result<std::vector<CategoryRule>> rules = parseCategoryRules(json->dump());
    if (!rules)
        document.problems().fail(rules.error().message);
    else
        target = std::move(*rules);
}

std::string unknownMembersOf(const JsonMembers& document, const Json& json)
{
    Json unknownMembers = Json::object();
    for (const std::string& key : document.unknownKeys())
        unknownMembers[key] = json[key];
    return unknownMembers.empty() ? std::string() : jsonText(unknownMembers);
}

WorkspaceFile readMembers(const Json& json, DocumentProblems& problems)
{
    WorkspaceFile file;
    JsonMembers document(json, "the workspace", {}, problems);
    // Marks the two members as known; `supportedVersion` has checked them.
    document.find("format");
    document.find("version");
    readSources(document, file.sources);
    if (document.find("configuration"))
        readMember(document, "configuration", file.configuration.emplace());
    readMember(document, "steps", file.steps);
    readRules(document, file.rules);
    if (const Json* notes = document.find("notes"))
        file.notes = readNotes(*notes, problems);
    readMember(document, "report", file.report);
    readMember(document, "view", file.view);
    document.text("saved_as", file.savedAs);
    file.rest = unknownMembersOf(document, json);
    return file;
}

/// Returns the version, or why the document cannot be read.
Result<std::int64_t> supportedVersion(const Json& json)
{
    if (!json.is_object() || !json.contains("format") || json["format"] != kFormat)
        return fail(
            ErrorCode::UnknownFormat, "is not a workspace: \"format\" is not \"highwater-workspace\"");
    DocumentProblems problems;
    std::int64_t version = 0;
    if (!json.contains("version"))
        problems.fail("version is missing");
    else
        readInteger(json["version"], "version", 1, version, problems);
    if (!problems.ok())
        return fail(ErrorCode::Malformed, "the workspace: " + problems.wrong);
    if (version > kWorkspaceVersion)
        return fail(ErrorCode::Refused,
            fmt::format("was saved by a newer Highwater (workspace version {}; this one reads up to {})",
                version, kWorkspaceVersion));
    return version;
}

/// Returns the value as JSON. It is copied because `describe` needs a value that could also be read into.
OrderedJson writtenJson(auto value)
{
    Writer writer;
    describe(writer, value);
    return writer.json;
}

/// Returns the document as text and appends the members that were unknown when it was read, except those
/// whose names are known now. They are appended as text because ordered JSON objects are slow with many
/// members.
std::string documentWithUnknown(const OrderedJson& json, const std::string& unknownMembers)
{
    std::string text = documentText(json);
    Json added = parseJson(unknownMembers);
    if (!added.is_object())
        return text;
    for (const auto& [key, value] : json.items())
        added.erase(key);
    if (added.empty())
        return text;
    constexpr std::string_view kEnd = "\n}\n";
    const std::string addedText = jsonText(added, 2);
    text.resize(text.size() - kEnd.size());
    return text + ',' + addedText.substr(1) + '\n';
}

} // namespace

bool looksLikeWorkspace(std::string_view firstBytes)
{
    const auto skip = [&](std::string_view expected) {
        const std::size_t begin = firstBytes.find_first_not_of(" \t\r\n");
        firstBytes.remove_prefix(std::min(begin, firstBytes.size()));
        const bool found = firstBytes.starts_with(expected);
        firstBytes.remove_prefix(found ? expected.size() : 0);
        return found;
    };
    return skip("{") && skip("\"format\"") && skip(":") && skip("\"highwater-workspace\"");
}

Result<ParsedWorkspace> workspaceFromJson(std::string_view text)
{
    Result<Json> document = parseJsonDocument(text, "the workspace");
    if (!document)
        return tl::unexpected(document.error());
    const Result<std::int64_t> version = supportedVersion(*document);
    if (!version)
        return tl::unexpected(version.error());
    const Result<Json> current = upgradedWorkspace(std::move(*document), *version);
    if (!current)
        return tl::unexpected(current.error());
    DocumentProblems problems;
    ParsedWorkspace read{readMembers(*current, problems), *version, {}};
    if (!problems.ok())
        return fail(ErrorCode::Malformed, "the workspace: " + problems.wrong);
    read.warnings = std::move(problems.warnings);
    return read;
}

std::string workspaceToJson(const WorkspaceFile& file)
{
    OrderedJson json = OrderedJson::object();
    json["format"] = std::string(kFormat);
    json["version"] = kWorkspaceVersion;
    json["sources"] = OrderedJson::array();
    for (const WorkspaceSource& source : file.sources)
        json["sources"].push_back(writtenJson(source));
    if (file.configuration)
        json["configuration"] = writtenJson(*file.configuration);
    const auto add = [&](const char* key, OrderedJson value) {
        if (!value.empty())
            json[key] = std::move(value);
    };
    add("steps", writtenJson(file.steps));
    if (!file.rules.empty())
        json["rules"] = parseOrderedJson(toJsonText(file.rules));
    json["notes"] = jsonOf(file.notes);
    add("report", writtenJson(file.report));
    add("view", writtenJson(file.view));
    if (!file.savedAs.empty())
        json["saved_as"] = file.savedAs;
    return documentWithUnknown(json, file.rest);
}

} // namespace highwater
