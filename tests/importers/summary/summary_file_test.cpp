// Tests of summaries: they are written and read again, represent their recording, and are refused when
// damaged.
#include <gtest/gtest.h>

#include "app/loading/run/run_assembly.h"
#include "app/loading/summary_file.h"
#include "core/analysis/composition/composition.h"
#include "core/study/summarize.h"
#include "core/trace/summary/summary_document.h"
#include "importers/summary/summary_format.h"
#include "importers/summary/summary_reader.h"
#include "importers/summary/summary_writer.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// A recording and its study.
struct Recording
{
    explicit Recording(const std::string& sample)
        : imported(*openTrace(test::samplePath(sample), {}))
        , study(*partsOf(sample, imported, {}))
    {
    }
    ImportedTrace imported;
    RunStudy study;
};

const std::vector<std::string> kSamples = {"pytorch-snapshot/fault-growth.pickle.zst",
    "pytorch-snapshot/oom-fragmentation.pickle.zst", "pytorch-snapshot/training-6-steps-annotated.pickle.zst",
    "pytorch-snapshot/tiny-hand-checked.pickle.zst", "rehearsed/small-gpt.pickle.zst",
    "rehearsed/no-stacks.pickle.zst"};

Result<RankSummary> readFrom(const std::string& bytes, SummaryParts parts = SummaryParts::Everything)
{
    test::PiecewiseSource source(bytes, 1 << 16);
    return readSummary(source, {}, parts);
}

RankSummary smallSummary()
{
    const Recording recording("pytorch-snapshot/oom-fragmentation.pickle.zst");
    return summarize(recording.study, {16, 8, true});
}

std::string troubleOf(const RankSummary& summary)
{
    const Result<ImportedTrace> imported = test::importBytes(summaryFileBytes(summary));
    return imported ? std::string() : imported.error().message;
}

} // namespace

TEST(SummaryFile, GivesBackAllThatItWasMadeOf)
{
    for (const std::string& sample : kSamples) {
        const std::string bytes = summaryFile(Recording(sample).study, {}, 5).bytes;
        EXPECT_LE(bytes.size(), summary::kMaxFileBytes) << sample;
        const Result<RankSummary> read = readFrom(bytes);
        ASSERT_TRUE(read) << sample << ": " << toText(read.error());
        EXPECT_EQ(summaryFileBytes(*read), bytes) << sample;
    }
}

TEST(SummaryFile, HasTheTotalsOfTheRecordingAtItsMoments)
{
    for (const std::string& sample : kSamples) {
        const Recording recording(sample);
        const RankSummary summary = summarize(recording.study);
        for (std::size_t i = 0; i < summary.moments.size(); ++i) {
            Bytes total = 0;
            for (const std::vector<Bytes>& category : summary.moments.byCategory)
                total += category[i];
            ASSERT_EQ(total, recording.study.device()->curve.at(summary.moments.event[i])) << sample;
        }
    }
}

TEST(SummaryFile, OpensAsATraceWithThePeakAndTheStepsOfTheRecording)
{
    for (const std::string& sample : kSamples) {
        const Recording recording(sample);
        const Result<ImportedTrace> imported = test::importBytes(summaryFile(recording.study, {}, 0).bytes);
        ASSERT_TRUE(imported) << sample << ": " << toText(imported.error());
        EXPECT_EQ(imported->trace->metadata.kind, TraceKind::RankSummary);
        const RunStudy study(*partsOf(sample, *imported, {}));
        EXPECT_EQ(study.figures()->peakBytes, recording.study.figures()->peakBytes) << sample;
        const std::vector<Step>& told = study.device()->steps.steps;
        const std::vector<Step>& steps = recording.study.device()->steps.steps;
        ASSERT_EQ(told.size(), steps.size()) << sample;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            EXPECT_EQ(told[i].name, steps[i].name) << sample;
            EXPECT_EQ(told[i].peakBytes, steps[i].peakBytes) << sample;
            EXPECT_EQ(study.device()->curve.peak(told[i].begin - 1, told[i].end).bytes, steps[i].peakBytes)
                << sample << ' ' << i;
            EXPECT_EQ(study.device()->curve.at(told[i].end - 1), steps[i].endBytes) << sample << ' ' << i;
        }
    }
}

TEST(SummaryFile, OpensWithTheCallSitesOfThePeak)
{
    for (const std::string& sample : kSamples) {
        const Recording recording(sample);
        const auto sitesOf = [](const RunStudy& study) {
            const DeviceStudy& device = *study.device();
            std::vector<std::pair<std::string, Bytes>> sites;
            for (const CompositionGroup& group : compositionAt(device.trace, device.allocations, device.sites,
                     study.figures()->peakEvent, GroupKey::Site)
                                                     .groups)
                if (!group.key.starts_with('('))
                    sites.emplace_back(group.key, group.bytes);
            return sites;
        };
        const Result<ImportedTrace> imported = test::importBytes(summaryFile(recording.study, {}, 0).bytes);
        ASSERT_TRUE(imported) << sample;
        EXPECT_EQ(sitesOf(RunStudy(*partsOf(sample, *imported, {}))), sitesOf(recording.study)) << sample;
    }
}

