#include "core/analysis/diff/run_diff.h"

#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/moved_rows.h"
#include "core/base/json.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/diff/compared_traces.h"
#include "tests/support/import_bytes.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using nlohmann::json;
using test::atPeak;
using test::traceToTheEnd;
using TracePtr = std::shared_ptr<const Trace>;

RunDiff diffOf(const Trace& before, const Trace& after, GroupKey key = GroupKey::Stack)
{
    const DeviceStudy one(before, 0);
    const DeviceStudy other(after, 0);
    return diffRuns(atPeak(one), atPeak(other), key, matchStacks(before, after));
}

void expectSums(const RunDiff& diff)
{
    Bytes before = 0;
    Bytes after = 0;
    std::int64_t count = 0;
    for (const DiffRow& row : diff.rows) {
        before += row.before.bytes;
        after += row.after.bytes;
        count += row.before.count + row.after.count;
    }
    EXPECT_EQ(before, diff.before.bytes);
    EXPECT_EQ(after, diff.after.bytes);
    EXPECT_EQ(count, diff.before.count + diff.after.count);
}

void expectKeysOfTheirOwn(const RunDiff& diff)
{
    std::set<std::string> keys;
    for (const DiffRow& row : diff.rows)
        EXPECT_TRUE(keys.insert(row.key).second) << row.key;
}

/// Bytes before and after, by the code location at the beginning of a row's key.
using Amounts = std::map<std::string, std::pair<Bytes, Bytes>>;

Amounts amountsOf(const RunDiff& diff)
{
    Amounts amounts;
    for (const DiffRow& row : diff.rows) {
        const std::size_t begin = row.key.find('(') + 1;
        amounts[row.key.substr(begin, row.key.find(')') - begin)] = {row.before.bytes, row.after.bytes};
    }
    return amounts;
}

std::map<std::string, Bytes> bytesByKey(const Trace& trace, GroupKey key)
{
    const DeviceStudy study(trace, 0);
    std::map<std::string, Bytes> bytes;
    for (const CompositionGroup& group :
        compositionAt(trace, study.allocations, study.sites, study.curve.peak().event, key).groups)
        bytes[group.key] = group.bytes;
    return bytes;
}

std::vector<Bytes> sortedDeltas(const RunDiff& diff, Bytes sign)
{
    std::vector<Bytes> deltas;
    for (const DiffRow& row : diff.rows)
        deltas.push_back(sign * row.delta());
    std::sort(deltas.begin(), deltas.end());
    return deltas;
}

constexpr std::array kKeys = {GroupKey::Stack, GroupKey::Site, GroupKey::Function, GroupKey::File,
    GroupKey::Size, GroupKey::Stream, GroupKey::Pool, GroupKey::Module, GroupKey::Category};

/// Returns allocations in neighbouring lines of two functions, called from two places.
TracePtr runOfLines(std::mt19937& random)
{
    std::string text;
    for (int line = 10; line < 26; ++line)
        if (random() % 2 == 0)
            text += fmt::format("stack S{0} = a.py:{0} f{1} | b.py:{2} main\nalloc a{0} {3} @S{0}\n", line,
                line / 18, 1 + random() % 2, 1 + random() % 1000);
    return traceToTheEnd(text);
}

/// Applies an edit of the user's files to a snapshot: lines inserted at the top, the folder renamed.
json edited(json value)
{
    if (value.is_object() && value.contains("filename")) {
        const auto file = value["filename"].get<std::string>();
        if (file.find("site-packages") == std::string::npos && file.ends_with(".py")) {
            value["filename"] = "/elsewhere/renamed/" + file.substr(file.rfind('/') + 1);
            value["line"] = value["line"].get<int>() + 10;
        }
    }
    if (value.is_structured())
        for (json& child : value)
            child = edited(child);
    return value;
}

} // namespace

TEST(RunDiff, OfARunWithItselfIsZero)
{
    const auto trace = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    for (const GroupKey key : kKeys) {
        const RunDiff diff = diffOf(*trace, *trace, key);
        EXPECT_EQ(diff.delta(), 0);
        for (const DiffRow& row : diff.rows) {
            EXPECT_EQ(row.status(), DiffStatus::Same) << row.key;
            EXPECT_EQ(row.before.count, row.after.count);
            EXPECT_FALSE(row.isLoose);
        }
        expectKeysOfTheirOwn(diff);
    }
}

