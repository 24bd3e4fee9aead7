#include "core/figure/layout/flame_layout.h"

#include <gtest/gtest.h>

#include "core/analysis/stacks/call_tree_builder.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

CallTree treeOf(const Trace& trace)
{
    const AllocationTable allocations(trace, 0);
    const CallSites sites(trace, allocations);
    const LiveIndex live(allocations);
    return callTree(trace, allocations, sites,
        liveSet(live, {LiveSetKind::Born, 0, allocations.eventCount()}), CallDirection::TopDown,
        FrameDetail::All);
}

const char* const kThree = R"(
    stack a = a.py:1 f | a.py:9 main
    stack b = b.py:1 g | a.py:9 main
    stack c = c.py:1 h | a.py:9 main
    alloc x 900 @a
    alloc y 96 @b
    alloc z 4 @c
    end
)";

const char* const kChain = R"(
    stack a = a.py:1 f | a.py:4 step | a.py:9 train | a.py:20 main
    stack b = b.py:1 g | a.py:4 step | a.py:9 train | a.py:20 main
    alloc x 900 @a
    alloc y 100 @b
    end
)";

} // namespace

TEST(FlameLayout, GivesEveryFunctionItsShareOfTheWidth)
{
    const std::vector<FlameBox> boxes
        = flameLayout(treeOf(*test::traceFromText(kThree)), FlameWeight::Size, 0, 1000);
    ASSERT_EQ(boxes.size(), 5u);
    EXPECT_EQ(boxes[1].width, 1000);
    EXPECT_EQ(boxes[2].x, 0);
    EXPECT_EQ(boxes[2].width, 900);
    EXPECT_EQ(boxes[3].x, 900);
    EXPECT_EQ(boxes[3].width, 96);
    EXPECT_EQ(boxes[4].row, 2);
}

TEST(FlameLayout, JoinsWhatIsTooNarrowAndKeepsItsSum)
{
    const std::vector<FlameBox> boxes
        = flameLayout(treeOf(*test::traceFromText(kThree)), FlameWeight::Size, 0, 1000, 97);
    ASSERT_EQ(boxes.size(), 4u);
    EXPECT_TRUE(boxes[3].isMerged());
    EXPECT_EQ(boxes[3].mergedCount, 2u);
    EXPECT_EQ(boxes[3].weight, 100);
    EXPECT_EQ(boxes[3].width, 100);
}

TEST(FlameLayout, FocusFillsTheWidthUnderItsCallers)
{
    const CallTree tree = treeOf(*test::traceFromText(kThree));
    const std::vector<FlameBox> boxes = flameLayout(tree, FlameWeight::Size, 3, 500);
    ASSERT_EQ(boxes.size(), 3u);
    for (const FlameBox& box : boxes)
        EXPECT_EQ(box.width, 500);
    EXPECT_EQ(boxes[2].node, 3u);
    EXPECT_EQ(boxes[2].row, 2);
}

TEST(FlameLayout, ChildrenLieWithinTheirParent)
{
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const CallTree tree = treeOf(*test::randomTrace(seed));
        for (const FlameWeight weight : {FlameWeight::Size, FlameWeight::ByteEvents}) {
            const std::vector<FlameBox> boxes = flameLayout(tree, weight, 0, 800, 0);
            std::vector<const FlameBox*> of(tree.nodes.size(), nullptr);
            for (const FlameBox& box : boxes)
                of[box.node] = &box;
            for (const FlameBox& box : boxes) {
                if (box.row == 0)
                    continue;
                const FlameBox& parent = *of[tree.nodes[box.node].parent];
                EXPECT_EQ(parent.row + 1, box.row);
                EXPECT_GE(box.x, parent.x - 1e-6);
                EXPECT_LE(box.x + box.width, parent.x + parent.width + 1e-6);
            }
            EXPECT_EQ(boxes.size(), tree.nodes.size());
        }
    }
}

TEST(FlameLayout, FoldsFramesThatMakeASingleCallIntoOneRow)
{
    const CallTree tree = treeOf(*test::traceFromText(kChain));
    const std::vector<FlameBox> boxes
        = flameLayout(tree, FlameWeight::Size, 0, 1000, 0.5, FlameChains::Folded);
    ASSERT_EQ(boxes.size(), 4u);
    EXPECT_FALSE(boxes[0].isFolded());
    EXPECT_EQ(boxes[1].frameCount, 3u);
    EXPECT_EQ(tree.functionOf(tree.nodes[boxes[1].node]).name, "main");
    EXPECT_EQ(tree.functionOf(tree.nodes[boxes[1].innermost]).name, "step");
    EXPECT_EQ(framesOf(tree, boxes[1]), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(boxes[2].row, 2);
    EXPECT_EQ(boxes[2].width, 900);
}

TEST(FlameLayout, UnfoldsTheChainOfTheFocus)
{
    const CallTree tree = treeOf(*test::traceFromText(kChain));
    for (const std::uint32_t focus : {1u, 2u, 3u}) {
        const auto boxes = flameLayout(tree, FlameWeight::Size, focus, 1000, 0.5, FlameChains::Folded);
        ASSERT_EQ(boxes.size(), 6u);
        EXPECT_EQ(boxes[3].row, 3);
    }
}

TEST(FlameLayout, KeepsAChainAboveTheFocusFolded)
{
    const CallTree tree = treeOf(*test::traceFromText(kChain));
    const auto boxes = flameLayout(tree, FlameWeight::Size, 5, 1000, 0.5, FlameChains::Folded);
    ASSERT_EQ(boxes.size(), 3u);
    EXPECT_TRUE(boxes[1].isFolded());
    EXPECT_EQ(boxes[2].node, 5u);
}

TEST(FlameLayout, DoesNotFoldAFrameThatAllocatesItself)
{
    const CallTree tree = treeOf(*test::traceFromText(R"(
        stack a = a.py:1 f | a.py:4 step | a.py:9 main
        stack b = a.py:4 step | a.py:9 main
        alloc x 900 @a
        alloc y 100 @b
        end
    )"));
    for (const FlameBox& box : flameLayout(tree, FlameWeight::Size, 0, 1000, 0.5, FlameChains::Folded))
        EXPECT_FALSE(box.isFolded());
}

TEST(FlameLayout, IsEmptyForNothing)
{
    EXPECT_TRUE(flameLayout({}, FlameWeight::Size, 0, 100).empty());
    EXPECT_TRUE(
        flameLayout(treeOf(*test::traceFromText("alloc a 0\nend")), FlameWeight::Size, 0, 100).empty());
}

} // namespace highwater
