#include "core/analysis/diff/diff_tree.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "importers/registry/open_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using TracePtr = std::shared_ptr<const Trace>;
using Lines = std::vector<std::string>;

constexpr CallDirection kDirections[] = {CallDirection::TopDown, CallDirection::BottomUp};
constexpr FrameDetail kDetails[] = {FrameDetail::Own, FrameDetail::Python, FrameDetail::All};

DiffInput atPeak(const DeviceStudy& study)
{
    return {study.trace, study.allocations, study.sites, &study.categories,
        study.allocations.liveAt(study.curve.peak().event)};
}

DiffTree treeOf(const Trace& before, const Trace& after, const DiffTreeOptions& options = {})
{
    const DeviceStudy one(before, 0);
    const DeviceStudy other(after, 0);
    return diffTree(atPeak(one), atPeak(other), matchStacks(before, after), options);
}

CallTree treeOf(const Trace& trace, const DiffTreeOptions& options)
{
    const DeviceStudy study(trace, 0);
    LiveSet set;
    set.allocations = atPeak(study).live;
    return callTree(trace, study.allocations, study.sites, set, options.direction, options.detail);
}

TracePtr run(const std::string& text)
{
    return test::traceFromText(text + "end\n");
}

/// "..forward (m.py) 100 → 300" in the order of a fully expanded tree.
void append(const DiffTree& diff, std::uint32_t node, Lines& lines)
{
    lines.push_back(std::string(diff.tree.pathTo(node).size(), '.') + diff.tree.label(node) + ' '
        + std::to_string(diff.before.total[node].bytes) + " → "
        + std::to_string(diff.after.total[node].bytes));
    for (std::uint32_t i = 0; i < diff.tree.nodes[node].childCount; ++i)
        append(diff, diff.tree.nodes[node].firstChild + i, lines);
}

Lines outline(const DiffTree& diff)
{
    Lines lines;
    append(diff, CallTree::kRoot, lines);
    return lines;
}

void expectSumsHold(const DiffTree& diff, const DiffTreeSide& side)
{
    for (std::uint32_t i = 0; i < diff.tree.nodes.size(); ++i) {
        const CallNode& node = diff.tree.nodes[i];
        CallWeight sum = side.self[i];
        for (std::uint32_t k = 0; k < node.childCount; ++k)
            sum += side.total[node.firstChild + k];
        EXPECT_EQ(sum, side.total[i]);
    }
}

/// Widths of children lie within that of their node, and what either run has fits into them.
void expectWidthsHold(const DiffTree& diff)
{
    for (std::uint32_t i = 0; i < diff.tree.nodes.size(); ++i) {
        const CallNode& node = diff.tree.nodes[i];
        CallWeight sum = node.self;
        for (std::uint32_t k = 0; k < node.childCount; ++k)
            sum += diff.tree.nodes[node.firstChild + k].total;
        EXPECT_EQ(sum, node.total);
        EXPECT_EQ(node.self.bytes, std::max(diff.before.self[i].bytes, diff.after.self[i].bytes));
        EXPECT_GE(node.total.bytes, std::max(diff.before.total[i].bytes, diff.after.total[i].bytes));
    }
}

void expectMirrored(const DiffTree& forth, const DiffTree& back)
{
    EXPECT_EQ(forth.before.total, back.after.total);
    EXPECT_EQ(forth.after.total, back.before.total);
    EXPECT_EQ(forth.before.self, back.after.self);
    EXPECT_EQ(forth.before.endOf, back.after.endOf);
    EXPECT_EQ(forth.after.endOf, back.before.endOf);
    EXPECT_EQ(forth.largestDelta, back.largestDelta);
    ASSERT_EQ(forth.tree.nodes.size(), back.tree.nodes.size());
    for (std::uint32_t i = 0; i < forth.tree.nodes.size(); ++i) {
        EXPECT_EQ(forth.tree.label(i), back.tree.label(i));
        EXPECT_EQ(forth.tree.nodes[i].total, back.tree.nodes[i].total);
        EXPECT_EQ(forth.tree.nodes[i].parent, back.tree.nodes[i].parent);
        EXPECT_EQ(forth.delta(i), -back.delta(i));
    }
}

TracePtr sample(const std::string& name)
{
    return openTrace(test::samplePath("pytorch-snapshot/" + name + ".pickle.zst"), {})->trace;
}