TEST(RunDiff, HasRowsThatSumToBothTotals)
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const auto before = test::randomTrace(seed);
        const auto after = test::randomTrace(seed + 1000);
        for (const GroupKey key : kKeys)
            expectSums(diffOf(*before, *after, key));
    }
}

TEST(RunDiff, IsNegatedByExchangingTheRuns)
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const auto before = test::randomTrace(seed);
        const auto after = test::randomTrace(seed + 1000);
        for (const GroupKey key : kKeys) {
            std::vector<Bytes> forth;
            std::vector<Bytes> back;
            for (const DiffRow& row : diffOf(*before, *after, key).rows)
                forth.push_back(row.delta());
            for (const DiffRow& row : diffOf(*after, *before, key).rows)
                back.push_back(-row.delta());
            std::sort(forth.begin(), forth.end());
            std::sort(back.begin(), back.end());
            EXPECT_EQ(forth, back) << toText(key) << " " << seed;
        }
    }
}

TEST(RunDiff, HasNoTwoRowsOfOneKey)
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const auto before = test::randomTrace(seed);
        const auto after = test::randomTrace(seed + 1000);
        for (const GroupKey key : kKeys)
            expectKeysOfTheirOwn(diffOf(*before, *after, key));
    }
}

TEST(RunDiff, TellsRowsApartWhoseStacksDifferInCppFramesAlone)
{
    const std::string stacks = "stack A = ??:0 at::one | a.py:1 f\nstack B = ??:0 at::two | a.py:1 f\n"
                               "stack C = ??:0 at::three | b.py:1 g\nstack D = ??:0 at::four | b.py:1 g\n";
    const auto before = traceToTheEnd(stacks + "alloc a 100 @A\nalloc b 50 @B\nalloc c 10 @C\n");
    const auto after = traceToTheEnd(stacks + "alloc a 10 @A\nalloc b 70 @B\nalloc d 30 @D\n");
    const RunDiff diff = diffOf(*before, *after);
    expectKeysOfTheirOwn(diff);
    expectSums(diff);
    EXPECT_EQ(diff.rows.size(), 3u); // C and D are joined, because they have the same user code
}

TEST(RunDiff, ComparesAStackThatBothRunsHaveWithItself)
{
    const auto before = traceToTheEnd("stack A = a.py:10 f | b.py:1 main\nstack B = a.py:12 f | b.py:1 main\n"
                                      "alloc a 100 @A\nalloc b 200 @B\n");
    const auto after = traceToTheEnd("stack A = a.py:10 f | b.py:1 main\nstack N = a.py:11 f | b.py:1 main\n"
                                     "stack B = a.py:13 f | b.py:1 main\n"
                                     "alloc a 101 @A\nalloc n 7 @N\nalloc b 202 @B\n");
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site}) {
        const RunDiff diff = diffOf(*before, *after, key);
        EXPECT_EQ(amountsOf(diff),
            (Amounts{{"a.py:10", {100, 101}}, {"a.py:11", {0, 7}}, {"a.py:13", {200, 202}}}));
        expectKeysOfTheirOwn(diff);
    }
}

TEST(RunDiff, LosesNoRowToALineThatHasNotMoved)
{
    // All lines moved down by one, so two of three are where other lines were.
    const auto before = traceToTheEnd("stack A = a.py:10 f | b.py:1 main\nstack B = a.py:11 f | b.py:1 main\n"
                                      "stack C = a.py:12 f | b.py:1 main\n"
                                      "alloc a 100 @A\nalloc b 200 @B\nalloc c 300 @C\n");
    const auto after = traceToTheEnd("stack A = a.py:11 f | b.py:1 main\nstack B = a.py:12 f | b.py:1 main\n"
                                     "stack C = a.py:13 f | b.py:1 main\n"
                                     "alloc a 100 @A\nalloc b 200 @B\nalloc c 300 @C\n");
    EXPECT_EQ(amountsOf(diffOf(*before, *after)),
        (Amounts{{"a.py:11", {200, 100}}, {"a.py:12", {300, 200}}, {"a.py:13", {100, 300}}}));
    EXPECT_EQ(amountsOf(diffOf(*after, *before)),
        (Amounts{{"a.py:10", {300, 100}}, {"a.py:11", {100, 200}}, {"a.py:12", {200, 300}}}));
}

