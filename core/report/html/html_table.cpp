#include "core/report/html/html_table.h"

namespace highwater {

namespace {

bool isDelta(AmountKind kind)
{
    return kind == AmountKind::ByteDelta || kind == AmountKind::CountDelta
        || kind == AmountKind::PerMilleDelta;
}

/// "number grew", "text", …
std::string cellClass(const ReportCell& cell, bool isNumber)
{
    std::string names = isNumber ? "number" : "text";
    const Amount* amount = std::get_if<Amount>(&cell);
    if (amount && isDelta(amount->kind) && amount->value != 0)
        names += amount->value > 0 ? " grew" : " shrank";
    return names;
}

std::string rawValue(const ReportCell& cell)
{
    const Amount* amount = std::get_if<Amount>(&cell);
    return amount ? std::to_string(amount->value) : std::string();
}

void writeCell(HtmlWriter& out, const ReportCell& cell, bool isNumber)
{
    out.element("td", cellText(cell),
        {{"class", cellClass(cell, isNumber)}, {"title", exactText(cell)}, {"data-value", rawValue(cell)}});
}

void writeRow(HtmlWriter& out, const ReportTable& table, const std::vector<ReportCell>& row)
{
    out.open("tr");
    for (std::size_t i = 0; i < row.size(); ++i)
        writeCell(out, row[i], i < table.columns.size() && table.columns[i].isNumber);
    out.close("tr");
}

void writeHead(HtmlWriter& out, const ReportTable& table)
{
    out.open("thead");
    out.open("tr");
    for (const ReportColumn& column : table.columns)
        out.element("th", column.title, {{"scope", "col"}, {"class", column.isNumber ? "number" : "text"}});
    out.close("tr");
    out.close("thead");
}

void writeTotal(HtmlWriter& out, const ReportTable& table)
{
    if (table.total.empty())
        return;
    out.open("tfoot");
    writeRow(out, table, table.total);
    out.close("tfoot");
}

/// A figure's caption above a table; gives its id, empty without one.
std::string writeCaption(HtmlWriter& out, const std::string& caption, const std::string& id)
{
    if (caption.empty())
        return {};
    const std::string captionId = out.uniqueId(id + "-caption");
    out.element("figcaption", caption, {{"id", captionId}});
    return captionId;
}

} // namespace

void writeTable(HtmlWriter& out, const ReportTable& table)
{
    const std::string id = out.uniqueId("table-" + table.id);
    out.open("figure", {{"class", "table"}, {"id", id}});
    const std::string caption = writeCaption(out, table.caption, id);
    out.open("div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "group"}, {"aria-labelledby", caption},
            {"aria-label", caption.empty() ? "Table" : ""}});
    out.open("table", {{"class", "sortable"}, {"aria-labelledby", caption}});
    writeHead(out, table);
    out.open("tbody");
    for (const std::vector<ReportCell>& row : table.rows)
        writeRow(out, table, row);
    out.close("tbody");
    writeTotal(out, table);
    out.close("table");
    out.close("div");
    if (!table.leftOut.empty())
        out.element("p", table.leftOut, {{"class", "quiet"}});
    out.close("figure");
}

void writeFacts(HtmlWriter& out, const ReportFacts& facts)
{
    out.open("figure", {{"class", "facts"}});
    const std::string caption = writeCaption(out, facts.caption, "facts");
    out.open("table", {{"aria-labelledby", caption}});
    out.open("tbody");
    for (const auto& [name, value] : facts.rows) {
        out.open("tr");
        out.element("th", name, {{"scope", "row"}});
        writeCell(out, value, false);
        out.close("tr");
    }
    out.close("tbody");
    out.close("table");
    out.close("figure");
}

} // namespace highwater
