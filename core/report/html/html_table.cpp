#include "core/report/html/html_table.h"

#include <algorithm>
#include <optional>

namespace highwater {

namespace {

/// If a cell has more bytes than this, its column is laid out for long texts.
constexpr std::size_t kLongText = 24;

/// With more columns than this, letters are smaller on paper.
constexpr std::size_t kManyColumns = 8;

bool isDelta(AmountKind kind)
{
    return kind == AmountKind::ByteDelta || kind == AmountKind::CountDelta
        || kind == AmountKind::PerMilleDelta;
}

/// Returns CSS classes: "number grew", "text", …
std::string cellClass(const Cell& cell, std::string_view columnClass)
{
    std::string names(columnClass);
    const Amount* amount = cell.amount();
    if (amount && isDelta(amount->kind) && amount->value != 0)
        names += amount->value > 0 ? " grew" : " shrank";
    return names;
}

/// Returns the amount as an integer; empty for other cells.
std::string rawValue(const Cell& cell)
{
    const Amount* amount = cell.amount();
    return amount ? std::to_string(amount->value) : std::string();
}

/// Writes a cell. `label` is the cell's name on narrow screens, where rows become blocks; may be empty.
void writeCell(HtmlWriter& out, const Cell& cell, std::string_view columnClass, std::string_view label = {})
{
    out.element("td", cellText(cell),
        {{"class", cellClass(cell, columnClass)}, {"title", tipText(cell)}, {"data-value", rawValue(cell)},
            {"data-label", std::string(label)}});
}

/// Returns the layout class of each column: "number", "text", or "text long" for a column that gets width
/// first.
std::vector<std::string_view> columnClasses(const Table& table)
{
    std::vector<std::string_view> classes;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const bool isLong = std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
            const std::string* text = i < row.size() ? row[i].text() : nullptr;
            return text && text->size() > kLongText;
        });
        classes.push_back(table.columns[i].isNumber ? "number" : isLong ? "text long" : "text");
    }
    return classes;
}

/// True if rows can be sorted by every column: each column contains figures of one kind, or texts.
bool isSortable(const Table& table)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::optional<AmountKind> kind;
        for (const TableRow& row : table.rows) {
            const Amount* amount = i < row.size() ? row[i].amount() : nullptr;
            const bool isWord = i < row.size() && row[i].text() != nullptr;
            if ((amount && kind.value_or(amount->kind) != amount->kind)
                || (isWord && table.columns[i].isNumber))
                return false;
            if (amount)
                kind = amount->kind;
        }
    }
    return table.rows.size() > 1;
}

/// Writes a row; the first cell is its header unless the column has figures. A row of the rest stays last
/// when rows are sorted.
void writeRow(HtmlWriter& out, const Table& table, const std::vector<std::string_view>& classes,
    const TableRow& row, bool isRest = false)
{
    out.open("tr", {{"class", isRest ? "rest" : ""}});
    for (std::size_t i = 0; i < row.size() && i < classes.size(); ++i) {
        if (i == 0 && classes[i] != "number")
            out.element("th", cellText(row[i]), {{"scope", "row"}, {"class", std::string(classes[i])}});
        else
            writeCell(out, row[i], classes[i], table.columns[i].title);
    }
    out.close("tr");
}

void writeTableHead(HtmlWriter& out, const Table& table, const std::vector<std::string_view>& classes)
{
    out.open("thead");
    out.open("tr");
    for (std::size_t i = 0; i < classes.size(); ++i)
        out.element("th", table.columns[i].title, {{"scope", "col"}, {"class", std::string(classes[i])}});
    out.close("tr");
    out.close("thead");
}

void writeTotal(HtmlWriter& out, const Table& table, const std::vector<std::string_view>& classes)
{
    if (!showsTotal(table))
        return;
    out.open("tfoot");
    writeRow(out, table, classes, table.total);
    out.close("tfoot");
}

/// Writes a caption like a figure's above a table. Returns its id; empty without a caption.
std::string writeCaption(HtmlWriter& out, const std::string& caption, const std::string& id)
{
    if (caption.empty())
        return {};
    const std::string captionId = out.uniqueId(id + "-caption");
    out.element("figcaption", caption, {{"id", captionId}});
    return captionId;
}

/// Writes a few figures side by side.
void writeKeyFigures(HtmlWriter& out, const ReportFacts& facts)
{
    out.open("dl", {{"class", "key-figures"}});
    for (const auto& [name, value] : facts.rows) {
        out.open("div");
        out.element("dt", name);
        out.element("dd", cellText(value));
        out.close("div");
    }
    out.close("dl");
}

const char* styleClass(FactStyle style)
{
    return style == FactStyle::Answer ? " answer" : style == FactStyle::Fields ? " fields" : "";
}

} // namespace

void writeTable(HtmlWriter& out, const Table& table)
{
    const std::vector<std::string_view> classes = columnClasses(table);
    const std::string id = out.uniqueId("table-" + table.id);
    const bool hasManyColumns = table.columns.size() > kManyColumns;
    out.open("figure", {{"class", hasManyColumns ? "table many" : "table"}, {"id", id}});
    const std::string caption = writeCaption(out, table.caption, id);
    out.open("div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "group"}, {"aria-labelledby", caption},
            {"aria-label", caption.empty() ? "Table" : ""}});
    out.open("table", {{"class", isSortable(table) ? "sortable" : "plain"}, {"aria-labelledby", caption}});
    writeTableHead(out, table, classes);
    out.open("tbody");
    for (const TableRow& row : table.rows)
        writeRow(out, table, classes, row, table.endsWithRest && &row == &table.rows.back());
    out.close("tbody");
    writeTotal(out, table, classes);
    out.close("table");
    out.close("div");
    if (!table.leftOut.empty())
        out.element("p", table.leftOut, {{"class", "quiet"}});
    out.close("figure");
}

void writeFacts(HtmlWriter& out, const ReportFacts& facts)
{
    if (facts.style == FactStyle::Figures)
        return writeKeyFigures(out, facts);
    out.open("figure", {{"class", std::string("facts") + styleClass(facts.style)}});
    const std::string caption = writeCaption(out, facts.caption, "facts");
    out.open("table", {{"aria-labelledby", caption}});
    out.open("tbody");
    for (const auto& [name, value] : facts.rows) {
        out.open("tr");
        out.element("th", name, {{"scope", "row"}});
        if (facts.style == FactStyle::Fields && value.isEmpty())
            out.element("td", "", {{"class", "blank"}});
        else
            writeCell(out, value, "text");
        out.close("tr");
    }
    out.close("tbody");
    out.close("table");
    out.close("figure");
}

} // namespace highwater