TEST(RunDiff, NeverCallsNewOrGoneWhatBothRunsHave)
{
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        const auto before = runOfLines(random);
        const auto after = runOfLines(random);
        for (const GroupKey key : {GroupKey::Stack, GroupKey::Site}) {
            const RunDiff diff = diffOf(*before, *after, key);
            const auto ofBefore = bytesByKey(*before, key);
            const auto ofAfter = bytesByKey(*after, key);
            expectSums(diff);
            expectKeysOfTheirOwn(diff);
            for (const DiffRow& row : diff.rows)
                if (ofBefore.contains(row.key) && ofAfter.contains(row.key)) {
                    EXPECT_EQ(row.before.bytes, ofBefore.at(row.key)) << i << " " << row.key;
                    EXPECT_EQ(row.after.bytes, ofAfter.at(row.key)) << i << " " << row.key;
                }
            EXPECT_EQ(sortedDeltas(diff, 1), sortedDeltas(diffOf(*after, *before, key), -1)) << i;
        }
    }
}

TEST(RunDiff, IsNegatedByExchangingRunsWithManyStacksOfOneLine)
{
    const auto runOf = [](int first, int last) {
        std::string text;
        for (int i = first; i < last; ++i)
            text += fmt::format("stack S{0} = /v/site-packages/torch/f.py:5 g{1} | a.py:1 f\n"
                                "alloc a{0} {2} @S{0}\n",
                i, i * 37 % 1'000, 1 + i * i % 1'009);
        return traceToTheEnd(text);
    };
    const auto before = runOf(0, 400);
    const auto after = runOf(100, 700);
    const RunDiff diff = diffOf(*before, *after);
    expectSums(diff);
    expectKeysOfTheirOwn(diff);
    EXPECT_EQ(diff.rows.size(), 600u); // 300 in both runs, 100 matched loosely
    EXPECT_EQ(sortedDeltas(diff, 1), sortedDeltas(diffOf(*after, *before), -1));
}

TEST(RunDiff, FindsAFunctionOfManyLinesInItself)
{
    std::string text;
    for (int line = 1; line <= 300; ++line)
        text += fmt::format("stack S{0} = a.py:{0} f\nalloc a{0} 100 @S{0}\n", line);
    const auto trace = traceToTheEnd(text);
    const RunDiff diff = diffOf(*trace, *trace);
    EXPECT_EQ(diff.rows.size(), 300u);
    for (const DiffRow& row : diff.rows)
        EXPECT_EQ(row.status(), DiffStatus::Same) << row.key;
}

