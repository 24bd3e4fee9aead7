#include "core/run/note_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/run/json_document.h"
#include "core/run/note_json_value.h"

namespace highwater {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Parses "0x7f064c000000".
std::optional<Address> addressFromText(std::string_view text)
{
    return text.starts_with("0x") ? parsedNumber<Address>(text.substr(2), 16) : std::nullopt;
}

/// Reads one member of "at" into `target`. `name` is the member's name in messages: "note 3: at.event".
using PlaceReader = void (*)(const Json& json, const std::string& name, DocumentProblems&, NotePlace& target);

void readMoment(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    NotedMoment moment;
    if (readInteger(json, name, -1, moment.event, problems))
        target = moment;
}

void readRange(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    if (!json.is_array() || json.size() != 2)
        return problems.fail(name + " is not a list of two numbers");
    NotedRange range;
    if (!readInteger(json[0], name, 0, range.first, problems)
        || !readInteger(json[1], name, 0, range.last, problems))
        return;
    if (range.last <= range.first)
        return problems.fail(name + " is empty: its second number is the event after the last");
    target = range;
}

void readStep(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    NotedStep step;
    if (readInteger(json, name, 0, step.step, problems))
        target = step;
}

void readAllocation(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    NotedAllocation allocation;
    std::string address;
    JsonMembers members(json, name, name + '.', problems);
    members.integer("event", allocation.allocEvent, -1);
    members.text("address", address);
    members.warnAboutUnknownKeys();
    const std::optional<Address> number = addressFromText(address);
    if (!address.empty() && !number)
        members.fail("address", "is not an address: \"0x7f064c000000\"");
    else if (allocation.allocEvent < 0 && !number)
        problems.fail(name + " has neither an event nor an address");
    allocation.address = number.value_or(0);
    target = allocation;
}

void readSite(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    if (!json.is_string())
        return problems.fail(name + " is not a string");
    target = NotedSite{json.get<std::string>()};
}

void readRow(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    NotedRow row;
    JsonMembers members(json, name, name + '.', problems);
    members.text("group", row.group);
    members.text("key", row.key);
    members.warnAboutUnknownKeys();
    if (row.group.empty())
        members.fail("group", "is missing");
    target = std::move(row);
}

void readLine(const Json& json, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    std::int64_t line = 0;
    if (readInteger(json, name, 1, line, problems))
        target = NotedLine{static_cast<std::uint64_t>(line)};
}

struct PlaceKind
{
    const char* key;
    PlaceReader read;
};
constexpr std::array<PlaceKind, 7> kPlaceKinds{
    {{"event", readMoment}, {"range", readRange}, {"step", readStep}, {"allocation", readAllocation},
        {"site", readSite}, {"row", readRow}, {"line", readLine}}};

void readPlace(const Json& place, const std::string& name, DocumentProblems& problems, NotePlace& target)
{
    JsonMembers members(place, name, name + '.', problems);
    const char* foundKey = nullptr;
    for (const auto& [key, read] : kPlaceKinds) {
        const Json* json = members.find(key);
        if (!json)
            continue;
        if (foundKey)
            return problems.fail(
                fmt::format("{} has both {} and {}, but a note has one place", name, foundKey, key));
        foundKey = key;
        read(*json, members.nameOf(key), problems, target);
    }
    members.warnAboutUnknownKeys();
}

NoteRun readRun(JsonMembers& members)
{
    std::string text = "after";
    members.text("run", text);
    if (text != "before" && text != "after")
        members.fail("run", "is not \"before\" or \"after\"");
    return text == "before" ? NoteRun::Before : NoteRun::After;
}

NoteColor readColor(JsonMembers& members)
{
    std::string text(toText(NoteColor()));
    members.text("color", text);
    const std::optional<NoteColor> color = noteColorFromText(text);
    if (!color)
        members.fail("color", "is not one of red, orange, green, blue, purple and grey");
    return color.value_or(NoteColor());
}

Note readNote(const Json& json, const std::string& name, DocumentProblems& problems)
{
    Note note;
    JsonMembers members(json, name, name + ": ", problems);
    members.text("title", note.title, kMaxNoteTitleBytes);
    std::ranges::replace_if(
        note.title, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    members.text("text", note.text, kMaxNoteTextBytes);
    note.run = readRun(members);
    members.text("file", note.file);
    members.text("device", note.device);
    note.color = readColor(members);
    if (const Json* place = members.find("at"))
        readPlace(*place, members.nameOf("at"), problems, note.place);
    members.warnAboutUnknownKeys();
    return note;
}

struct PlaceJson
{
    OrderedJson operator()(std::monostate) const { return nullptr; }
    OrderedJson operator()(const NotedMoment& moment) const { return {{"event", moment.event}}; }
    OrderedJson operator()(const NotedRange& range) const
    {
        return {{"range", OrderedJson::array({range.first, range.last})}};
    }
    OrderedJson operator()(const NotedStep& step) const { return {{"step", step.step}}; }
    OrderedJson operator()(const NotedAllocation& allocation) const
    {
        OrderedJson json = OrderedJson::object();
        if (allocation.allocEvent >= 0)
            json["event"] = allocation.allocEvent;
        if (allocation.allocEvent < 0 || allocation.address != 0)
            json["address"] = formatAddress(allocation.address);
        return {{"allocation", std::move(json)}};
    }
    OrderedJson operator()(const NotedSite& site) const { return {{"site", site.site}}; }
    OrderedJson operator()(const NotedRow& row) const
    {
        OrderedJson json;
        json["group"] = row.group;
        json["key"] = row.key;
        return {{"row", std::move(json)}};
    }
    OrderedJson operator()(const NotedLine& line) const { return {{"line", line.line}}; }
};

} // namespace

Notes readNotes(const nlohmann::json& list, DocumentProblems& problems)
{
    Notes notes;
    if (!list.is_array()) {
        problems.fail("the notes are not a list: [{\"title\": …}, …]");
    } else if (list.size() > kMaxNotes) {
        problems.fail(fmt::format(
            "there are {} notes; the limit is {}", formatCount(list.size()), formatCount(kMaxNotes)));
    } else {
        for (const Json& json : list) {
            Note note = readNote(json, fmt::format("note {}", notes.size() + 1), problems);
            if (!problems.ok())
                break;
            notes.push_back(std::move(note));
        }
    }
    return notes;
}

nlohmann::ordered_json jsonOf(const Note& note)
{
    OrderedJson json = OrderedJson::object();
    const auto addText = [&](const char* key, const std::string& text) {
        if (!text.empty())
            json[key] = text;
    };
    addText("title", note.title);
    addText("text", note.text);
    json["run"] = std::string(toText(note.run));
    addText("file", note.file);
    addText("device", note.device);
    json["color"] = std::string(toText(note.color));
    if (OrderedJson place = std::visit(PlaceJson{}, note.place); !place.is_null())
        json["at"] = std::move(place);
    return json;
}

nlohmann::ordered_json jsonOf(const Notes& notes)
{
    OrderedJson list = OrderedJson::array();
    for (const Note& note : notes)
        list.push_back(jsonOf(note));
    return list;
}

Result<ParsedNotes> parseNotes(std::string_view text)
{
    const Result<Json> document = parseJsonDocument(text, "the notes file");
    if (!document)
        return tl::unexpected(document.error());
    DocumentProblems problems;
    ParsedNotes read;
    const bool isWrapped = document->is_object() && document->contains("notes");
    read.notes = readNotes(isWrapped ? (*document)["notes"] : *document, problems);
    if (!problems.ok())
        return fail(ErrorCode::Malformed, std::move(problems.wrong));
    read.warnings = std::move(problems.warnings);
    return read;
}

} // namespace highwater
