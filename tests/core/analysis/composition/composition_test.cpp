#include "core/analysis/composition/composition.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr GroupKey kAllKeys[] = {GroupKey::Stack, GroupKey::Site, GroupKey::Function, GroupKey::File,
    GroupKey::Size, GroupKey::Stream, GroupKey::Pool, GroupKey::Allocation};

Composition compose(const Trace& trace, std::int64_t event, GroupKey key)
{
    const AllocationTable allocations(trace, 0);
    return compositionAt(trace, allocations, CallSites(trace, allocations), event, key);
}

/// Returns the keys of the groups, without the reason why there is no stack.
std::vector<std::string> keysOf(const Composition& composition)
{
    std::vector<std::string> keys;
    for (const CompositionGroup& group : composition.groups)
        keys.push_back(group.key.starts_with("(no stack: ") ? "(no stack)" : group.key);
    return keys;
}

using Keys = std::vector<std::string>;

const char* const kTwoSites = R"(
    stack f = ??:0 at::empty | /app/a.py:10 f | /app/a.py:1 main
    stack f2 = ??:0 at::zeros | /app/a.py:20 f | /app/a.py:1 main
    stack g = /app/b.py:5 g
    alloc a 100 @f stream=0
    alloc b 100 @f2 stream=7 pool=0,1
    alloc c 300 @g
    alloc d 50
    end
)";

} // namespace

TEST(Composition, GroupsByStackWithPythonFramesInnermostFirst)
{
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::Stack)),
        (Keys{"g (/app/b.py:5)", "f (/app/a.py:10)\nmain (/app/a.py:1)",
            "f (/app/a.py:20)\nmain (/app/a.py:1)", "(no stack)"}));
}

TEST(Composition, GroupsBySite)
{
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::Site)),
        (Keys{"g (/app/b.py:5)", "f (/app/a.py:10)", "f (/app/a.py:20)", "(no stack)"}));
}

TEST(Composition, GroupsByFunctionWhateverTheLine)
{
    const Composition byFunction = compose(*test::traceFromText(kTwoSites), 3, GroupKey::Function);
    EXPECT_EQ(keysOf(byFunction), (Keys{"g (/app/b.py)", "f (/app/a.py)", "(no stack)"}));
    EXPECT_EQ(byFunction.groups[1].bytes, 200);
    EXPECT_EQ(byFunction.groups[1].count, 2);
}

TEST(Composition, GroupsByFile)
{
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::File)),
        (Keys{"/app/b.py", "/app/a.py", "(no stack)"}));
}

TEST(Composition, GroupsByExactSize)
{
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::Size)),
        (Keys{"300 B", "100 B", "50 B"}));
}

TEST(Composition, GroupsByStreamAndPool)
{
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::Stream)),
        (Keys{"stream 0", "stream 7"}));
    EXPECT_EQ(keysOf(compose(*test::traceFromText(kTwoSites), 3, GroupKey::Pool)),
        (Keys{"pool not recorded", "private pool (0, 1): MemPool"}));
}

TEST(Composition, GivesEachAllocationItsOwnKey)
{
    const auto trace = test::traceFromText("alloc a 5\nend\nfinal old 9");
    EXPECT_EQ(keysOf(compose(*trace, 0, GroupKey::Allocation)),
        (Keys{"allocated before recording began at 0x200000000", "event 0 at 0x100000000"}));
}

TEST(Composition, NumbersStacksThatDifferInNativeFramesAlone)
{
    const auto trace = test::traceFromText(
        "stack s = ??:0 one | a.py:1 f\nstack t = ??:0 two | a.py:1 f\nalloc a 2 @s\nalloc b 1 @t\nend");
    EXPECT_EQ(keysOf(compose(*trace, 1, GroupKey::Stack)),
        (Keys{"f (a.py:1)", "f (a.py:1)\n(other C++ frames, variant 2)"}));
}

TEST(Composition, KeepsTheStackOfAFreeApartFromTheSameStackOfAnAllocation)
{
    const auto trace = test::traceFromText(
        "stack s = a.py:1 f\nstack t = a.py:2 g\nalloc a 1 @s\nfree_once old @s\nfree_once a @t");
    const Composition before = compose(*trace, 0, GroupKey::Stack);
    EXPECT_EQ(before.groups.size(), 2u);
}

TEST(Composition, NamesTheLargestAllocationOfAGroup)
{
    const auto trace
        = test::traceFromText("stack s = a.py:1 f\nalloc a 1 @s\nalloc b 5 @s\nalloc c 3 @s\nend");
    EXPECT_EQ(compose(*trace, 2, GroupKey::Site).groups.at(0).example, 1u);
}

TEST(Composition, IsEmptyWhereNothingIsLive)
{
    const Composition empty = compose(*test::traceFromText("alloc a 5\nend"), -1, GroupKey::Site);
    EXPECT_EQ(empty.bytes, 0);
    EXPECT_EQ(empty.count, 0);
    EXPECT_TRUE(empty.groups.empty());
}

TEST(Composition, ComesLargestFirstThenByKey)
{
    const auto trace = test::randomTrace(4, {.maxBytes = 3});
    for (const GroupKey key : kAllKeys) {
        const std::vector<CompositionGroup> groups = compose(*trace, 200, key).groups;
        EXPECT_TRUE(std::is_sorted(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
            return a.bytes > b.bytes;
        })) << toText(key);
    }
}

TEST(Composition, HasDifferentKeysForDifferentGroups)
{
    for (std::uint32_t seed = 0; seed < 5; ++seed)
        for (const GroupKey key : kAllKeys) {
            const Composition composition = compose(*test::randomTrace(seed), 150, key);
            std::set<std::string> keys;
            for (const CompositionGroup& group : composition.groups)
                keys.insert(group.key);
            EXPECT_EQ(keys.size(), composition.groups.size()) << toText(key);
        }
}

TEST(GroupKey, HasATextForEachValue)
{
    for (const GroupKey key : kAllKeys)
        EXPECT_EQ(groupKeyFromText(toText(key)), key);
    EXPECT_EQ(groupKeyFromText("colour"), std::nullopt);
    EXPECT_EQ(groupKeyFromText(""), std::nullopt);
}

TEST(StackText, ShowsNativeFramesOnlyWhereThereIsNoPython)
{
    const auto trace = test::traceFromText("stack s = ??:0 one | ??:0 two\nalloc a 1 @s\nend");
    EXPECT_EQ(stackText(*trace, trace->events.stack[0]), "one\ntwo");
    EXPECT_EQ(stackText(*trace, {}), "");
}

} // namespace highwater
