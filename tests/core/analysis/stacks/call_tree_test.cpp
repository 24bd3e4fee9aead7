#include "core/analysis/stacks/call_tree.h"

#include <numeric>

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/stacks/call_partners.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr CallDirection kDirections[] = {CallDirection::TopDown, CallDirection::BottomUp};
constexpr FrameDetail kDetails[] = {FrameDetail::Own, FrameDetail::Python, FrameDetail::All};

/// A trace with its tables, and all allocations that are live after an event.
struct Subject
{
    explicit Subject(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , sites(*trace, allocations)
        , live(allocations)
    {
    }

    CallTree tree(const LiveSetSpec& spec, CallDirection direction, FrameDetail detail) const
    {
        return callTree(*trace, allocations, sites, liveSet(live, spec), direction, detail);
    }
    CallTree tree(CallDirection direction, FrameDetail detail = FrameDetail::Python) const
    {
        return tree(LiveSetSpec::aliveAt(allocations.eventCount() - 1), direction, detail);
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    CallSites sites;
    LiveIndex live;
};

Subject subject(std::string_view text)
{
    return Subject(test::traceFromText(text));
}

/// Appends "name bytes" of each node, indented by depth, in the order of a fully expanded tree.
void appendNode(const CallTree& tree, std::uint32_t node, std::string& text)
{
    text += std::string(tree.pathTo(node).size(), '.') + tree.label(node) + ' '
        + std::to_string(tree.nodes[node].total.bytes) + '\n';
    for (std::uint32_t i = 0; i < tree.nodes[node].childCount; ++i)
        appendNode(tree, tree.nodes[node].firstChild + i, text);
}

std::string outline(const CallTree& tree)
{
    std::string text;
    appendNode(tree, CallTree::kRoot, text);
    return text;
}

void expectSumsHold(const CallTree& tree, const CountedBytes& total)
{
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const CallNode& node = tree.nodes[i];
        CallWeight sum = node.self;
        for (std::uint32_t k = 0; k < node.childCount; ++k) {
            EXPECT_EQ(tree.nodes[node.firstChild + k].parent, i);
            sum += tree.nodes[node.firstChild + k].total;
        }
        EXPECT_EQ(sum, node.total);
    }
    EXPECT_EQ(tree.nodes.front().total.bytes, total.bytes);
    EXPECT_EQ(tree.nodes.front().total.count, total.count);
}

FunctionId functionNamed(const CallTree& tree, std::string_view name)
{
    for (std::size_t i = 0; i < tree.functions.size(); ++i)
        if (tree.functions[i].name == name)
            return FunctionId(i);
    return {};
}

const char* const kTwoCallers = R"(
    stack a = /app/m.py:10 act | /app/m.py:5 forward | /app/t.py:1 main
    stack b = /app/m.py:12 act | /app/m.py:6 forward | /app/t.py:2 main
    stack c = /app/m.py:12 act | /app/t.py:3 main
    stack d = /app/t.py:9 main
    alloc w 1 @a
    alloc x 20 @b
    alloc y 300 @c
    alloc z 4000 @d
    end
)";

} // namespace

TEST(CallTree, TopDownJoinsFramesOfOneFunctionWhateverItsLine)
{
    EXPECT_EQ(outline(subject(kTwoCallers).tree(CallDirection::TopDown)),
        "(all) 4321\n"
        ".main (t.py) 4321\n"
        "..act (m.py) 300\n"
        "..forward (m.py) 21\n"
        "...act (m.py) 21\n");
}

TEST(CallTree, BottomUpBeginsWithTheFunctionsThatAllocate)
{
    EXPECT_EQ(outline(subject(kTwoCallers).tree(CallDirection::BottomUp)),
        "(all) 4321\n"
        ".main (t.py) 4000\n"
        ".act (m.py) 321\n"
        "..main (t.py) 300\n"
        "..forward (m.py) 21\n"
        "...main (t.py) 21\n");
}

TEST(CallTree, FunctionsOfOneNameInTwoFilesAreTwo)
{
    const Subject two
        = subject("stack a = /x/a.py:1 f\nstack b = /y/a.py:1 f\nalloc p 1 @a\nalloc q 2 @b\nend");
    EXPECT_EQ(two.tree(CallDirection::TopDown).nodes.size(), 3u);
}

TEST(CallTree, LeavesOutRecorderInterpreterAndCallWrappers)
{
    const Subject one = subject(R"(
        stack s = ??:0 torch::unwind::unwind() | ??:0 torch::CapturedTraceback::gather(bool) | ??:0 at::_ops::mul::call() | /src/Python/ceval.c:3 PyEval_EvalCode | /app/a.py:1 f | /usr/lib/python3/dist-packages/torch/nn/modules/module.py:9 _call_impl | /app/a.py:3 main | ??:0 __libc_start_main | ??:0 _start
        alloc a 8 @s
        end
    )");
    EXPECT_EQ(outline(one.tree(CallDirection::TopDown, FrameDetail::All)),
        "(all) 8\n.main (a.py) 8\n..f (a.py) 8\n...at::_ops::mul::call() 8\n");
    EXPECT_EQ(outline(one.tree(CallDirection::TopDown, FrameDetail::Python)),
        "(all) 8\n.main (a.py) 8\n..f (a.py) 8\n");
}

