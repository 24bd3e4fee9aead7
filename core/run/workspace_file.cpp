#include "core/run/workspace_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/run/json_document.h"
#include "core/run/note_json_value.h"

namespace highwater {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kFormat = "highwater-workspace";
constexpr std::size_t kMostParts = 1'000;
constexpr std::size_t kMostRules = 10'000;
constexpr std::size_t kMostMarkers = 1'000'000;

bool isSha256(std::string_view text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void readReference(JsonMembers& members, WorkspaceReference& reference)
{
    members.text("path", reference.path);
    members.text("last_seen", reference.lastSeen);
    members.text("sha256", reference.sha256);
    if (!reference.sha256.empty() && !isSha256(reference.sha256))
        members.fail("sha256", "is not 64 hexadecimal digits");
    if (members.find("bytes")) {
        std::int64_t bytes = 0;
        members.integer("bytes", bytes, 0);
        reference.bytes = static_cast<std::uint64_t>(bytes);
    }
    if (reference.path.empty() && reference.lastSeen.empty())
        members.fail("path", "is missing");
}

/// Of members that may be absent.
void readOptional(JsonMembers& members, const char* key, std::int64_t least, auto& into)
{
    if (!members.find(key))
        return;
    std::int64_t value = 0;
    members.integer(key, value, least);
    into = value;
}

void readRole(JsonMembers& members, NoteRun& into)
{
    std::string role;
    members.text("role", role);
    if (role == toText(NoteRun::Before))
        into = NoteRun::Before;
    else if (role != toText(NoteRun::After))
        members.fail("role", "is neither \"before\" nor \"after\"");
}

WorkspaceSource sourceOf(const Json& json, const std::string& name, DocumentProblems& problems)
{
    WorkspaceSource source;
    JsonMembers members(json, name, name + ": ", problems);
    readReference(members, source.file);
    readRole(members, source.role);
    readOptional(members, "rank", 0, source.rank);
    members.boolean("shown", source.isShown);
    members.text("device", source.device);
    readOptional(members, "offset_ns", std::numeric_limits<std::int64_t>::min(), source.offset);
    readOptional(members, "capacity_bytes", 1, source.capacity);
    members.text("card", source.gpu);
    members.warnOfUnknown();
    return source;
}

void readSources(JsonMembers& document, std::vector<WorkspaceSource>& into)
{
    const Json* const list = document.list("sources", kMostWorkspaceSources);
    for (std::size_t i = 0; list && i < list->size() && document.problems().ok(); ++i)
        into.push_back(sourceOf((*list)[i], fmt::format("source {}", i + 1), document.problems()));
}

void readConfiguration(JsonMembers& document, std::optional<WorkspaceReference>& into)
{
    const Json* const json = document.find("configuration");
    if (!json)
        return;
    JsonMembers members(*json, "configuration", "configuration.", document.problems());
    readReference(members, into.emplace());
    members.warnOfUnknown();
}

void readSteps(JsonMembers& document, WorkspaceSteps& into)
{
    const Json* const json = document.find("steps");
    if (!json)
        return;
    JsonMembers members(*json, "steps", "steps.", document.problems());
    members.text("source", into.source);
    members.text("pattern", into.pattern);
    const Json* const markers = members.list("markers", kMostMarkers);
    for (std::size_t i = 0; markers && i < markers->size() && document.problems().ok(); ++i) {
        std::int64_t event = 0;
        readInteger((*markers)[i], "steps.markers", 0, event, document.problems());
        into.markers.push_back(event);
    }
    if (!std::ranges::is_sorted(into.markers))
        members.fail("markers", "do not ascend");
    members.warnOfUnknown();
}

void readRules(JsonMembers& document, std::vector<CategoryRule>& into)
{
    const Json* const json = document.list("rules", kMostRules);
    if (!json)
        return;
    Result<std::vector<CategoryRule>> rules = parseCategoryRules(json->dump());
    if (!rules)
        document.problems().fail(rules.error().message);
    else
        into = std::move(*rules);
}

void readReport(JsonMembers& document, WorkspaceReport& into)
{
    const Json* const json = document.find("report");
    if (!json)
        return;
    JsonMembers members(*json, "report", "report.", document.problems());
    members.text("template", into.kind);
    members.text("title", into.title);
    members.boolean("strip_paths", into.stripPaths);
    const Json* const parts = members.list("parts", kMostParts);
    for (std::size_t i = 0; parts && i < parts->size(); ++i)
        if ((*parts)[i].is_string())
            into.parts.push_back((*parts)[i].get<std::string>());
        else
            members.fail("parts", "holds something that is not a text");
    members.warnOfUnknown();
}

void readEventsInView(JsonMembers& members, WorkspaceView& into)
{
    const Json* const json = members.list("events", 2);
    if (!json)
        return;
    std::pair<std::int64_t, std::int64_t> events;
    const std::string place = members.place("events");
    if (json->size() != 2)
        members.fail("events", "is not a list of two numbers");
    else if (readInteger((*json)[0], place, 0, events.first, members.problems())
        && readInteger((*json)[1], place, 1, events.second, members.problems()))
        into.events = events;
    if (into.events && events.second <= events.first)
        members.fail("events", "holds no event: the second number is behind the last one");
}

void readView(JsonMembers& document, WorkspaceView& into)
{
    const Json* const json = document.find("view");
    if (!json)
        return;
    JsonMembers members(*json, "view", "view.", document.problems());
    members.text("open", into.open);
    readEventsInView(members, into);
    members.text("axis", into.axis);
    members.text("bands", into.bands);
    members.text("bytes", into.bytes);
    readOptional(members, "cursor", -1, into.cursor);
    members.text("compare_axis", into.compareAxis);
    members.text("compare_group", into.compareGroup);
    members.warnOfUnknown();
}

std::string restOf(const JsonMembers& document, const Json& json)
{
    Json rest = Json::object();
    for (const std::string& key : document.unknownKeys())
        rest[key] = json[key];
    return rest.empty() ? std::string() : rest.dump();
}

WorkspaceFile fileOf(const Json& json, DocumentProblems& problems)
{
    WorkspaceFile file;
    JsonMembers document(json, "the workspace", {}, problems);
    document.find("format");
    document.find("version");
    readSources(document, file.sources);
    readConfiguration(document, file.configuration);
    readSteps(document, file.steps);
    readRules(document, file.rules);
    if (const Json* notes = document.find("notes"))
        file.notes = notesOf(*notes, problems);
    readReport(document, file.report);
    readView(document, file.view);
    document.text("saved_as", file.savedAs);
    file.rest = restOf(document, json);
    return file;
}

/// The version, or why it cannot be read.
Result<std::int64_t> versionOf(const Json& json)
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
            fmt::format("was saved by a later version of Highwater (form {} of the workspace; this one reads "
                        "up to {})",
                version, kWorkspaceVersion));
    return version;
}

