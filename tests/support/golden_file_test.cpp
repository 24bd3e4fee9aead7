#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/version.h"
#include "tests/support/dump/dump_sections.h"
#include "tests/support/golden_file.h"

namespace highwater::test {

namespace {

/// Returns the dump of a device with this many events, each with one of two stacks.
std::string dumpOf(std::size_t events)
{
    std::string dump = fmt::format("format f history true\ndevice cuda:0 events {}\n", events);
    dump += "segment 7f00 size 512 large stream 0 pool 0,0 s0\n  block 7f00 size 512 requested 8 active s1\n";
    for (std::size_t i = 0; i < events; ++i)
        dump += fmt::format("{} {} {:x} 512 t{} stream 0 pool - s{} pair -1\n", i,
            i % 2 == 0 ? "alloc" : "free", 512 * i, i, i % 2);
    return dump
        + "span step device 0 [0, 9) depth 0\nstack s0\n  py main a.py:1\nstack s1\n  py step a.py:2\n"
          "log info note x1: text\n";
}

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// Returns the sections whose line differs, ignoring the line for the complete text.
std::vector<std::string> changedSections(std::string_view before, std::string_view after)
{
    std::vector<std::string> changed;
    std::string differences = firstDifferences(bySections(before), bySections(after), 1000);
    for (std::size_t at = 0; at < differences.size();) {
        const std::size_t end = differences.find('\n', at);
        const std::string line = differences.substr(at, end - at);
        at = end + 1;
        const std::size_t name = line.find(' ') + 1;
        if (line.starts_with('+') && !line.substr(name).starts_with("whole") && line[name] != ' ')
            changed.push_back(line.substr(name, line.find(':', line.find("–")) - name));
    }
    return changed;
}

using Names = std::vector<std::string>;

} // namespace

TEST(DumpSections, LeaveASmallTextAsItIs)
{
    EXPECT_EQ(bySections(dumpOf(20)), dumpOf(20));
}

TEST(DumpSections, CountWhatTheyHold)
{
    const std::string text = bySections(dumpOf(2500));
    EXPECT_NE(text.find("cuda:0 segments 0–0: block 1 segment 1 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("cuda:0 events 0–999: alloc 500 free 500 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("cuda:0 events 2000–2499: alloc 250 free 250 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("\nspans 0–0: span 1 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("\nstacks 0–1: py 2 stack 2 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("\nimport log 0–0: log 1 ·"), std::string::npos) << text;
    EXPECT_NE(text.find("\nwhole: lines 2510 fnv1a "), std::string::npos) << text;
}

TEST(DumpSections, TellWhereATextChanged)
{
    const std::string dump = dumpOf(2500);
    EXPECT_EQ(changedSections(dump, dump), Names());
    EXPECT_EQ(changedSections(dump, replaced(dump, "t1700 ", "t1701 ")), Names{"cuda:0 events 1000–1999"});
    EXPECT_EQ(changedSections(dump, replaced(dump, "requested 8", "requested 9")),
        (Names{"cuda:0 segments 0–0"})); // the change is also in the first lines, which are shown
    EXPECT_EQ(changedSections(dump, replaced(dump, "[0, 9)", "[0, 8)")), Names{"spans 0–0"});
    EXPECT_EQ(changedSections(dump, replaced(dump, "x1: text", "x2: text")), Names{"import log 0–0"});
}

TEST(DumpSections, OfAStackMoreChangeWhereItIsUsed)
{
    const std::string dump = dumpOf(2500);
    // Event 1700 gets a separate stack, and the last of the previous stacks gets another number.
    std::string more = dump;
    for (std::size_t at = 0; (at = more.find(" s1", at)) != std::string::npos;)
        more.replace(at, 3, " s2");
    more = replaced(more, "t1700 stream 0 pool - s0", "t1700 stream 0 pool - s1");
    more = replaced(more, "stack s2\n", "stack s1\n  py other b.py:3\nstack s2\n");
    const Names changed = changedSections(dump, more);
    EXPECT_EQ(std::count(changed.begin(), changed.end(), "cuda:0 events 1000–1999"), 1);
    EXPECT_EQ(std::count(changed.begin(), changed.end(), "cuda:0 events 0–999"), 0);
    EXPECT_EQ(std::count(changed.begin(), changed.end(), "cuda:0 events 2000–2499"), 0);
    EXPECT_EQ(std::count(changed.begin(), changed.end(), "stacks 0–2"), 1);
}

TEST(FirstDifferences, AreLinesWithTheirNumbers)
{
    EXPECT_EQ(firstDifferences("a\nb\nc\n", "a\nb\nc\n"), "");
    EXPECT_EQ(firstDifferences("a\nb\nc\n", "a\nx\nc\n"), "-2 b\n+2 x\n");
    EXPECT_EQ(firstDifferences("a\nb\nc\n", "a\nc\nd\n"), "-2 b\n+3 d\n");
    EXPECT_EQ(firstDifferences("a\n", "a\nb\nc\nd\n", 2), "+2 b\n+3 c\n… and 1 more\n");
    EXPECT_EQ(firstDifferences("a\n", "a"), "only the line feed at the end differs\n");
}

TEST(WithoutMachine, NamesNoFolderAndNoVersion)
{
    EXPECT_EQ(withoutMachine(
                  std::string("in " HIGHWATER_SOURCE_DIR "/samples by Highwater ") + programVersion() + "."),
        "in <project>/samples by Highwater <version>.");
}

} // namespace highwater::test