TEST(CallTree, TellsTheLinesOfAFunctionApartIfAsked)
{
    const Subject one = subject(R"(
        stack s = /app/a.py:1 f | /app/a.py:3 main
        stack t = /app/a.py:2 f | /app/a.py:3 main
        alloc a 8 @s
        alloc b 4 @t
        end
    )");
    const LiveSet set = liveSet(one.live, LiveSetSpec::aliveAt(one.allocations.eventCount() - 1));
    EXPECT_EQ(outline(callTree(*one.trace, one.allocations, one.sites, set, CallDirection::TopDown,
                  FrameDetail::Python, FrameLines::Apart)),
        "(all) 12\n.main (a.py:3) 12\n..f (a.py:1) 8\n..f (a.py:2) 4\n");
}

TEST(CallTree, OwnDetailJoinsRunsOfLibraryFrames)
{
    const Subject one = subject(R"(
        stack s = /site-packages/torch/nn/functional.py:1 relu | /site-packages/torch/nn/modules/relu.py:1 forward | /app/a.py:3 main
        alloc a 8 @s
        end
    )");
    EXPECT_EQ(outline(one.tree(CallDirection::TopDown, FrameDetail::Own)),
        "(all) 8\n.main (a.py) 8\n..torch.nn 8\n");
}

TEST(CallTree, NamesStacksWithoutPythonByTheirAutogradNode)
{
    const Subject one = subject("stack s = ??:0 torch::autograd::generated::BmmBackward0::apply(x) | ??:0 "
                                "torch::autograd::Engine::thread_main()\nalloc a 8 @s\nend");
    EXPECT_EQ(outline(one.tree(CallDirection::TopDown)),
        "(all) 8\n.backward (C++ threads) 8\n..backward · BmmBackward0 8\n");
    EXPECT_EQ(outline(one.tree(CallDirection::BottomUp)),
        "(all) 8\n.backward · BmmBackward0 8\n..backward (C++ threads) 8\n");
}

TEST(CallTree, SaysWhyThereIsNoStack)
{
    const std::string lines = outline(subject("alloc a 8\nend").tree(CallDirection::TopDown));
    EXPECT_TRUE(lines.starts_with("(all) 8\n.(no stack: ")) << lines;
}

TEST(CallTree, KeepsWhatTheTraceOnlyFreesApart)
{
    const Subject one = subject("stack s = /app/a.py:1 f | /app/a.py:9 main\nstack t = /app/a.py:2 g\nalloc "
                                "a 512 @s\nfree_once old @s\n"
                                "free_once a @t");
    for (const CallDirection direction : kDirections) {
        const CallTree tree = one.tree(LiveSetSpec::aliveAt(0), direction, FrameDetail::Python);
        ASSERT_EQ(tree.nodes.front().childCount, 2u);
        std::vector<std::string> roots{tree.label(1), tree.label(2)};
        EXPECT_EQ(std::count(roots.begin(), roots.end(), CallPaths::kFreedBySection), 1);
    }
}

TEST(CallTree, SumsHoldInEveryNodeOfEverySet)
{
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        const Subject one(test::randomTrace(seed, {.consistent = seed % 2 == 0}));
        for (const LiveSetSpec& spec : {LiveSetSpec::aliveAt(150), LiveSetSpec{LiveSetKind::Born, 0, 300},
                 LiveSetSpec{LiveSetKind::Freed, 40, 220}, LiveSetSpec{LiveSetKind::Survived, 10, 90}})
            for (const CallDirection direction : kDirections)
                for (const FrameDetail detail : kDetails)
                    expectSumsHold(one.tree(spec, direction, detail), liveSet(one.live, spec).total);
    }
}

TEST(CallTree, ChildrenComeLargestFirst)
{
    const Subject one(test::randomTrace(3));
    const CallTree tree
        = one.tree(LiveSetSpec{LiveSetKind::Born, 0, 300}, CallDirection::BottomUp, FrameDetail::All);
    for (const CallNode& node : tree.nodes)
        for (std::uint32_t k = 1; k < node.childCount; ++k)
            EXPECT_GE(
                tree.nodes[node.firstChild + k - 1].total.bytes, tree.nodes[node.firstChild + k].total.bytes);
}

TEST(CallTree, MembersOfANodeAreAsManyAsItCounts)
{
    const Subject one(test::randomTrace(9));
    for (const CallDirection direction : kDirections) {
        const LiveSet set = liveSet(one.live, {LiveSetKind::Born, 0, 300});
        const CallTree tree = one.tree(set.spec, direction, FrameDetail::All);
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            std::vector<bool> chosen(tree.nodes.size());
            chosen[i] = true;
            CountedBytes sum;
            const std::vector<bool> members = membersOf(tree, chosen);
            for (std::size_t k = 0; k < members.size(); ++k)
                if (members[k])
                    sum.add(one.allocations.bytes(set.allocations[k]));
            EXPECT_EQ(sum.bytes, tree.nodes[i].total.bytes);
            EXPECT_EQ(sum.count, tree.nodes[i].total.count);
        }
    }
}

