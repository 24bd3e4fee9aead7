// Tests every file in samples/.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "core/analysis/device/device_figures.h"
#include "importers/native/native_writer.h"
#include "importers/registry/open_trace.h"
#include "tests/support/dump/dump_sections.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/golden_file.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::string figuresText(const Trace& trace)
{
    std::string out;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        const DeviceFigures f = deviceFigures(trace, i);
        out += fmt::format("{}: events {} segments {} blocks {}\n", trace.devices[i].label(), f.eventCount,
            f.segmentCount, f.blockCount);
        out += fmt::format("  initial {} in {}, peak {} in {} at {}, final {} in {} (blocks of {})\n",
            f.initialBytes, f.initialLiveCount, f.peakBytes, f.peakLiveCount, f.peakEvent, f.finalBytes,
            f.finalLiveCount, f.finalAllocatedBytes);
        out += fmt::format("  reserved: initial {} peak {} final {}, ooms {}, span {} ns\n",
            f.reservedInitialBytes, f.reservedPeakBytes, f.reservedFinalBytes, f.ooms.size(),
            f.span.value_or(-1));
    }
    return out;
}

std::string dumpWithoutFormat(const Trace& trace)
{
    const std::string dump = dumpTrace(trace);
    return dump.substr(dump.find(" history"));
}

constexpr const char* kFolders[]
    = {"pytorch-snapshot", "encodings", "ranks", "kineto", "memory-timeline", "cupti", "nsys"};

std::vector<std::string> allSamples()
{
    std::vector<std::string> names;
    for (const char* folder : kFolders)
        for (const std::string& name : test::sampleNames(folder))
            names.push_back(name);
    return names;
}

class Sample : public testing::TestWithParam<std::string>
{
protected:
    const std::string path = test::samplePath(GetParam());
};

} // namespace

TEST_P(Sample, SaysWhatItsGoldenSays)
{
    const Result<ImportedTrace> imported = openTrace(path, {});
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_FALSE(imported->incomplete);
    const Trace& trace = *imported->trace;
    const std::string dump = dumpTrace(trace);
    test::keepDocument(GetParam() + ".txt", dump);
    test::expectGolden(GetParam() + ".txt", figuresText(trace) + "\n" + test::bySections(dump));
}

TEST_P(Sample, IsRecognisedUnderAMeaninglessName)
{
    const test::TemporaryFolder folder;
    const Result<ImportedTrace> renamed = openTrace(folder.write("x", test::readWholeFile(path)), {});
    ASSERT_TRUE(renamed);
    EXPECT_EQ(dumpTrace(*renamed->trace), dumpTrace(*openTrace(path, {})->trace));
}

TEST_P(Sample, IsTheSameAfterSavingAndReopening)
{
    const Result<ImportedTrace> imported = openTrace(path, {});
    std::string bytes;
    ASSERT_TRUE(writeNative(*imported->trace, [&](std::string_view more) {
        bytes += more;
        return true;
    }));
    const Result<ImportedTrace> reopened = test::importBytes(bytes);
    ASSERT_TRUE(reopened) << toText(reopened.error());
    EXPECT_EQ(reopened->trace->metadata.kind, TraceKind::Native);
    EXPECT_EQ(dumpWithoutFormat(*reopened->trace), dumpWithoutFormat(*imported->trace));
    EXPECT_EQ(figuresText(*reopened->trace), figuresText(*imported->trace));
}

TEST_P(Sample, CutOffSaysSoAndGivesWhatItCan)
{
    const std::string bytes = test::readDecompressed(path);
    for (std::size_t i = 0; i < 12; ++i) {
        const std::size_t cut = i == 0 ? 1 : bytes.size() * i / 12;
        const Result<ImportedTrace> imported = test::importBytes(bytes.substr(0, cut));
        if (!imported) {
            EXPECT_TRUE(imported.error().code == ErrorCode::Truncated
                || imported.error().code == ErrorCode::UnknownFormat)
                << cut << ": " << toText(imported.error());
        } else if (imported->trace->metadata.kind == TraceKind::TrainerLog) {
            // Too little is left to recognize the format, so it counts as text.
            EXPECT_NE(imported->trace->log.find("no-memory-figures"), nullptr) << cut;
        } else if (!imported->incomplete) {
            ADD_FAILURE() << "cut at " << cut << " of " << bytes.size() << " counts as complete";
        } else {
            EXPECT_EQ(imported->incomplete->code, ErrorCode::Truncated) << cut;
        }
    }
}