void addText(OrderedJson& json, const char* key, const std::string& text)
{
    if (!text.empty())
        json[key] = text;
}

void addNumber(OrderedJson& json, const char* key, const auto& number)
{
    if (number)
        json[key] = *number;
}

void addObject(OrderedJson& json, const char* key, OrderedJson object)
{
    if (!object.empty())
        json[key] = std::move(object);
}

OrderedJson jsonOf(const WorkspaceReference& reference)
{
    OrderedJson json = OrderedJson::object();
    addText(json, "path", reference.path);
    addText(json, "last_seen", reference.lastSeen);
    addText(json, "sha256", reference.sha256);
    addNumber(json, "bytes", reference.bytes);
    return json;
}

OrderedJson jsonOf(const WorkspaceSource& source)
{
    OrderedJson json = OrderedJson::object();
    json["role"] = std::string(toText(source.role));
    json.update(jsonOf(source.file));
    addNumber(json, "rank", source.rank);
    if (source.isShown)
        json["shown"] = true;
    addText(json, "device", source.device);
    addNumber(json, "offset_ns", source.offset);
    addNumber(json, "capacity_bytes", source.capacity);
    addText(json, "card", source.gpu);
    return json;
}

OrderedJson jsonOf(const WorkspaceSteps& steps)
{
    OrderedJson json = OrderedJson::object();
    addText(json, "source", steps.source);
    addText(json, "pattern", steps.pattern);
    if (!steps.markers.empty())
        json["markers"] = steps.markers;
    return json;
}

