#pragma once

#include <memory>
#include <string>

#include "core/report/model/report.h"

/// Reports for tests, with every kind of block.
namespace highwater::gui::test {

inline Figure handMadeFigure(double width, double height, const std::string& title)
{
    Figure figure{.width = width, .height = height, .title = title, .shapes = {}};
    figure.shapes.emplace_back(FigureRect{
        .x = 10, .y = 40, .width = width - 20, .height = height - 60, .fill = 0x4477aa, .title = "a bar"});
    figure.shapes.emplace_back(FigureText{.x = 10, .y = 20, .text = title, .bold = true});
    return figure;
}

inline Table handMadeTable(int rows)
{
    Table table;
    table.id = "holders";
    table.caption = "What was alive; the rows sum to the peak";
    table.columns = {{"Call site", "site", false}, {"Bytes", "bytes", true}, {"Count", "count", true}};
    std::int64_t sum = 0;
    for (int row = 0; row < rows; ++row) {
        const std::int64_t bytes = (row + 1) * (std::int64_t{1} << 20);
        sum += bytes;
        table.rows.push_back({"row" + std::to_string(row) + " forward (model.py:12)",
            Amount{bytes, AmountKind::ByteCount}, Amount{row, AmountKind::Count}});
    }
    table.total = {"sum", Amount{sum, AmountKind::ByteCount}, Cell()};
    return table;
}

inline ReportFinding handMadeFinding()
{
    ReportFinding of;
    of.finding.rule = "logits-copies";
    of.finding.grade = Grade::A;
    of.finding.title = "The logits are held three times, 9.64 GiB";
    of.finding.evidence
        = {{"three allocations of 3.21 GiB live at the peak", {}}, {"their shape is 8 × 174", {}}};
    of.finding.remedy = {"compute the loss in chunks", 3'446'000'000, false};
    of.finding.wouldDisprove = "a shape that is no multiple of the vocabulary";
    of.run = "before";
    return of;
}

inline ReportNote handMadeNote(int number)
{
    ReportNote of;
    of.number = number;
    of.where = "event 5,701, step 3 · 20.10 GiB live";
    of.note.title = "Here it grows";
    of.note.text = "The *third* copy. <script>alert(1)</script>\n\n- one\n- two";
    return of;
}

/// Returns a report with two sections: one with each kind of block, and one with a table of this many rows.
inline std::shared_ptr<const Report> handMadeReport(int rows = 5)
{
    auto report = std::make_shared<Report>();
    report->title = "R1 GRPO: before and after";
    report->subtitle = "before.pickle and after.pickle";
    report->verdict = "The peak fell by 3.61 GiB.";
    report->written = "22 November 2026";
    ReportSection summary{ReportPart::Summary, "Summary", {}};
    summary.blocks.push_back(ReportParagraph{"Read this first.", Tone::Strong});
    summary.blocks.push_back(ReportParagraph{"The start of the recording is cut off.", Tone::Warning});
    summary.blocks.push_back(ReportFacts{"Run", {{"Peak", Amount{22'826'354'688, AmountKind::ByteCount}}}});
    summary.blocks.push_back(ReportFigure{"timeline", "Live bytes over events",
        handMadeFigure(900, 400, "a wide picture"), handMadeFigure(400, 300, "a narrow picture")});
    summary.blocks.push_back(ReportList{{"first sentence", "second sentence"}});
    summary.blocks.push_back(
        ReportQuote{"CUDA out of memory.\nTried to allocate 2.00 GiB", "train.log, line 72"});
    summary.blocks.push_back(handMadeFinding());
    summary.blocks.push_back(handMadeNote(1));
    report->sections.push_back(std::move(summary));
    ReportSection peak{ReportPart::Peak, "What was alive at the peak", {}};
    peak.blocks.push_back(handMadeTable(rows));
    report->sections.push_back(std::move(peak));
    return report;
}

} // namespace highwater::gui::test
