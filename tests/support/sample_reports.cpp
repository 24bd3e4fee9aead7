#include "tests/support/sample_reports.h"

#include "core/analysis/steps/phases.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

namespace {

Cell bytes(std::int64_t value)
{
    return Amount{value, AmountKind::ByteCount};
}
Cell delta(std::int64_t value)
{
    return Amount{value, AmountKind::ByteDelta};
}
Cell events(std::int64_t value)
{
    return Amount{value, AmountKind::Event};
}
Cell text(const char* value)
{
    return std::string(value);
}

void addPhases(FigureSheet& sheet, const PlotFrame& plot)
{
    const double width = plot.width() / 8;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto phase = static_cast<Phase>(i);
        const double x = plot.left + width * static_cast<double>(i);
        const FigureRect bar{.x = x,
            .y = plot.top - 24,
            .width = width,
            .height = 18,
            .fill = themedPhaseColor(phase).light,
            .title = std::string(toText(phase))};
        sheet.add(bar);
        sheet.text(x + 4, plot.top - 11, fittedText(std::string(toText(phase)), 12, width - 8));
    }
}

void addFlag(FigureSheet& sheet, double x, double y, int number, NoteColor color)
{
    sheet.add(
        FigureRect{.x = x, .y = y, .width = 18, .height = 16, .fill = noteColor(color), .title = "flag"});
    sheet.add(FigureText{.x = x + 9,
        .y = y + 12,
        .text = std::to_string(number),
        .size = 11,
        .color = 0xffffff,
        .anchor = TextAnchor::Middle,
        .bold = true});
}

Figure timeline(int width, int height)
{
    FigureSheet sheet({.width = width, .height = height}, "after.pickle: live bytes over events",
        "requested bytes · peak 21.26 GiB at event 5,701");
    PlotFrame plot{.left = 90,
        .top = sheet.contentTop() + 60,
        .right = width - 30.0,
        .bottom = height - 100.0,
        .xEnd = 8000};
    plot.fitBytes(23 * kGiB, 23 * kGiB);
    sheet.byteAxis(plot, "live bytes, requested");
    std::vector<FigurePoint> band{{plot.left, plot.bottom}};
    std::vector<FigurePoint> upper{{plot.left, plot.bottom}};
    for (int i = 0; i <= 40; ++i) {
        const double level = (8 + (i * 7) % 13) * static_cast<double>(kGiB);
        band.push_back({plot.x(i * 200.0), plot.y(level / 2)});
        upper.push_back({plot.x(i * 200.0), plot.y(level)});
    }
    band.push_back({plot.right, plot.bottom});
    upper.push_back({plot.right, plot.bottom});
    sheet.add(FigurePolygon{upper, groupColor(1), "activations\nup to 12 GiB"});
    sheet.add(FigurePolygon{band, groupColor(0), "parameters\nup to 9 GiB"});
    sheet.add(FigureLine{.points = {{plot.left, plot.top}, {plot.right, plot.top}},
        .color = FigurePalette::light().danger,
        .width = 1.5,
        .dash = {6, 3}});
    addPhases(sheet, plot);
    addFlag(sheet, plot.x(5701), plot.top + 4, 1, NoteColor::Red);
    addFlag(sheet, plot.x(2000), plot.top + 4, 2, NoteColor::Blue);
    sheet.countAxis(plot, countTicks(0, 8000, width / 120), "event");
    sheet.legend({{"parameters", "9.00 GiB", groupColor(0)}, {"activations", "12.00 GiB", groupColor(1)},
        {"capacity", "23.00 GiB", FigurePalette::light().danger, true, true}});
    return sheet.take();
}

Table stepTable()
{
    Table table;
    table.id = "steps";
    table.caption = "Peak of each step before and after; requested bytes.";
    table.columns = {{"Step", "step"}, {"Before", "before_bytes", true}, {"After", "after_bytes", true},
        {"Change", "delta_bytes", true}, {"Share", "share_per_mille", true}, {"Event", "event", true}};
    for (int i = 0; i < 9; ++i) {
        const std::int64_t after = 20 * kGiB - i * 700 * kMiB;
        table.rows.push_back({"ProfilerStep#" + std::to_string(i), bytes(21 * kGiB), bytes(after),
            delta(after - 21 * kGiB + kGiB), Amount{100 + i, AmountKind::PerMille}, events(100 * i - 1)});
    }
    table.total = {text("all 9"), bytes(9 * 21 * kGiB), {}, delta(-3 * kGiB), {}, {}};
    table.leftOut = "and 120 more steps with at most 1.2 GiB";
    return table;
}