OrderedJson jsonOf(const WorkspaceReport& report)
{
    OrderedJson json = OrderedJson::object();
    addText(json, "template", report.kind);
    if (!report.parts.empty())
        json["parts"] = report.parts;
    addText(json, "title", report.title);
    if (report.stripPaths)
        json["strip_paths"] = true;
    return json;
}

OrderedJson jsonOf(const WorkspaceView& view)
{
    OrderedJson json = OrderedJson::object();
    addText(json, "open", view.open);
    if (view.events)
        json["events"] = OrderedJson::array({view.events->first, view.events->second});
    addText(json, "axis", view.axis);
    addText(json, "bands", view.bands);
    addText(json, "bytes", view.bytes);
    addNumber(json, "cursor", view.cursor);
    addText(json, "compare_axis", view.compareAxis);
    addText(json, "compare_group", view.compareGroup);
    return json;
}

/// The text of the document with what was not known when it was read behind the rest, never in place of what
/// is known. As text: objects that keep the order of their members take long for many of them.
std::string textWith(const OrderedJson& json, const std::string& rest)
{
    std::string text = documentText(json);
    Json others = Json::parse(rest, nullptr, false);
    if (!others.is_object())
        return text;
    for (const auto& [key, value] : json.items())
        others.erase(key);
    if (others.empty())
        return text;
    constexpr std::string_view kEnd = "\n}\n";
    const std::string more = others.dump(2, ' ', false, Json::error_handler_t::replace);
    text.resize(text.size() - kEnd.size());
    return text + ',' + more.substr(1) + '\n';
}

} // namespace

bool looksLikeWorkspace(std::string_view firstBytes)
{
    const auto skip = [&](std::string_view expected) {
        const std::size_t at = firstBytes.find_first_not_of(" \t\r\n");
        firstBytes.remove_prefix(std::min(at, firstBytes.size()));
        const bool found = firstBytes.starts_with(expected);
        firstBytes.remove_prefix(found ? expected.size() : 0);
        return found;
    };
    return skip("{") && skip("\"format\"") && skip(":") && skip("\"highwater-workspace\"");
}

Result<ReadWorkspace> workspaceFromJson(std::string_view text)
{
    Result<Json> document = parseJsonDocument(text, "the workspace");
    if (!document)
        return tl::unexpected(document.error());
    const Result<std::int64_t> version = versionOf(*document);
    if (!version)
        return tl::unexpected(version.error());
    const Result<Json> current = upgradedWorkspace(std::move(*document), *version);
    if (!current)
        return tl::unexpected(current.error());
    DocumentProblems problems;
    ReadWorkspace read{fileOf(*current, problems), *version, {}};
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
        json["sources"].push_back(jsonOf(source));
    if (file.configuration)
        json["configuration"] = jsonOf(*file.configuration);
    addObject(json, "steps", jsonOf(file.steps));
    if (!file.rules.empty())
        json["rules"] = OrderedJson::parse(toJsonText(file.rules));
    json["notes"] = jsonOf(file.notes);
    addObject(json, "report", jsonOf(file.report));
    addObject(json, "view", jsonOf(file.view));
    addText(json, "saved_as", file.savedAs);
    return textWith(json, file.rest);
}

} // namespace highwater
