#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

/// Compares every finding of every snapshot whose script is known with a reader's judgement in
/// samples/judged-findings.tsv. HIGHWATER_UPDATE_GOLDENS=1 adds new findings as "?", which fails until
/// someone has judged them.
namespace highwater {

namespace {

constexpr const char* kTable = "judged-findings.tsv";
constexpr const char* kHead = "recording\tdevice\trule\tgrade\tkind\tbytes\tjudgement\treason";

/// A line of the table. Judgements: "true", "false", "missed" (the rule should report something here, but
/// does not), "clean" (for a recording: nothing is wrong with the run), "?" (not judged yet).
struct Row
{
    std::string recording; ///< "real/…" files are not part of the project
    std::string device;
    std::string rule;
    std::string grade;
    std::string kind;
    Bytes bytes = 0;
    std::string judgement = "?";
    std::string reason;

    bool isFinding() const { return judgement != "clean" && judgement != "missed"; }
    std::string text() const
    {
        return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", recording, device, rule, grade, kind,
            judgement == "missed" ? "" : std::to_string(bytes), judgement, reason);
    }
    auto place() const { return std::tie(recording, device, rule); }
    /// True if this finding is the judged one: the same kind, and bytes within 2%.
    bool isOf(const Row& judged) const
    {
        return place() == judged.place() && kind == judged.kind && judged.isFinding()
            && std::abs(bytes - judged.bytes) * 50 <= judged.bytes;
    }
};

std::vector<Row> judgedRows()
{
    std::ifstream file(test::samplePath(kTable));
    std::vector<Row> rows;
    std::string line;
    std::getline(file, line); // skip the header
    while (std::getline(file, line)) {
        std::vector<std::string> cells(1);
        for (const char c : line)
            c == '\t' ? void(cells.emplace_back()) : cells.back().push_back(c);
        cells.resize(8);
        rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4],
            cells[5].empty() ? 0 : std::stoll(cells[5]), cells[6], cells[7]});
    }
    return rows;
}

std::optional<std::string> pathOfRecording(const std::string& recording)
{
    return recording.starts_with("real/") ? test::realFilePath(recording.substr(5))
                                          : test::samplePath(recording);
}

std::vector<std::string> recordings()
{
    std::vector<std::string> all;
    for (const char* folder : {"rehearsed", "pytorch-snapshot", "ranks"})
        for (const std::string& name : test::sampleNames(folder))
            if (!name.ends_with(".labels.json.zst"))
                all.push_back(name);
    for (const char* folder :
        {"judged", "rehearsed", "rehearsed/fixed", "rehearsed/ranks", "rehearsed/stacks-all"})
        for (const std::string& name : test::realFileNames(folder))
            if (name.find(".pickle") != std::string::npos || name.ends_with(".pkl"))
                all.push_back("real/" + name);
    return all;
}

Row rowOf(const std::string& recording, const std::string& device, const Finding& finding)
{
    return {recording, device, finding.rule, std::string(toText(finding.grade)),
        std::string(toText(finding.kind)), finding.bytes, "?", finding.title};
}

std::vector<Row> foundIn(const std::string& recording)
{
    const auto imported = openTrace(*pathOfRecording(recording), {});
    std::vector<Row> rows;
    if (!imported)
        return rows;
    const Trace& trace = *imported->trace;
    for (DeviceIndex device = 0; device < trace.devices.size(); ++device) {
        const DeviceStudy study(trace, device);
        if (study.about().kind == DeviceKind::Cuda && study.curve.peak().bytes > 0)
            for (const Finding& finding : findFindings(DetectorInput(study)))
                rows.push_back(rowOf(recording, std::to_string(study.about().ordinal), finding));
    }
    return rows;
}

const std::vector<Row>& allFound()
{
    static const std::vector<Row> all = [] {
        std::vector<Row> rows;
        for (const std::string& recording : recordings())
            for (Row& row : foundIn(recording))
                rows.push_back(std::move(row));
        return rows;
    }();
    return all;
}

/// Returns the judged findings of the available recordings.
std::vector<Row> rowsAtHand()
{
    std::vector<Row> rows = judgedRows();
    std::erase_if(rows, [](const Row& row) { return !pathOfRecording(row.recording); });
    return rows;
}

const Row* judgedAs(const Row& found, const std::vector<Row>& judged)
{
    const auto row = std::ranges::find_if(judged, [&](const Row& one) { return found.isOf(one); });
    return row == judged.end() ? nullptr : &*row;
}

