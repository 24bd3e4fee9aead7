#include "core/report/json/json_report.h"

#include <array>

#include "core/base/json.h"
#include "core/report/json/diagnosis_json.h"
#include "core/report/json/finding_json.h"
#include "core/report/json/run_json.h"
#include "core/run/note_json_value.h"
#include "core/table/sinks/table_rows.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

std::string_view toText(Tone tone)
{
    static constexpr std::array<std::string_view, 4> kNames{"plain", "quiet", "strong", "warning"};
    return kNames[static_cast<std::size_t>(tone)];
}

std::string_view toText(FactStyle style)
{
    static constexpr std::array<std::string_view, 4> kNames{"plain", "answer", "figures", "fields"};
    return kNames[static_cast<std::size_t>(style)];
}

/// Returns the unit of a fact's integer; for columns the key contains it.
std::string_view toText(AmountKind kind)
{
    static constexpr std::array<std::string_view, 9> kNames{"bytes", "bytes_changed", "count",
        "count_changed", "event", "per_mille", "per_mille_changed", "thousandths", "nanoseconds"};
    return kNames[static_cast<std::size_t>(kind)];
}

struct BlockJson
{
    Json operator()(const ReportParagraph& paragraph) const
    {
        return {{"type", "paragraph"}, {"tone", toText(paragraph.tone)}, {"text", paragraph.text}};
    }
    Json operator()(const ReportList& list) const { return {{"type", "list"}, {"items", list.items}}; }
    Json operator()(const ReportFacts& facts) const;
    Json operator()(const Table& table) const;
    Json operator()(const ReportFigure& figure) const
    {
        return {
            {"type", "figure"}, {"id", figure.id}, {"title", figure.wide.title}, {"caption", figure.caption}};
    }
    Json operator()(const ReportQuote& quote) const
    {
        return {{"type", "quote"}, {"source", quote.source}, {"text", quote.text}};
    }
    Json operator()(const ReportFinding& finding) const
    {
        return {{"type", "finding"}, {"run", finding.run}, {"finding", findingJson(finding.finding)}};
    }
    Json operator()(const ReportNote& note) const
    {
        return {
            {"type", "note"}, {"number", note.number}, {"where", note.where}, {"note", jsonOf(note.note)}};
    }
};

Json BlockJson::operator()(const ReportFacts& facts) const
{
    Json rows = Json::array();
    for (const auto& [name, value] : facts.rows) {
        const Amount* amount = value.amount();
        rows.push_back({{"name", name}, {"value", cellJson(value)},
            {"unit", amount ? Json(toText(amount->kind)) : Json(nullptr)}});
    }
    return {{"type", "facts"}, {"caption", facts.caption}, {"style", toText(facts.style)},
        {"rows", std::move(rows)}};
}

Json BlockJson::operator()(const Table& table) const
{
    Json columns = Json::array();
    for (const TableColumn& column : table.columns)
        columns.push_back({{"key", column.key}, {"title", column.title}});
    return {{"type", "table"}, {"id", table.id}, {"caption", table.caption}, {"columns", std::move(columns)},
        {"rows", rowsJson(table)}, {"total", rowJson(table, table.total)}, {"left_out", table.leftOut}};
}

Json sectionJson(const ReportSection& section)
{
    Json blocks = Json::array();
    for (const ReportBlock& block : section.blocks)
        blocks.push_back(std::visit(BlockJson{}, block));
    return {{"part", toText(section.part)}, {"title", section.title}, {"appendix", section.isAppendix},
        {"blocks", std::move(blocks)}};
}

} // namespace

std::string toJson(const Report& report)
{
    Json sections = Json::array();
    for (const ReportSection& section : report.sections)
        sections.push_back(sectionJson(section));
    Json json{{"schema", "highwater-report-1"}, {"title", report.title}, {"subtitle", report.subtitle},
        {"verdict", report.verdict}, {"written", report.written}, {"sections", std::move(sections)}};
    json["diagnosis"] = diagnosisJson(report.diagnosis);
    if (report.diagnosisBefore)
        json["diagnosis_before"] = diagnosisJson(*report.diagnosisBefore);
    json["run"] = runJson(report.run);
    if (report.before)
        json["run_before"] = runJson(*report.before);
    return jsonText(json, 2) + "\n";
}

} // namespace highwater
