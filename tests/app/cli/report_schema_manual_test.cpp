// Checks that the manual's list of report contents in JSON matches the schema of reports.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/golden_file.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

using nlohmann::ordered_json;

const std::filesystem::path kResources
    = std::filesystem::path(test::samplePath("x")).parent_path().parent_path() / "resources";
constexpr const char* kHead = "| Of | Key | |\n|---|---|---|\n";

std::string joinedBy(std::string all, const std::string& more, const char* between)
{
    return all + (all.empty() || more.empty() ? "" : between) + more;
}

std::string code(const ordered_json& value)
{
    return value.is_null() ? "null"
                           : "`" + (value.is_string() ? value.get<std::string>() : value.dump()) + "`";
}

std::string nameIn(const std::string& reference)
{
    return reference.substr(reference.rfind('/') + 1);
}

/// Returns "integer", "text or null" or "list of `block`" for values without choices.
std::string typeOf(const ordered_json& schema)
{
    if (schema.contains("$ref"))
        return code(nameIn(schema["$ref"]));
    if (schema.contains("oneOf")) {
        std::string all;
        for (const ordered_json& choice : schema["oneOf"])
            all = joinedBy(all, typeOf(choice), " or ");
        return all;
    }
    if (!schema.contains("type"))
        return {};
    if (schema["type"].is_array()) {
        std::string all;
        for (const ordered_json& type : schema["type"])
            all = joinedBy(all, typeOf({{"type", type}}), " or ");
        return all;
    }
    const std::string type = schema["type"];
    if (type == "array" && schema.contains("items") && !schema["items"].contains("properties"))
        return "list of " + typeOf(schema["items"]);
    return type == "string" ? "text" : type == "boolean" ? "true or false" : type == "array" ? "list" : type;
}

std::string meaningOf(const ordered_json& schema)
{
    std::string text;
    if (schema.contains("const"))
        text = code(schema["const"]);
    else if (schema.contains("enum"))
        for (const ordered_json& choice : schema["enum"])
            text = joinedBy(text, code(choice), ", ");
    else
        text = typeOf(schema);
    return schema.contains("description") ? text + ". " + schema["description"].get<std::string>() : text;
}

/// Adds a row for each key, followed by the rows of its members.
void addRows(const std::string& of, const ordered_json& schema, std::string& rows)
{
    for (const auto& [key, value] : schema["properties"].items())
        rows += "| " + code(of) + " | " + code(key) + " | " + meaningOf(value) + " |\n";
    for (const auto& [key, value] : schema["properties"].items()) {
        const ordered_json& inner = value.contains("items") ? value["items"] : value;
        if (inner.contains("properties"))
            addRows(of + "." + key, inner, rows);
    }
}

std::string schemaTable(const ordered_json& schema)
{
    std::string rows = kHead;
    addRows("report", schema, rows);
    for (const auto& [name, definition] : schema["$defs"].items())
        if (definition.contains("properties"))
            addRows(name, definition, rows);
        else
            rows += "| " + code(name) + " | | " + meaningOf(definition) + " |\n";
    return rows;
}

} // namespace

TEST(ReportInTheManual, IsTheTableThatTheSchemaGives_Golden)
{
    const std::string schema = test::readWholeFile(kResources / "report" / "report.schema.json");
    const std::string expected = schemaTable(parseOrderedJson(schema));
    const std::filesystem::path path = kResources / "manual" / "json.md";
    std::string page = test::readWholeFile(path);
    const std::size_t begin = page.find(kHead);
    ASSERT_NE(begin, std::string::npos) << path << " has no table of a report";
    const std::size_t end = page.find("\n\n", begin) + 1;
    const std::string shown = page.substr(begin, end - begin);
    if (shown == expected)
        return;
    if (std::getenv("HIGHWATER_UPDATE_GOLDENS")) {
        std::ofstream(path, std::ios::binary) << page.replace(begin, end - begin, expected);
        GTEST_SKIP() << "skipped: written anew";
    }
    FAIL() << test::firstDifferences(shown, expected);
}

} // namespace highwater::cli