/// Stacks of ten out of 3,000 frames, which an identity hash would put into a few buckets.
TEST(RunDiff, ComparesManyDifferentStacks)
{
    std::mt19937 random(1);
    TraceBuilder builder;
    std::vector<FrameId> frames;
    for (int i = 0; i < 3'000; ++i)
        frames.push_back(builder.stacks().internFrame({builder.strings().intern(fmt::format("f{}", i)),
            builder.strings().intern(fmt::format("/w/m{}.py", i % 50)), i, FrameKind::Python, {}}));
    for (std::uint32_t i = 0; i < 16'000; ++i) {
        std::vector<FrameId> stack;
        for (int depth = 0; depth < 10; ++depth)
            stack.push_back(frames[random() % frames.size()]);
        builder.addEvent({Action::Alloc, 0x7f0000000000 + Address{i} * 1024, 1024, 0, builder.stream(0),
            builder.stacks().internStack(stack), {}, {}, {}});
    }
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 16'000}});
    const auto trace = builder.finish();
    const RunDiff diff = diffOf(*trace, *trace);
    EXPECT_EQ(diff.rows.size(), 16'000u);
    EXPECT_TRUE(std::all_of(diff.rows.begin(), diff.rows.end(),
        [](const DiffRow& row) { return row.status() == DiffStatus::Same; }));
    expectKeysOfTheirOwn(diff);
}

TEST(RunDiff, SaysWhatGrewShrankCameAndWent)
{
    const auto before
        = traceToTheEnd("stack A = a.py:1 f\nstack B = a.py:2 g\nstack C = a.py:3 h\nstack D = a.py:4 i\n"
                        "alloc a 100 @A\nalloc b 100 @B\nalloc c 100 @C\nalloc d 100 @D\n");
    const auto after
        = traceToTheEnd("stack A = a.py:1 f\nstack B = a.py:2 g\nstack C = a.py:3 h\nstack E = a.py:9 j\n"
                        "alloc a 300 @A\nalloc b 50 @B\nalloc c 100 @C\nalloc e 7 @E\n");
    std::map<std::string, DiffStatus> status;
    for (const DiffRow& row : diffOf(*before, *after).rows)
        status[row.key.substr(0, 1)] = row.status();
    EXPECT_EQ(status,
        (std::map<std::string, DiffStatus>{{"f", DiffStatus::Grew}, {"g", DiffStatus::Shrank},
            {"h", DiffStatus::Same}, {"i", DiffStatus::Gone}, {"j", DiffStatus::New}}));
}

TEST(RunDiff, PutsTheLargestDifferenceFirst)
{
    const auto before
        = traceToTheEnd("stack A = a.py:1 f\nstack B = a.py:2 g\nalloc a 100 @A\nalloc b 900 @B\n");
    const auto after
        = traceToTheEnd("stack A = a.py:1 f\nstack B = a.py:2 g\nalloc a 200 @A\nalloc b 100 @B\n");
    EXPECT_EQ(diffOf(*before, *after).rows.front().delta(), -800);
}

TEST(RunDiff, MatchesStacksWhoseLinesMoved)
{
    const auto before
        = traceToTheEnd("stack A = a.py:10 f | a.py:50 main\nstack B = a.py:20 f | a.py:51 main\n"
                        "alloc a 100 @A\nalloc b 200 @B\n");
    const auto after
        = traceToTheEnd("stack A = a.py:20 f | a.py:60 main\nstack B = a.py:30 f | a.py:61 main\n"
                        "alloc a 101 @A\nalloc b 202 @B\n");
    const RunDiff diff = diffOf(*before, *after);
    ASSERT_EQ(diff.rows.size(), 2u);
    EXPECT_EQ(diff.rows[0].before.bytes, 200);
    EXPECT_EQ(diff.rows[0].after.bytes, 202);
    EXPECT_EQ(diff.rows[1].before.bytes, 100);
    EXPECT_EQ(diff.rows[1].after.bytes, 101);
    EXPECT_FALSE(diff.rows[0].beforeKey.empty());
}

TEST(RunDiff, MatchesLooselyWhatDiffersBelowTheUsersCode)
{
    const std::string library = "/v/site-packages/torch/nn/functional.py:";
    const auto before
        = traceToTheEnd("stack A = " + library + "5 old_name | train.py:7 step\nalloc a 100 @A\n");
    const auto after
        = traceToTheEnd("stack A = " + library + "9 new_name | train.py:7 step\nalloc a 150 @A\n");
    const RunDiff diff = diffOf(*before, *after);
    ASSERT_EQ(diff.rows.size(), 1u);
    EXPECT_TRUE(diff.rows[0].isLoose);
    EXPECT_EQ(diff.rows[0].status(), DiffStatus::Grew);
}

TEST(RunDiff, TellsTheRatioOfSizesWhereAllAreOfOneSize)
{
    const auto before = traceToTheEnd("stack A = a.py:1 f\nalloc a 400 @A\nalloc b 400 @A\n");
    const auto after = traceToTheEnd("stack A = a.py:1 f\nalloc a 100 @A\n");
    const RunDiff diff = diffOf(*before, *after);
    EXPECT_EQ(diff.rows.at(0).sizeRatio(), 0.25);
    const auto mixed = traceToTheEnd("stack A = a.py:1 f\nalloc a 100 @A\nalloc b 90 @A\n");
    EXPECT_EQ(diffOf(*before, *mixed).rows.at(0).sizeRatio(), std::nullopt);
}

TEST(RunDiff, TellsTheRowOfEveryAllocation)
{
    const auto before
        = traceToTheEnd("stack A = a.py:1 f\nstack B = a.py:2 g\nalloc a 100 @A\nalloc b 900 @B\n");
    const RunDiff diff = diffOf(*before, *before);
    std::vector<Bytes> sums(diff.rows.size());
    const DeviceStudy study(*before, 0);
    const DiffInput input = atPeak(study);
    for (std::size_t i = 0; i < input.live.size(); ++i)
        sums[diff.after.rowOf[i]] += study.allocations.bytes(input.live[i]);
    for (std::size_t row = 0; row < sums.size(); ++row)
        EXPECT_EQ(sums[row], diff.rows[row].after.bytes);
}

TEST(RunDiff, IsNotChangedByAnEditAboveAndANewFolder)
{
    const std::string text = test::readWholeFile(test::samplePath("encodings/tiny.json"));
    const auto before = test::importBytes(text)->trace;
    const auto after = test::importBytes(edited(parseJson(text)).dump())->trace;
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site, GroupKey::Function, GroupKey::File}) {
        const RunDiff diff = diffOf(*before, *after, key);
        EXPECT_FALSE(diff.rows.empty());
        EXPECT_EQ(diff.rows.size(), diffOf(*before, *before, key).rows.size());
        for (const DiffRow& row : diff.rows) {
            EXPECT_EQ(row.status(), DiffStatus::Same) << row.key;
            EXPECT_FALSE(row.isLoose) << row.key;
        }
    }
}

