#include "core/report/json/json_report.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/report/report_files.h"
#include "tests/support/sample_files.h"
#include "tests/support/sample_reports.h"

namespace highwater {

namespace {

using nlohmann::json;

json jsonOf(const Report& report)
{
    return parseJson(toJson(report));
}

json firstBlock(ReportBlock block)
{
    return jsonOf(reportWith(std::move(block)))["sections"][0]["blocks"][0];
}

/// Checks values against the part of JSON Schema that the report's schema uses.
class SchemaCheck
{
public:
    explicit SchemaCheck(json schema)
        : m_root(std::move(schema))
    {
    }

    /// Returns an empty text, or how and where the value violates the schema.
    std::string problem(const json& value) const { return problem(m_root, value, ""); }

private:
    std::string problem(const json& schema, const json& value, const std::string& place) const;
    std::string problemOfMembers(const json& schema, const json& value, const std::string& place) const;
    std::string problemOfChoice(const json& choices, const json& value, const std::string& place) const;
    static bool hasType(const json& value, const std::string& type)
    {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
            || (type == "string" && value.is_string()) || (type == "integer" && value.is_number_integer())
            || (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null());
    }
    static bool hasOneType(const json& value, const json& types)
    {
        if (types.is_string())
            return hasType(value, types);
        return std::any_of(
            types.begin(), types.end(), [&](const json& type) { return hasType(value, type); });
    }

    json m_root;
};

std::string SchemaCheck::problemOfMembers(
    const json& schema, const json& value, const std::string& place) const
{
    for (const json& name : schema.value("required", json::array()))
        if (!value.contains(name.get<std::string>()))
            return place + " lacks " + name.dump();
    const json properties = schema.value("properties", json::object());
    const json others = schema.value("additionalProperties", json(false));
    for (const auto& [key, member] : value.items()) {
        if (!properties.contains(key) && others.is_boolean())
            return place + " has " + key;
        const std::string wrong = problem(properties.value(key, others), member, place + "/" + key);
        if (!wrong.empty())
            return wrong;
    }
    return {};
}

std::string SchemaCheck::problemOfChoice(
    const json& choices, const json& value, const std::string& place) const
{
    std::string all;
    std::size_t fitting = 0;
    for (const json& choice : choices) {
        const std::string wrong = problem(choice, value, place);
        fitting += wrong.empty() ? 1 : 0;
        all += "\n  " + wrong;
    }
    return fitting == 1 ? std::string() : place + " is of " + std::to_string(fitting) + " forms" + all;
}

std::string SchemaCheck::problem(const json& schema, const json& value, const std::string& place) const
{
    if (schema.contains("$ref"))
        return problem(
            m_root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value, place);
    if (schema.contains("oneOf"))
        return problemOfChoice(schema["oneOf"], value, place);
    if (schema.contains("const") && value != schema["const"])
        return place + " is not " + schema["const"].dump();
    if (const auto choices = schema.find("enum");
        choices != schema.end() && std::find(choices->begin(), choices->end(), value) == choices->end())
        return place + " is none of " + choices->dump();
    if (schema.contains("type") && !hasOneType(value, schema["type"]))
        return place + " is no " + schema["type"].dump();
    if (value.is_object())
        return problemOfMembers(schema, value, place);
    if (value.is_array() && schema.contains("items"))
        for (std::size_t i = 0; i < value.size(); ++i)
            if (std::string wrong = problem(schema["items"], value[i], place + "/" + std::to_string(i));
                !wrong.empty())
                return wrong;
    return {};
}

SchemaCheck reportSchema()
{
    return SchemaCheck(
        parseJson(test::readWholeFile(HIGHWATER_SOURCE_DIR "/resources/report/report.schema.json")));
}

std::vector<NotePlace> everyPlace()
{
    return {std::monostate(), NotedMoment{5}, NotedRange{1, 9}, NotedStep{2}, NotedAllocation{5, 0},
        NotedAllocation{-1, 0x7f00}, NotedSite{"a.py:1"}, NotedRow{"site", "k"}, NotedLine{72}};
}

std::vector<EvidenceTarget> everyTarget()
{
    return {std::monostate(), EventTarget{5}, EventRange{1, 9}, StepTarget{2}, SiteTarget{"a.py:1"},
        AllocationsTarget{{1, 2}}, SegmentTarget{0x7f00, 3}, LogLineTarget{0, 9}};
}

} // namespace

TEST(JsonReport, IsOfTheFormThatItsSchemaSays)
{
    EXPECT_EQ(reportSchema().problem(jsonOf(usualReport())), "");
    EXPECT_EQ(reportSchema().problem(jsonOf(reportOf("<x>\xff"))), "");
}

TEST(JsonReport, IsOfThatFormForEveryPlaceAndTarget)
{
    Report report = reportWith(ReportParagraph{"x"});
    for (const NotePlace& place : everyPlace()) {
        Note note;
        note.place = place;
        report.sections[0].blocks.emplace_back(ReportNote{1, "", note});
    }
    Finding finding;
    for (const EvidenceTarget& target : everyTarget())
        finding.evidence.push_back({"x", target});
    report.sections[0].blocks.emplace_back(ReportFinding{finding, ""});
    EXPECT_EQ(reportSchema().problem(jsonOf(report)), "");
}

TEST(JsonReport, WouldBeRefusedWithAnotherKeyOrType)
{
    json json = jsonOf(usualReport());
    json["sections"][0]["blocks"][0]["other"] = 1;
    EXPECT_NE(reportSchema().problem(json), "");
    json = jsonOf(usualReport());
    json["sections"][0]["title"] = 1;
    EXPECT_NE(reportSchema().problem(json), "");
}

TEST(JsonReport, HoldsAmountsAsIntegersByTheirColumns)
{
    Table table;
    table.columns = {{"Step", "step"}, {"Peak", "peak_bytes", true}, {"Event", "event", true}};
    table.rows = {{"one", Amount{22'826'354'688}, Amount{-1, AmountKind::Event}}};
    table.total = {"all", Amount{1}, {}};
    const json block = firstBlock(table);
    EXPECT_EQ(block["rows"], parseJson(R"([{"step": "one", "peak_bytes": 22826354688, "event": -1}])"));
    EXPECT_EQ(block["total"], parseJson(R"({"step": "all", "peak_bytes": 1, "event": null})"));
}

TEST(JsonReport, HasNoTotalWhereATableHasNone)
{
    EXPECT_TRUE(firstBlock(Table{})["total"].is_null());
}

TEST(JsonReport, SaysWhatFactsCount)
{
    const json block = firstBlock(ReportFacts{"c", {{"a", Amount{5}}, {"b", "text"}, {"c", Cell{}}}});
    EXPECT_EQ(block["rows"], parseJson(R"([{"name": "a", "value": 5, "unit": "bytes"},
        {"name": "b", "value": "text", "unit": null}, {"name": "c", "value": null, "unit": null}])"));
}

TEST(JsonReport, EndsWithOneLineBreakAsAFile)
{
    const Report report = reportWith(ReportParagraph{"text"});
    EXPECT_TRUE(reportFiles(report, ReportFormat::JsonDocument, "run").text.ends_with("\n}\n"));
}

TEST(JsonReport, ShowsWhatIsNoUtf8AsAReplacement)
{
    EXPECT_EQ(firstBlock(ReportParagraph{"a\xff"})["text"], "a\xEF\xBF\xBD");
}

} // namespace highwater
