#pragma once

#include <string>
#include <vector>

#include "core/report/model/report.h"

namespace highwater::test {

/// Returns all blocks of one kind, in order.
template <typename Block>
std::vector<Block> blocksOf(const Report& report)
{
    std::vector<Block> found;
    for (const ReportSection& section : report.sections)
        for (const ReportBlock& block : section.blocks)
            if (const auto* one = std::get_if<Block>(&block))
                found.push_back(*one);
    return found;
}

/// Returns the table with that id, or a table without columns if there is none.
inline Table tableOf(const Report& report, const std::string& id)
{
    for (const Table& table : blocksOf<Table>(report))
        if (table.id == id)
            return table;
    return {};
}

/// Returns the number in a cell; −1 if there is none.
inline std::int64_t amountOf(const Cell& cell)
{
    const auto* amount = cell.amount();
    return amount ? amount->value : -1;
}

/// Returns all texts of paragraphs, lists and facts, one per line.
inline std::string textOf(const Report& report)
{
    std::string text = report.verdict + '\n';
    for (const ReportSection& section : report.sections)
        for (const ReportBlock& block : section.blocks) {
            if (const auto* paragraph = std::get_if<ReportParagraph>(&block))
                text += paragraph->text + '\n';
            if (const auto* list = std::get_if<ReportList>(&block))
                for (const std::string& item : list->items)
                    text += item + '\n';
            if (const auto* facts = std::get_if<ReportFacts>(&block))
                for (const auto& [name, value] : facts->rows)
                    text += name + ": " + cellText(value) + '\n';
        }
    return text;
}

} // namespace highwater::test