TEST(ShortKey, IsTheInnermostLineOfTheUsersOwnCode)
{
    EXPECT_EQ(
        shortKey("softmax (/v/site-packages/torch/f.py:1)\nstep (/run/train.py:7)\nmain (/run/train.py:9)"),
        "step (/run/train.py:7)");
    EXPECT_EQ(shortKey("linear (/v/site-packages/torch/f.py:1)"), "linear (/v/site-packages/torch/f.py:1)");
    EXPECT_EQ(shortKey("backward · MulBackward0"), "backward · MulBackward0");
}

TEST(ShortKey, IsTheCallerOfWhatOnlySpellsOperators)
{
    EXPECT_EQ(shortKey("einsum (/v/site-packages/einops/e.py:1)\nattend (/run/model.py:7)"),
        "attend (/run/model.py:7)");
    EXPECT_EQ(shortKey("forward (/v/site-packages/transformers/t5.py:1)\nstep (/run/train.py:7)"),
        "forward (/v/site-packages/transformers/t5.py:1)");
}

TEST(ShortKey, OfCppFramesIsTheAutogradNode)
{
    EXPECT_EQ(shortKey("at::bmm(at::Tensor const&) (.isra.0)\n"
                       "torch::autograd::generated::BmmBackward0::apply(std::vector<at::Tensor>&&)"),
        "backward · BmmBackward0");
}

TEST(MovedRows, AreThoseThatTheOtherRunHasHadAtAnotherMoment)
{
    const std::string stacks = "stack a = model.py:1 forward\nstack b = model.py:2 step\n";
    // The peak before the fix is in forward; after it, the peak is in the step, whose blocks are the same.
    const TracePtr before
        = test::traceFromText(stacks + "alloc x 9MiB @a\nfree x\nalloc y 4MiB @b\nfree y\nend\n");
    const TracePtr after
        = test::traceFromText(stacks + "alloc x 1MiB @a\nfree x\nalloc y 4MiB @b\nfree y\nend\n");
    const DeviceStudy one(*before, 0);
    const DeviceStudy other(*after, 0);
    const StackClasses classes = matchStacks(*before, *after);
    RunDiff diff = diffRuns(atPeak(one), atPeak(other), GroupKey::Stack, classes);
    markMovedRows(atPeak(one), atPeak(other), classes, diff);
    ASSERT_EQ(diff.rows.size(), 2u);
    for (const DiffRow& row : diff.rows) {
        const bool isStep = row.after.bytes > 0;
        EXPECT_EQ(row.status(), isStep ? DiffStatus::New : DiffStatus::Gone) << row.key;
        EXPECT_EQ(row.isMoved, isStep) << "what is gone was never as large after";
    }
}

} // namespace highwater
