#include "core/report/json/json_report.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/sample_reports.h"

namespace highwater {

namespace {

using Json = nlohmann::json;

Json jsonOf(const Report& report)
{
    return Json::parse(toJson(report));
}

Json firstBlock(ReportBlock block)
{
    return jsonOf(reportWith(std::move(block)))["sections"][0]["blocks"][0];
}

/// The part of JSON Schema that the report's own uses.
class SchemaCheck
{
public:
    explicit SchemaCheck(Json schema)
        : m_root(std::move(schema))
    {
    }

    /// Empty, or where and why the value is not of the form.
    std::string problem(const Json& value) const { return problem(m_root, value, ""); }

private:
    std::string problem(const Json& schema, const Json& value, const std::string& place) const;
    std::string problemOfMembers(const Json& schema, const Json& value, const std::string& place) const;
    std::string problemOfChoice(const Json& choices, const Json& value, const std::string& place) const;
    static bool hasType(const Json& value, const std::string& type)
    {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
            || (type == "string" && value.is_string()) || (type == "integer" && value.is_number_integer())
            || (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null());
    }
    static bool hasOneType(const Json& value, const Json& types)
    {
        if (types.is_string())
            return hasType(value, types);
        return std::any_of(
            types.begin(), types.end(), [&](const Json& type) { return hasType(value, type); });
    }

    Json m_root;
};

std::string SchemaCheck::problemOfMembers(
    const Json& schema, const Json& value, const std::string& place) const
{
    for (const Json& name : schema.value("required", Json::array()))
        if (!value.contains(name.get<std::string>()))
            return place + " lacks " + name.dump();
    const Json properties = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(false));
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
    const Json& choices, const Json& value, const std::string& place) const
{
    std::string all;
    std::size_t fitting = 0;
    for (const Json& choice : choices) {
        const std::string wrong = problem(choice, value, place);
        fitting += wrong.empty() ? 1 : 0;
        all += "\n  " + wrong;
    }
    return fitting == 1 ? std::string() : place + " is of " + std::to_string(fitting) + " forms" + all;
}

std::string SchemaCheck::problem(const Json& schema, const Json& value, const std::string& place) const
{
    if (schema.contains("$ref"))
        return problem(
            m_root.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value, place);
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
    std::ifstream file(HIGHWATER_SOURCE_DIR "/resources/report/report.schema.json");
    return SchemaCheck(Json::parse(file));
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
    Json json = jsonOf(usualReport());
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
    const Json block = firstBlock(table);
    EXPECT_EQ(block["rows"], Json::parse(R"([{"step": "one", "peak_bytes": 22826354688, "event": -1}])"));
    EXPECT_EQ(block["total"], Json::parse(R"({"step": "all", "peak_bytes": 1, "event": null})"));
}

TEST(JsonReport, HasNoTotalWhereATableHasNone)
{
    EXPECT_TRUE(firstBlock(Table{})["total"].is_null());
}

TEST(JsonReport, SaysWhatFactsCount)
{
    const Json block = firstBlock(ReportFacts{"c", {{"a", Amount{5}}, {"b", "text"}, {"c", Cell{}}}});
    EXPECT_EQ(block["rows"], Json::parse(R"([{"name": "a", "value": 5, "unit": "bytes"},
        {"name": "b", "value": "text", "unit": null}, {"name": "c", "value": null, "unit": null}])"));
}

TEST(JsonReport, ShowsWhatIsNoUtf8AsAReplacement)
{
    EXPECT_EQ(firstBlock(ReportParagraph{"a\xff"})["text"], "a\xEF\xBF\xBD");
}

} // namespace highwater