std::size_t countOf(const std::vector<Row>& rows, std::string_view grade, std::string_view judgement)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        rows, [&](const Row& row) { return row.grade == grade && row.judgement == judgement; }));
}

std::string tableRow(const std::string& rule, const std::vector<Row>& rows)
{
    std::size_t faults = 0;
    std::size_t missed = 0;
    for (const Row& row : rows) {
        faults += row.isFinding() && row.kind == "fault";
        missed += row.judgement == "missed";
    }
    std::string text = fmt::format("| `{}` | {} | {} |", rule, faults, rows.size() - missed - faults);
    for (const char* grade : {"A", "B", "C"})
        text += fmt::format(" {} | {} |", countOf(rows, grade, "true"), countOf(rows, grade, "false"));
    return text + fmt::format(" {} |", missed);
}

/// Adds new findings and removes those that are no longer found, except for faults that were judged true.
void updateTable()
{
    std::vector<Row> rows;
    const std::vector<Row> judged = judgedRows();
    for (const Row& row : judged)
        if (!row.isFinding() || !pathOfRecording(row.recording)
            || (row.judgement == "true" && row.kind == "fault"
                && std::ranges::none_of(allFound(), [&](const Row& found) { return found.isOf(row); })))
            rows.push_back(row);
    for (const Row& found : allFound()) {
        Row row = found;
        if (const Row* known = judgedAs(found, judged)) {
            row.judgement = known->judgement;
            row.reason = known->reason;
        }
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.place(); });
    std::ofstream file(test::samplePath(kTable));
    file << kHead << '\n';
    for (const Row& row : rows)
        file << row.text() << '\n';
}

} // namespace

class JudgedFindings : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        if (std::getenv("HIGHWATER_UPDATE_GOLDENS"))
            updateTable();
    }
};

TEST_F(JudgedFindings, AreAllThatAreFound)
{
    const std::vector<Row> judged = judgedRows();
    for (const Row& found : allFound()) {
        const Row* row = judgedAs(found, judged);
        EXPECT_TRUE(row && row->judgement != "?") << "not judged: " << found.text();
    }
}

TEST_F(JudgedFindings, AreStillFoundWithTheirGradeWhereAFaultIsReal)
{
    for (const Row& judged : rowsAtHand())
        if (judged.judgement == "true" && judged.kind == "fault") {
            const auto found
                = std::ranges::find_if(allFound(), [&](const Row& one) { return one.isOf(judged); });
            ASSERT_NE(found, allFound().end()) << judged.text();
            EXPECT_LE(found->grade, judged.grade) << judged.text();
        }
}

TEST_F(JudgedFindings, AreMissedWhereTheTableSaysSo)
{
    for (const Row& missed : judgedRows())
        if (missed.judgement == "missed") {
            EXPECT_TRUE(std::ranges::none_of(allFound(), [&](const Row& found) {
                return found.place() == missed.place() && found.kind == missed.kind;
            })) << missed.text();
        }
}

TEST_F(JudgedFindings, AreNeverFalseWithGradeAAndSeldomWithGradeB)
{
    const std::vector<Row> judged = judgedRows();
    EXPECT_EQ(countOf(judged, "A", "false"), 0u);
    for (const char* kind : {"fault", "fact"}) {
        std::vector<Row> ofKind;
        std::ranges::copy_if(
            judged, std::back_inserter(ofKind), [&](const Row& row) { return row.kind == kind; });
        EXPECT_LE(countOf(ofKind, "B", "false") * 20, countOf(ofKind, "B", "true")) << kind;
    }
}

TEST_F(JudgedFindings, AreNoFaultsWhereNothingIsWrong)
{
    std::set<std::string> clean;
    for (const Row& row : judgedRows())
        if (row.judgement == "clean")
            clean.insert(row.recording);
    EXPECT_GE(clean.size(), 20u);
    for (const Row& found : allFound())
        EXPECT_FALSE(found.kind == "fault" && clean.contains(found.recording)) << found.text();
}

TEST_F(JudgedFindings, AreCountedInTheReadmeOfTheSamples)
{
    std::map<std::string, std::vector<Row>> byRule;
    for (const Row& row : judgedRows())
        if (row.judgement != "clean")
            byRule[row.rule].push_back(row);
    const std::string readme = test::readWholeFile(test::samplePath("README.md"));
    for (const auto& [rule, rows] : byRule)
        EXPECT_NE(readme.find(tableRow(rule, rows)), std::string::npos) << tableRow(rule, rows);
}

} // namespace highwater
