#include "importers/pytorch_snapshot/original_traces.h"

#include <set>

#include <gtest/gtest.h>

#include "core/analysis/stacks/call_site.h"
#include "importers/pytorch_snapshot/snapshot_writer.h"
#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Imports one allocation by generated code, which has this `fx_original_trace`, as text of JSON.
std::shared_ptr<const Trace> traceOf(const std::string& originalTrace)
{
    const auto imported = test::importBytes(
        R"({"segments": [], "device_traces": [[{"action": "alloc", "addr": 4096, "size": 512, "stream": 0,
        "frames": [{"name": "__call__", "filename": "/v/site-packages/torch/_ops.py", "line": 916},
            {"name": "forward", "filename": "fx_generated__2bak.py", "line": 16, "fx_node_name": "h",
             "fx_original_trace": ")"
        + originalTrace + R"("},
            {"name": "<module>", "filename": "/train/run.py", "line": 27}]},
        {"action": "free_requested", "addr": 4096, "size": 512, "stream": 0},
        {"action": "free_completed", "addr": 4096, "size": 512, "stream": 0}]]})");
    if (!imported)
        throw std::runtime_error(toText(imported.error()));
    return imported->trace;
}

/// Returns the places of a stack's frames, innermost first.
std::vector<std::string> placesOf(const Trace& trace, StackId stack)
{
    std::vector<std::string> places;
    for (const FrameId id : trace.stacks.frames(stack)) {
        const Frame frame = trace.stacks.frame(id);
        places.push_back(std::string(trace.text(frame.function)) + " " + std::string(trace.text(frame.file))
            + ":" + std::to_string(frame.line));
    }
    return places;
}

const std::string kModel = R"(  File \"/train/model.py\", line 20, in forward\n    x = b(x)\n        ^^^^\n)"
                           R"(  File \"/train/model.py\", line 11, in forward\n    h = self.a(x)\n)";

} // namespace

TEST(OriginalTrace, IsPutInsideTheFrameThatWasGeneratedFromIt)
{
    const auto trace = traceOf(kModel);
    EXPECT_EQ(placesOf(*trace, trace->events.stack[0]),
        (std::vector<std::string>{"__call__ /v/site-packages/torch/_ops.py:916", "forward /train/model.py:11",
            "forward /train/model.py:20", "forward fx_generated__2bak.py:16", "<module> /train/run.py:27"}));
}

TEST(OriginalTrace, LeavesTheNodesNameWithTheGeneratedFrame)
{
    const auto trace = traceOf(kModel);
    const FrameId generated = trace->stacks.frames(trace->events.stack[0])[3];
    EXPECT_EQ(trace->text(trace->stacks.frame(generated).details), R"({"fx_node_name": "h"})");
}

TEST(OriginalTrace, IsKeptAsADetailIfItNamesNoLine)
{
    const auto trace = traceOf("unknown");
    const auto frames = trace->stacks.frames(trace->events.stack[0]);
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_NE(trace->text(trace->stacks.frame(frames[1]).details).find("unknown"), std::string_view::npos);
}

TEST(OriginalTrace, ReadsPathsWithQuotesAndLinesWithoutAFunction)
{
    const auto trace = traceOf(R"(File \"C:\\work\\a \"b\".py\", line 3\r\n)");
    EXPECT_EQ(placesOf(*trace, trace->events.stack[0])[1], " C:\\work\\a \"b\".py:3");
}

TEST(OriginalTrace, KeepsTheInnermostLinesOfALongOne)
{
    std::string lines;
    for (int line = 1; line <= 1000; ++line)
        lines += R"(File \"a.py\", line )" + std::to_string(line) + R"(, in f\n)";
    const auto trace = traceOf(lines);
    const auto places = placesOf(*trace, trace->events.stack[0]);
    ASSERT_EQ(places.size(), 3 + OriginalTraces::kMaxFrames);
    EXPECT_EQ(places[1], "f a.py:1000");
}

TEST(OriginalTrace, IsTakenOutAgainWhileAListOfFramesGrows)
{
    TraceBuilder builder;
    OriginalTraces traces(builder);
    const StringId text
        = builder.strings().intern("File \"a.py\", line 1, in f\nFile \"b.py\", line 2, in g");
    ASSERT_TRUE(traces.read(text));
    const auto frame = [&](std::int32_t line) {
        Frame generated;
        generated.line = line;
        return builder.stacks().internFrame(generated);
    };
    traces.assign(frame(10), text);
    const std::vector<FrameId> recorded{frame(9), frame(10), frame(11), frame(10)};
    std::vector<FrameId> frames = recorded;
    traces.insertInto(frames);
    EXPECT_EQ(frames.size(), 6u); // once for a stack
    EXPECT_EQ(traces.without(frames), recorded);
}

TEST(OriginalTrace, IsTheSameAfterTheSnapshotWasWrittenAndRead)
{
    const auto trace = traceOf(kModel);
    std::string bytes;
    ASSERT_TRUE(writeSnapshot(*trace, [&](std::string_view piece) {
        bytes += piece;
        return true;
    }));
    const auto again = test::importBytes(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(
        placesOf(*again->trace, again->trace->events.stack[0]), placesOf(*trace, trace->events.stack[0]));
}

/// The file is of PyTorch 2.15: see samples/record/record_compiled.py.
TEST(OriginalTrace, NamesTheModelsLinesInARecordingOfPyTorch)
{
    const auto read
        = test::importBytes(test::readWholeFile(test::samplePath("compiled/fx-traces.pickle.zst")));
    ASSERT_TRUE(read) << toText(read.error());
    const Trace& trace = *read->trace;
    const AllocationTable allocations(trace, 0);
    const CallSites sites(trace, allocations);
    std::set<std::string> labels;
    for (std::uint32_t site = 0; site < sites.size(); ++site)
        labels.insert(sites.site(SiteId(site)).label);
    for (const char* label : {"forward (record_compiled.py:20)", "forward (record_compiled.py:21)",
             "forward (record_compiled.py:22)", "forward (record_compiled.py:33)"})
        EXPECT_TRUE(labels.contains(label)) << label;
    for (const std::string& label : labels)
        EXPECT_EQ(label.find("fx_generated_"), std::string::npos) << label;
}

} // namespace highwater
