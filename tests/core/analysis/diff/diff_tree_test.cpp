#include "core/analysis/diff/diff_tree.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "tests/core/analysis/diff/compared_traces.h"
#include "tests/core/analysis/snapshot_trace.h"
#include "tests/support/random_trace.h"

namespace highwater {

using test::atPeak;
using test::snapshotTrace;
using test::traceToTheEnd;

namespace {

using Outline = std::vector<std::string>;

constexpr CallDirection kBothDirections[] = {CallDirection::TopDown, CallDirection::BottomUp};
constexpr FrameDetail kEveryDetail[] = {FrameDetail::Own, FrameDetail::Python, FrameDetail::All};

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

/// Adds lines like "..forward (m.py) 100 → 300", in the order of a fully expanded tree.
void appendChange(const DiffTree& diff, std::uint32_t node, Outline& lines)
{
    lines.push_back(std::string(diff.tree.pathTo(node).size(), '.') + diff.tree.label(node) + ' '
        + std::to_string(diff.before.total[node].bytes) + " → "
        + std::to_string(diff.after.total[node].bytes));
    for (std::uint32_t i = 0; i < diff.tree.nodes[node].childCount; ++i)
        appendChange(diff, diff.tree.nodes[node].firstChild + i, lines);
}

Outline outlineOfDiff(const DiffTree& diff)
{
    Outline lines;
    appendChange(diff, CallTree::kRoot, lines);
    return lines;
}

void expectSideSumsHold(const DiffTree& diff, const DiffTreeSide& side)
{
    for (std::uint32_t i = 0; i < diff.tree.nodes.size(); ++i) {
        const CallNode& node = diff.tree.nodes[i];
        CallWeight sum = side.self[i];
        for (std::uint32_t k = 0; k < node.childCount; ++k)
            sum += side.total[node.firstChild + k];
        EXPECT_EQ(sum, side.total[i]);
    }
}

/// Expects children's widths to lie within their node's width, and both runs' bytes to fit into the widths.
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

const char* const kBefore = "stack A = /p/m.py:3 forward | /p/t.py:1 main\n"
                            "stack B = /p/m.py:7 attend | /p/m.py:4 forward | /p/t.py:1 main\n"
                            "stack C = /p/t.py:9 load | /p/t.py:1 main\n"
                            "alloc a 100 @A\nalloc b 500 @B\nalloc c 50 @C\n";
/// The folder was renamed and lines moved; forward grew, attend is gone, save is new.
const char* const kAfter = "stack A = /q/m.py:13 forward | /q/t.py:2 main\n"
                           "stack C = /q/t.py:10 load | /q/t.py:2 main\n"
                           "stack D = /q/t.py:30 save | /q/t.py:2 main\n"
                           "alloc a 300 @A\nalloc c 50 @C\nalloc d 70 @D\n";

} // namespace

TEST(DiffTree, PutsBothRunsIntoOneTree)
{
    EXPECT_EQ(outlineOfDiff(treeOf(*traceToTheEnd(kBefore), *traceToTheEnd(kAfter))),
        (Outline{"(all) 650 → 420", ".main (t.py) 650 → 420", "..forward (m.py) 600 → 300",
            "...attend (m.py) 500 → 0", "..save (t.py) 0 → 70", "..load (t.py) 50 → 50"}));
}

TEST(DiffTree, StartsAtTheFunctionsThatAllocateBottomUp)
{
    EXPECT_EQ(outlineOfDiff(treeOf(*traceToTheEnd(kBefore), *traceToTheEnd(kAfter),
                  {CallDirection::BottomUp, FrameDetail::Python})),
        (Outline{"(all) 650 → 420", ".attend (m.py) 500 → 0", "..forward (m.py) 500 → 0",
            "...main (t.py) 500 → 0", ".forward (m.py) 100 → 300", "..main (t.py) 100 → 300",
            ".save (t.py) 0 → 70", "..main (t.py) 0 → 70", ".load (t.py) 50 → 50", "..main (t.py) 50 → 50"}));
}

TEST(DiffTree, IsAsWideAsTheLargerSideOfWhatEndsAtEachFunction)
{
    const DiffTree diff = treeOf(*traceToTheEnd(kBefore), *traceToTheEnd(kAfter));
    EXPECT_EQ(diff.tree.nodes[CallTree::kRoot].total.bytes, 300 + 500 + 50 + 70);
    EXPECT_EQ(diff.tree.nodes[2].self.bytes, 300); // forward
    EXPECT_EQ(diff.tree.nodes[2].total.bytes, 800);
}

TEST(DiffTree, SaysWhatCameWentAndHowMuchOfTheChangeItIs)
{
    const DiffTree diff = treeOf(*traceToTheEnd(kBefore), *traceToTheEnd(kAfter));
    const std::uint32_t attend = 5; // the last node, because it is the only one at its depth
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
    const DiffTree diff = treeOf(*traceToTheEnd(kBefore), *traceToTheEnd(kAfter));
    EXPECT_EQ(diff.tree.functionOf(diff.tree.nodes[2]).file, "/q/m.py"); // forward is in both runs
    EXPECT_EQ(diff.tree.functionOf(diff.tree.nodes[5]).file, "/p/m.py"); // attend is gone
}

TEST(DiffTree, KeepsFunctionsOfOneNameInFilesOfOtherNamesApart)
{
    const auto before = traceToTheEnd("stack A = /p/a.py:3 forward\nalloc a 100 @A\n");
    const auto after = traceToTheEnd("stack A = /p/b.py:3 forward\nalloc a 100 @A\n");
    EXPECT_EQ(outlineOfDiff(treeOf(*before, *after)),
        (Outline{"(all) 100 → 100", ".forward (a.py) 100 → 0", ".forward (b.py) 0 → 100"}));
}

TEST(DiffTree, MatchesByNameWhatHasNoFrames)
{
    const auto before = traceToTheEnd("alloc a 100\n");
    const auto after = traceToTheEnd("alloc a 30\n");
    const Outline lines = outlineOfDiff(treeOf(*before, *after));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(lines[1].starts_with(".(no stack")) << lines[1];
    EXPECT_TRUE(lines[1].ends_with("100 → 30")) << lines[1];
}

TEST(DiffTree, OfARunWithItselfIsThatRunsCallTree)
{
    const auto trace = snapshotTrace("r1-grpo-before");
    for (const CallDirection direction : kBothDirections)
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
        for (const CallDirection direction : kBothDirections)
            for (const FrameDetail detail : kEveryDetail) {
                const DiffTree diff = treeOf(*before, *after, {direction, detail});
                expectSideSumsHold(diff, diff.before);
                expectSideSumsHold(diff, diff.after);
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
        for (const CallDirection direction : kBothDirections)
            for (const FrameDetail detail : kEveryDetail)
                expectMirrored(treeOf(*before, *after, {direction, detail}),
                    treeOf(*after, *before, {direction, detail}));
    }
}

TEST(DiffTree, IsMirroredAndAddsUpOnRealStacks)
{
    for (const char* pair : {"r1-grpo", "r5-flan-t5-xl"}) {
        const auto before = snapshotTrace(pair + std::string("-before"));
        const auto after = snapshotTrace(pair + std::string("-after"));
        for (const FrameDetail detail : kEveryDetail) {
            const DiffTree forth = treeOf(*before, *after, {CallDirection::TopDown, detail});
            expectSideSumsHold(forth, forth.before);
            expectSideSumsHold(forth, forth.after);
            expectWidthsHold(forth);
            expectMirrored(forth, treeOf(*after, *before, {CallDirection::TopDown, detail}));
        }
    }
}

TEST(DiffTree, IsAsWideBottomUpAsTopDown)
{
    const auto before = snapshotTrace("r1-grpo-before");
    const auto after = snapshotTrace("r1-grpo-after");
    EXPECT_EQ(treeOf(*before, *after, {CallDirection::TopDown, FrameDetail::Python}).tree.nodes.front().total,
        treeOf(*before, *after, {CallDirection::BottomUp, FrameDetail::Python}).tree.nodes.front().total);
}

TEST(DiffTree, TellsWhichAllocationsOfEitherRunComeFromAFunction)
{
    const auto before = traceToTheEnd(kBefore);
    const DeviceStudy one(*before, 0);
    const DiffTree diff = treeOf(*before, *traceToTheEnd(kAfter));
    std::vector<bool> forward(diff.tree.nodes.size());
    forward[2] = true;
    const std::vector<bool> members = membersOf(diff.tree, forward, diff.before.endOf);
    Bytes bytes = 0;
    for (std::size_t i = 0; i < members.size(); ++i)
        bytes += members[i] ? one.allocations.bytes(atPeak(one).live[i]) : 0;
    EXPECT_EQ(bytes, 600);
}

} // namespace highwater