TEST(CallTree, WeighsBytesByLifetime)
{
    const Subject one = subject("alloc a 10\nalloc b 7\nfree_once a\nend");
    const CallTree tree
        = one.tree(LiveSetSpec{LiveSetKind::Born, 0, 3}, CallDirection::TopDown, FrameDetail::Python);
    EXPECT_EQ(tree.nodes.front().total.byteEvents, 10 * 2 + 7 * 2);
}

TEST(FoldedStacks, HaveOneLineForEachPathThatAllocates)
{
    const char* const lines = "main (t.py) 4000\n"
                              "main (t.py);act (m.py) 300\n"
                              "main (t.py);forward (m.py);act (m.py) 21\n";
    EXPECT_EQ(foldedStacks(subject(kTwoCallers).tree(CallDirection::TopDown)), lines);
}

TEST(FoldedStacks, AreOutermostFirstAlsoFromABottomUpTree)
{
    EXPECT_EQ(foldedStacks(subject(kTwoCallers).tree(CallDirection::BottomUp)),
        "main (t.py) 4000\nmain (t.py);act (m.py) 300\nmain (t.py);forward (m.py);act (m.py) 21\n");
}

TEST(FunctionTotals, CountAStackOnceForAFunctionThatCallsItself)
{
    const Subject one
        = subject("stack s = a.py:1 f | a.py:2 f | a.py:3 g | a.py:4 f | a.py:9 main\nalloc a 8 @s\nend");
    const CallTree tree = one.tree(CallDirection::TopDown);
    for (const FunctionTotal& total : functionTotals(tree))
        EXPECT_EQ(total.inclusive.bytes, 8);
    const CallPartners partners = callPartners(tree, functionNamed(tree, "f"));
    EXPECT_EQ(partners.function.inclusive.bytes, 8);
    EXPECT_EQ(partners.function.self.bytes, 8);
    ASSERT_EQ(partners.callers.size(), 1u);
    EXPECT_EQ(partners.callers[0].function, functionNamed(tree, "main"));
    EXPECT_TRUE(partners.callees.empty());
}

TEST(CallPartners, AreTheNeighboursWithTheirShares)
{
    const CallTree tree = subject(kTwoCallers).tree(CallDirection::TopDown);
    const CallPartners act = callPartners(tree, functionNamed(tree, "act"));
    ASSERT_EQ(act.callers.size(), 2u);
    EXPECT_EQ(act.callers[0].weight.bytes, 300);
    EXPECT_EQ(act.callers[1].weight.bytes, 21);
    const CallPartners main = callPartners(tree, functionNamed(tree, "main"));
    ASSERT_EQ(main.callers.size(), 1u);
    EXPECT_TRUE(main.callers[0].function.isNone());
    EXPECT_EQ(main.function.self.bytes, 4000);
    EXPECT_EQ(main.callees.size(), 2u);
}

TEST(CallPartners, SumToTheFunctionExactly)
{
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        const Subject one(test::randomTrace(seed));
        const CallTree tree
            = one.tree(LiveSetSpec{LiveSetKind::Born, 0, 300}, CallDirection::TopDown, FrameDetail::All);
        CallWeight self;
        for (const FunctionTotal& total : functionTotals(tree)) {
            self += total.self;
            const CallPartners partners = callPartners(tree, total.function);
            EXPECT_EQ(partners.function.inclusive, total.inclusive);
            EXPECT_EQ(partners.function.self, total.self);
            CallWeight callers;
            for (const auto& partner : partners.callers)
                callers += partner.weight;
            CallWeight callees = partners.function.self;
            for (const auto& partner : partners.callees)
                callees += partner.weight;
            EXPECT_EQ(callers, total.inclusive);
            EXPECT_EQ(callees, total.inclusive);
        }
        EXPECT_EQ(self, tree.nodes.front().total);
    }
}

TEST(GroupedAllocations, AreWhatTheirGroupsSay)
{
    const Subject one(test::randomTrace(2));
    const LiveSet set = liveSet(one.live, {LiveSetKind::Born, 0, 300});
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site, GroupKey::Size, GroupKey::Allocation}) {
        const GroupedAllocations grouped
            = groupAllocations(*one.trace, one.allocations, one.sites, set.allocations, key);
        std::vector<Bytes> sums(grouped.composition.groups.size());
        for (std::size_t i = 0; i < set.allocations.size(); ++i)
            sums[grouped.groupOf[i]] += one.allocations.bytes(set.allocations[i]);
        for (std::size_t i = 0; i < sums.size(); ++i)
            EXPECT_EQ(sums[i], grouped.composition.groups[i].bytes) << toText(key);
        EXPECT_EQ(grouped.composition.bytes, set.total.bytes);
    }
}

} // namespace highwater