const char* const kBefore = "stack A = /p/m.py:3 forward | /p/t.py:1 main\n"
                            "stack B = /p/m.py:7 attend | /p/m.py:4 forward | /p/t.py:1 main\n"
                            "stack C = /p/t.py:9 load | /p/t.py:1 main\n"
                            "alloc a 100 @A\nalloc b 500 @B\nalloc c 50 @C\n";
/// The folder renamed, lines moved; forward grew, attend is gone, save is new.
const char* const kAfter = "stack A = /q/m.py:13 forward | /q/t.py:2 main\n"
                           "stack C = /q/t.py:10 load | /q/t.py:2 main\n"
                           "stack D = /q/t.py:30 save | /q/t.py:2 main\n"
                           "alloc a 300 @A\nalloc c 50 @C\nalloc d 70 @D\n";

} // namespace

TEST(DiffTree, PutsBothRunsIntoOneTree)
{
    EXPECT_EQ(outline(treeOf(*run(kBefore), *run(kAfter))),
        (Lines{"(all) 650 → 420", ".main (t.py) 650 → 420", "..forward (m.py) 600 → 300",
            "...attend (m.py) 500 → 0", "..save (t.py) 0 → 70", "..load (t.py) 50 → 50"}));
}

TEST(DiffTree, StartsAtTheFunctionsThatAllocateBottomUp)
{
    EXPECT_EQ(outline(treeOf(*run(kBefore), *run(kAfter), {CallDirection::BottomUp, FrameDetail::Python})),
        (Lines{"(all) 650 → 420", ".attend (m.py) 500 → 0", "..forward (m.py) 500 → 0",
            "...main (t.py) 500 → 0", ".forward (m.py) 100 → 300", "..main (t.py) 100 → 300",
            ".save (t.py) 0 → 70", "..main (t.py) 0 → 70", ".load (t.py) 50 → 50", "..main (t.py) 50 → 50"}));
}

TEST(DiffTree, IsAsWideAsTheLargerSideOfWhatEndsAtEachFunction)
{
    const DiffTree diff = treeOf(*run(kBefore), *run(kAfter));
    EXPECT_EQ(diff.tree.nodes[CallTree::kRoot].total.bytes, 300 + 500 + 50 + 70);
    EXPECT_EQ(diff.tree.nodes[2].self.bytes, 300); // forward
    EXPECT_EQ(diff.tree.nodes[2].total.bytes, 800);
}

TEST(DiffTree, SaysWhatCameWentAndHowMuchOfTheChangeItIs)
{
    const DiffTree diff = treeOf(*run(kBefore), *run(kAfter));
    const std::uint32_t attend = 5; // the last, as the only one of its depth
    EXPECT_EQ(diff.tree.label(attend), "attend (m.py)");
    EXPECT_EQ(diff.status(attend), DiffStatus::Gone);
    EXPECT_EQ(diff.status(2), DiffStatus::Shrank);
    EXPECT_EQ(diff.status(3), DiffStatus::New);
    EXPECT_EQ(diff.status(4), DiffStatus::Same);
    EXPECT_EQ(diff.largestDelta, 500);
    EXPECT_EQ(diff.shareOfChange(attend), 1);
    EXPECT_EQ(diff.shareOfChange(3), 0.14);
    EXPECT_EQ(diff.shareOfChange(4), 0);
    EXPECT_EQ(diff.after.total[2].count, 1);
    EXPECT_EQ(diff.before.total[2].count, 2);
}

TEST(DiffTree, NamesFunctionsAsInTheRunAfter)
{
    const DiffTree diff = treeOf(*run(kBefore), *run(kAfter));
    EXPECT_EQ(diff.tree.functionOf(diff.tree.nodes[2]).file, "/q/m.py"); // forward is in both
    EXPECT_EQ(diff.tree.functionOf(diff.tree.nodes[5]).file, "/p/m.py"); // attend is gone
}

TEST(DiffTree, KeepsFunctionsOfOneNameInFilesOfOtherNamesApart)
{
    const auto before = run("stack A = /p/a.py:3 forward\nalloc a 100 @A\n");
    const auto after = run("stack A = /p/b.py:3 forward\nalloc a 100 @A\n");
    EXPECT_EQ(outline(treeOf(*before, *after)),
        (Lines{"(all) 100 → 100", ".forward (a.py) 100 → 0", ".forward (b.py) 0 → 100"}));
}