TEST(SummaryFile, TellsTheFindingsOfTheRecordingAndNoOthers)
{
    for (const std::string& sample : kSamples) {
        const Recording recording(sample);
        const Result<ImportedTrace> imported = test::importBytes(summaryFile(recording.study, {}, 0).bytes);
        ASSERT_TRUE(imported) << sample;
        const RunStudy study(*partsOf(sample, *imported, {}));
        ASSERT_EQ(study.findings().size(), recording.study.findings().size()) << sample;
        for (std::size_t i = 0; i < study.findings().size(); ++i) {
            EXPECT_EQ(study.findings()[i].title, recording.study.findings()[i].title);
            EXPECT_EQ(study.findings()[i].bytes, recording.study.findings()[i].bytes);
        }
    }
}

TEST(SummaryFile, IsRefusedWhereANumberIsNotWhole)
{
    RankSummary summary = smallSummary();
    std::string text = summaryDocumentText(summary);
    ASSERT_TRUE(readSummaryDocument(text, summary));
    const std::size_t position = text.find("\"peakEvent\":") + 12;
    text.replace(position, text.find_first_of(",}", position) - position, "1e300");
    EXPECT_FALSE(readSummaryDocument(text, summary));
}

TEST(SummaryFile, SaysWhatItLacks)
{
    const Result<ImportedTrace> imported = test::importBytes(summaryFileBytes(smallSummary()));
    ASSERT_TRUE(imported);
    const ImportLogEntry* const entry = imported->trace->log.find("summary");
    ASSERT_NE(entry, nullptr);
    EXPECT_TRUE(test::hasParts(entry->message, {"segments", "addresses", "streams", "pools"}));
}

TEST(SummaryFile, IsRefusedWhereverItIsCutOff)
{
    const std::string bytes = summaryFileBytes(smallSummary());
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 50) {
        const Result<RankSummary> read = readFrom(bytes.substr(0, length), SummaryParts::Figures);
        ASSERT_FALSE(read) << length;
        EXPECT_EQ(read.error().code, ErrorCode::Truncated) << length;
        ASSERT_FALSE(readFrom(bytes.substr(0, length))) << length;
    }
    EXPECT_FALSE(readFrom(bytes + 'x'));
}

TEST(SummaryFile, IsRefusedWithAnyBitChanged)
{
    const std::string bytes = summaryFileBytes(smallSummary());
    for (std::size_t position = 8; position < bytes.size(); position += 1 + position / 100)
        for (int bit = 0; bit < 8; bit += 3) {
            std::string changed = bytes;
            changed[position] = static_cast<char>(changed[position] ^ (1 << bit));
            ASSERT_FALSE(readFrom(changed, SummaryParts::Figures)) << position << ' ' << bit;
        }
}

TEST(SummaryFile, OfANewerVersionIsRefusedByItsNumber)
{
    std::string bytes = summaryFileBytes(smallSummary());
    bytes[8] = 9;
    const Result<RankSummary> read = readFrom(bytes);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("summary version 9"), std::string::npos) << read.error().message;
}

TEST(SummaryFile, ThatClaimsAnImpossibleSizeAsksForNoMemory)
{
    std::string bytes = summaryFileBytes(smallSummary());
    bytes.replace(16 + 8, 8, std::string(8, '\x7f')); // raw size of the first section
    const Result<RankSummary> read = readFrom(bytes);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("impossible size"), std::string::npos) << read.error().message;
}

TEST(SummaryFile, WithMoreInItsAllocationsThanInItsCurveIsRefused)
{
    RankSummary bad = smallSummary();
    bad.allocations[0].bytes = Bytes{1} << 41;
    EXPECT_NE(troubleOf(bad).find("exceed its curve"), std::string::npos) << troubleOf(bad);
}

/// The smallest summaries have no moments at the ends of steps.
TEST(SummaryFile, OfStepsBetweenItsMomentsOpensWithEventsInEach)
{
    const Recording recording("pytorch-snapshot/training-6-steps-annotated.pickle.zst");
    const std::string bytes = summaryFileBytes(summarize(recording.study, {1, 1, false}));
    const Result<ImportedTrace> imported = test::importBytes(bytes);
    ASSERT_TRUE(imported);
    const RunStudy study(*partsOf("lean", *imported, {}));
    const std::vector<Step>& steps = study.device()->steps.steps;
    ASSERT_EQ(steps.size(), recording.study.device()->steps.steps.size());
    for (const Step& step : steps)
        EXPECT_LT(step.begin, step.end) << step.name;
    EXPECT_EQ(steps.back().end, study.device()->curve.eventCount());
}

} // namespace highwater