TEST_P(Sample, CutOffLateKeepsEventsOrSegments)
{
    const std::string bytes = test::readDecompressed(path);
    const Result<ImportedTrace> imported = test::importBytes(bytes.substr(0, bytes.size() * 9 / 10));
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_TRUE(imported->trace->events.rows() > 0 || !imported->trace->segments.segments.empty()
        || !imported->trace->spans.empty());
}

TEST_P(Sample, CanBeCancelled)
{
    ImportOptions options;
    options.stop.requestStop();
    const Result<ImportedTrace> imported = openTrace(path, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(All, Sample, testing::ValuesIn(allSamples()),
    [](const auto& sample) { return test::testNameOf(sample.param); });

TEST(Samples, AndGoldensAreAsMany)
{
    for (const char* folder : kFolders) {
        std::vector<std::string> names;
        for (const std::string& name : test::sampleNames(folder))
            names.push_back(name.substr(name.rfind('/') + 1) + ".txt");
        test::expectNoOtherGoldens(folder, names);
    }
}

class SameContent : public testing::TestWithParam<const char*>
{
};

TEST_P(SameContent, GivesTheDumpOfProtocolFour)
{
    const auto imported = openTrace(test::samplePath(GetParam()), {});
    ASSERT_TRUE(imported);
    EXPECT_EQ(dumpTrace(*imported->trace),
        dumpTrace(*openTrace(test::samplePath("encodings/tiny-protocol-4.pickle"), {})->trace));
}

INSTANTIATE_TEST_SUITE_P(Encodings, SameContent,
    testing::Values("encodings/tiny-protocol-0.pickle", "encodings/tiny-protocol-1.pickle",
        "encodings/tiny-protocol-2.pickle", "encodings/tiny-protocol-3.pickle",
        "encodings/tiny-protocol-5.pickle", "encodings/tiny.json", "encodings/tiny.html",
        "encodings/tiny.pickle.gz", "encodings/tiny.pickle.zst", "encodings/tiny-trailing-zeros.pickle",
        "encodings/tiny-cpp-writer.pickle", "pytorch-snapshot/tiny-hand-checked.pickle.zst"),
    [](const auto& sample) { return test::testNameOf(sample.param); });

TEST(Samples, OfHighAddressesSayTheSameFromBothWriters)
{
    const auto python = openTrace(test::samplePath("encodings/tiny-high-addresses.pickle"), {});
    const auto native = openTrace(test::samplePath("encodings/tiny-cpp-writer-high-addresses.pickle"), {});
    EXPECT_EQ(dumpTrace(*python->trace), dumpTrace(*native->trace));
    EXPECT_GE(python->trace->events.address[0], Address{1} << 63);
}

struct SampleFigures
{
    const char* name;
    DeviceIndex device;
    std::int64_t events;
    Bytes peakBytes;
    Bytes finalBytes;
    Bytes initialBytes = 0;
};

class FiguresOfTheReadme : public testing::TestWithParam<SampleFigures>
{
};

TEST_P(FiguresOfTheReadme, AreFound)
{
    const auto imported
        = openTrace(test::samplePath(std::string("pytorch-snapshot/") + GetParam().name + ".pickle.zst"), {});
    const DeviceFigures figures = deviceFigures(*imported->trace, GetParam().device);
    EXPECT_EQ(figures.eventCount, GetParam().events);
    EXPECT_EQ(figures.peakBytes, GetParam().peakBytes);
    EXPECT_EQ(figures.finalBytes, GetParam().finalBytes);
    EXPECT_EQ(figures.initialBytes, GetParam().initialBytes);
}

INSTANTIATE_TEST_SUITE_P(Snapshots, FiguresOfTheReadme,
    testing::Values(SampleFigures{"tiny-hand-checked", 0, 22, 23'069'672, 9'438'698},
        SampleFigures{"training-6-steps-annotated", 0, 3'442, 403'605'508, 85'155'840},
        SampleFigures{"training-6-steps-bare", 0, 3'442, 403'605'508, 85'155'840},
        SampleFigures{"training-6-steps-no-frames", 0, 3'442, 403'605'508, 85'155'840},
        SampleFigures{"gradient-accumulation", 0, 2'508, 255'025'156, 85'155'840},
        SampleFigures{"grpo-phases", 0, 2'230, 255'037'444, 85'164'032},
        SampleFigures{"user-annotated-phases", 0, 1'669, 255'033'348, 99'518'464, 85'155'840},
        SampleFigures{"ring-buffer-overflow", 0, 1'000, 403'605'508, 85'155'840, 99'518'464},
        SampleFigures{"two-streams-record-stream", 0, 472, 102'553'600, 79'091'712},
        SampleFigures{"two-devices", 0, 459, 75'057'152, 36'259'840},
        SampleFigures{"two-devices", 1, 515, 172'574'724, 36'259'840},
        SampleFigures{"host-pinned", 0, 1'208, 148'801'540, 85'155'840},
        SampleFigures{"private-pool", 0, 274, 245'958'144, 212'403'712},
        SampleFigures{"expandable-segments", 0, 2'924, 913'213'444, 85'155'840},
        SampleFigures{"oom-fragmentation", 0, 140, 4'991'221'760, 4'689'231'872},
        SampleFigures{"oom-too-big", 0, 110, 6'777'995'264, 6'442'450'944},
        SampleFigures{"fault-growth", 0, 2'506, 100'378'628, 35'971'072},
        SampleFigures{"clean-growth", 0, 2'497, 89'892'868, 25'485'312},
        SampleFigures{"fault-retained-graph", 0, 2'757, 222'013'444, 157'605'888},
        SampleFigures{"clean-retained-graph", 0, 2'677, 79'931'396, 15'523'840},
        SampleFigures{"fault-stale-gradients", 0, 1'289, 99'934'212, 14'999'552},
        SampleFigures{"clean-stale-gradients", 0, 1'288, 96'184'324, 14'999'552},
        SampleFigures{"fault-logits", 0, 977, 1'073'873'956, 109'799'424},
        SampleFigures{"clean-logits", 0, 1'211, 137'249'280, 109'799'424},
        SampleFigures{"fault-attention", 0, 1'359, 96'184'324, 14'999'552},
        SampleFigures{"clean-attention", 0, 1'263, 79'407'108, 14'999'552},
        SampleFigures{"fault-autocast", 0, 1'312, 81'504'260, 14'999'552},
        SampleFigures{"fault-cache-flush", 0, 2'545, 79'407'108, 14'999'552},
        SampleFigures{"clean-cache-flush", 0, 2'493, 79'407'108, 14'999'552},
        SampleFigures{"fault-rounding", 0, 1'263, 70'887'428, 14'999'552},
        SampleFigures{"clean-rounding", 0, 1'264, 70'887'428, 14'999'552},
        SampleFigures{"r1-grpo-before", 0, 13'342, 24'287'511'136, 24'287'511'136},
        SampleFigures{"r1-grpo-after", 0, 17'731, 24'322'085'344, 24'322'085'344},
        SampleFigures{"r2-grpo-logits-before", 0, 13'994, 361'807'104, 14'927'872},
        SampleFigures{"r2-grpo-logits-after", 0, 13'917, 309'116'160, 14'927'872},
        SampleFigures{"r3-vocabulary-before", 0, 2'046, 40'232'863'236, 36'497'704'452},
        SampleFigures{"r3-vocabulary-after", 0, 3'113, 7'065'118'724, 346'480'640},
        SampleFigures{"r5-flan-t5-xl-before", 0, 6'125, 32'826'093'568, 32'826'093'568},
        SampleFigures{"r5-flan-t5-xl-after", 0, 9'430, 25'411'850'240, 17'098'543'104}));

} // namespace highwater