TEST(DiffTree, MatchesByNameWhatHasNoFrames)
{
    const auto before = run("alloc a 100\n");
    const auto after = run("alloc a 30\n");
    const Lines lines = outline(treeOf(*before, *after));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(lines[1].starts_with(".(no stack")) << lines[1];
    EXPECT_TRUE(lines[1].ends_with("100 → 30")) << lines[1];
}

TEST(DiffTree, OfARunWithItselfIsThatRunsCallTree)
{
    const auto trace = sample("r1-grpo-before");
    for (const CallDirection direction : kDirections)
        for (const FrameDetail detail : {FrameDetail::Own, FrameDetail::Python}) {
            const DiffTree diff = treeOf(*trace, *trace, {direction, detail});
            const CallTree tree = treeOf(*trace, {direction, detail});
            EXPECT_EQ(diff.largestDelta, 0);
            ASSERT_EQ(diff.tree.nodes.size(), tree.nodes.size());
            for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
                EXPECT_EQ(diff.tree.label(i), tree.label(i));
                EXPECT_EQ(diff.tree.nodes[i].total, tree.nodes[i].total);
                EXPECT_EQ(diff.before.total[i], tree.nodes[i].total);
                EXPECT_EQ(diff.after.self[i], tree.nodes[i].self);
            }
            EXPECT_EQ(diff.before.endOf, tree.endOf);
        }
}

TEST(DiffTree, SumsUpExactlyOnBothSidesAndInItsWidths)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto before = test::randomTrace(seed);
        const auto after = test::randomTrace(seed + 1000);
        const DeviceStudy one(*before, 0);
        const DeviceStudy other(*after, 0);
        for (const CallDirection direction : kDirections)
            for (const FrameDetail detail : kDetails) {
                const DiffTree diff = treeOf(*before, *after, {direction, detail});
                expectSumsHold(diff, diff.before);
                expectSumsHold(diff, diff.after);
                expectWidthsHold(diff);
                EXPECT_EQ(diff.before.total.front().bytes, one.curve.peak().bytes);
                EXPECT_EQ(diff.after.total.front().bytes, other.curve.peak().bytes);
            }
    }
}

TEST(DiffTree, IsMirroredByExchangingTheRuns)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto before = test::randomTrace(seed);
        const auto after = test::randomTrace(seed + 1000);
        for (const CallDirection direction : kDirections)
            for (const FrameDetail detail : kDetails)
                expectMirrored(treeOf(*before, *after, {direction, detail}),
                    treeOf(*after, *before, {direction, detail}));
    }
}

TEST(DiffTree, IsMirroredAndAddsUpOnRealStacks)
{
    for (const char* pair : {"r1-grpo", "r5-flan-t5-xl"}) {
        const auto before = sample(pair + std::string("-before"));
        const auto after = sample(pair + std::string("-after"));
        for (const FrameDetail detail : kDetails) {
            const DiffTree forth = treeOf(*before, *after, {CallDirection::TopDown, detail});
            expectSumsHold(forth, forth.before);
            expectSumsHold(forth, forth.after);
            expectWidthsHold(forth);
            expectMirrored(forth, treeOf(*after, *before, {CallDirection::TopDown, detail}));
        }
    }
}

TEST(DiffTree, IsAsWideBottomUpAsTopDown)
{
    const auto before = sample("r1-grpo-before");
    const auto after = sample("r1-grpo-after");
    EXPECT_EQ(treeOf(*before, *after, {CallDirection::TopDown, FrameDetail::Python}).tree.nodes.front().total,
        treeOf(*before, *after, {CallDirection::BottomUp, FrameDetail::Python}).tree.nodes.front().total);
}

TEST(DiffTree, TellsWhichAllocationsOfEitherRunComeFromAFunction)
{
    const auto before = run(kBefore);
    const DeviceStudy one(*before, 0);
    const DiffTree diff = treeOf(*before, *run(kAfter));
    std::vector<bool> forward(diff.tree.nodes.size());
    forward[2] = true;
    const std::vector<bool> members = membersOf(diff.tree, forward, diff.before.endOf);
    Bytes bytes = 0;
    for (std::size_t i = 0; i < members.size(); ++i)
        bytes += members[i] ? one.allocations.bytes(atPeak(one).live[i]) : 0;
    EXPECT_EQ(bytes, 600);
}

} // namespace highwater