Table stackTable()
{
    Table table;
    table.id = "peak-stacks";
    table.caption = "Alive at the peak, by stack.";
    table.columns = {{"Stack", "stack"}, {"Bytes", "bytes", true}, {"Blocks", "count", true}};
    table.rows = {{text("trl/trainer/grpo_trainer.py:953 _get_per_token_logps\n"
                        "trl/trainer/grpo_trainer.py:1391 _compute_loss\n"
                        "transformers/trainer.py:3730 training_step\ntrain.py:88 main"),
                      bytes(12'345'678'901), Amount{8, AmountKind::Count}},
        {text("backward · BmmBackward0"), bytes(3'456'789'012), Amount{1234, AmountKind::Count}}};
    table.total = {text("all"), bytes(15'802'467'913), Amount{1242, AmountKind::Count}};
    return table;
}

Finding usualFinding()
{
    return {.rule = "oversized-logits",
        .grade = Grade::A,
        .kind = FindingKind::Fault,
        .title = "Logits of all 174 positions are held 4 times: 11.50 GiB at the peak",
        .device = 0,
        .bytes = 12'345'678'901,
        .event = 5701,
        .step = 3,
        .evidence = {{"8 × 174 × 50,257 × 2 B is exactly the size of 4 live allocations", EventTarget{5701}},
            {"they are born in grpo_trainer.py:953 and freed by the backward pass", {}}},
        .remedy = {"keep the logits of the completion only (logits_to_keep)", 9 * kGiB, true},
        .wouldDisprove = "a sequence length other than 174 in the configuration"};
}

Note usualNote()
{
    Note note;
    note.place = NotedMoment{5701};
    note.title = "Here it nearly failed";
    note.text = "The **log-probabilities** of the *reference* are still there: see `grpo_trainer.py:953`.\n\n"
                "- first [the fix](https://example.org/pull/1)\n- then ~~nothing~~ measure again\n\n"
                "> a quote\n\n```\nx = logits[:, -n:]\n```\n\n# What is left\n\n1. one\n2. two\n";
    return note;
}

} // namespace

Report usualReport()
{
    using enum ReportPart;
    Finding question = usualFinding();
    question.grade = Grade::C;
    question.kind = FindingKind::Fact;
    question.title = "Is the reference model needed on this GPU? 2.10 GiB";
    question.remedy = {};
    Note second = usualNote();
    second.title = "Cache flush";
    second.text = "";
    second.color = NoteColor::Blue;
    return {.title = "R1 GRPO: before and after",
        .subtitle = "before.pickle.zst, after.pickle.zst, train.log",
        .verdict
        = "The peak fell by 3.61 GiB (−14.5 %), from 24.87 GiB to 21.26 GiB: the logits are kept once "
          "instead of four times.",
        .written = "22 November 2026, Highwater 1.0.0",
        .sections
        = {{Summary, "Summary",
               {ReportParagraph{"The run after fits the GPU; the run before did not.", Tone::Strong},
                   ReportParagraph{"Both runs do the same 9 steps with the same batch, on one GPU."},
                   ReportFacts{"Peaks",
                       {{"Before", bytes(26'704'080'896)}, {"After", bytes(22'826'354'688)},
                           {"Change", delta(-3'877'726'208)}, {"Device", text("cuda:0")}}},
                   ReportParagraph{
                       "The trace begins after 1,204 events were lost: what is older is known by its "
                       "segments alone.",
                       Tone::Warning}}},
            {Timeline, "Timeline",
                {ReportFigure{"timeline", "Live bytes of the run after, stacked by category, with the notes.",
                    timeline(1200, 560), timeline(420, 460)}}},
            {Steps, "Steps", {stepTable()}},
            {Peak, "Alive at the peak",
                {stackTable(), ReportList{{"Sums are exact.", "Rounded to the block."}}}},
            {Findings, "Findings",
                {ReportFinding{usualFinding(), "before"}, ReportFinding{question, "after"}}},
            {NoteList, "Notes",
                {ReportNote{1, "after · event 5,701, step 3, backward · 20.1 GiB live", usualNote()},
                    ReportNote{2, "after · event 2,000", second}}},
            {Messages, "Out-of-memory messages",
                {ReportQuote{
                    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.61 GiB.\n\tGPU 0 has a "
                    "total capacity of 23.64 GiB of which 1.20 GiB is free.",
                    "train.log, line 72"}}},
            {Provenance, "Sources",
                {ReportParagraph{"Bytes are requested bytes unless said otherwise.", Tone::Quiet}}}}};
}

Report reportWith(ReportBlock block)
{
    Report report;
    report.title = "t";
    report.sections = {{ReportPart::Summary, "s", {std::move(block)}}};
    return report;
}

Report reportOf(const std::string& any)
{
    Figure figure{.width = 100, .height = 50, .title = any, .shapes = {}};
    figure.shapes.emplace_back(FigureRect{.width = 5, .height = 5, .title = any});
    figure.shapes.emplace_back(FigureText{.text = any});
    figure.shapes.emplace_back(FigurePolygon{.points = {{0, 0}, {1, 1}, {2, 0}}, .title = any});
    const Table table{any, any, {{any, any}, {any, any, true}}, {{any, Amount{1}}}, {any, any}, any};
    Finding finding;
    finding.rule = finding.title = finding.wouldDisprove = any;
    finding.evidence = {{any, SiteTarget{any}}};
    finding.remedy = {any, 1};
    Note note;
    note.place = NotedRow{any, any};
    note.file = note.device = note.title = note.text = any;
    LiveTimeline live;
    live.name = any;
    live.eventCount = 1;
    live.columns = {1, std::string("\0\1\0\2", 4)};
    live.groups = {{any, any, "unknown", false, {any}, {}, false, 1, 1}};
    live.steps = {{any, 0, 1, 1, 0, 1}};
    live.flags = {{1, 0, 0, NoteColor::Red, any}};
    live.stretches = {{0, 1, 0, 1}};
    return {any, any, any, any,
        {{ReportPart::Summary, any,
            {ReportParagraph{any}, ReportList{{any}}, ReportFacts{any, {{any, any}}}, table,
                ReportFigure{any, any, figure, figure, {live}}, ReportQuote{any, any},
                ReportFinding{finding, any}, ReportNote{1, any, note}}}}};
}

} // namespace highwater
