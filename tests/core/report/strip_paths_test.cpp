#include "core/report/strip_paths.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/report/html/html_report.h"
#include "core/report/json/json_report.h"
#include "core/report/markdown/markdown_report.h"
#include "core/report/privacy/report_texts.h"
#include "tests/support/sample_reports.h"

namespace highwater {

namespace {

/// Words that the program itself never prints.
const std::vector<std::string> kPlanted{"alice", "zebraproject", "zebra-runs", "zebra.dir", "zebra_src"};

void expectNothingPlanted(const std::string& text)
{
    for (const std::string& planted : kPlanted)
        EXPECT_EQ(text.find(planted), std::string::npos) << planted << " in " << text.substr(0, 2000);
}

class Planter
{
public:
    std::string text()
    {
        std::string all;
        for (int i = 0; i < 6; ++i)
            all += sentence() + "\n";
        return all;
    }

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    const std::string& folder() { return kPlanted[below(kPlanted.size())]; }

    std::string path()
    {
        static const std::vector<std::string> roots{"/home/alice/", "/Users/alice/", "~/",
            "C:\\Users\\alice\\", "\\\\server\\alice\\", "file:///home/alice/", "s3://alice/", "/scratch/",
            "./", "../", "zebra_src/", "alice@node1:/data/"};
        static const std::vector<std::string> files{
            "train.py:12", "model.safetensors", "x.cpp:3:1", "run.log", "a.json", "libx.so.2"};
        std::string path = roots[below(roots.size())];
        const char separator = path.find('\\') == std::string::npos ? '/' : '\\';
        for (std::size_t i = below(4); i > 0; --i)
            path += folder() + separator;
        return path + files[below(files.size())];
    }

    std::string sentence()
    {
        static const std::vector<std::pair<std::string, std::string>> around{{"", " main"},
            {"File \"", "\", line 3"}, {"(", ")"}, {"--out=", " --x"}, {"see ", "."}, {"'", "', 3"},
            {"[", "]"}, {"error:", ": not found"}, {"4 GiB/step of alice at ", " and/or more"}};
        const auto& [before, after] = around[below(around.size())];
        return before + path() + after;
    }

    std::mt19937 m_random{1};
};

} // namespace

TEST(WithoutPaths, LeavesNoFolderAndNoNameInAnyString)
{
    Planter planter;
    for (int i = 0; i < 300; ++i) {
        Report report = withoutPaths(reportOf("/home/alice/x.py\n" + planter.text()));
        int texts = 0;
        forEachText(report, [&](std::string& text) {
            ++texts;
            expectNothingPlanted(text);
        });
        EXPECT_GT(texts, 10);
        if (HasFailure())
            break;
    }
}

TEST(WithoutPaths, LeavesNothingForAnyWriter)
{
    const Report report = withoutPaths(reportOf("/home/alice/zebraproject/train.py:12 by alice"));
    expectNothingPlanted(toHtml(report));
    expectNothingPlanted(toJson(report));
    const MarkdownReport markdown = toMarkdown(report, "");
    expectNothingPlanted(markdown.text);
    for (const auto& [name, svg] : markdown.figures)
        expectNothingPlanted(name + svg);
}

TEST(WithoutPaths, ReplacesANameThatAnotherStringGivesAway)
{
    Report report = reportWith(ReportParagraph{"batch of alice"});
    report.subtitle = "/home/alice/x.pickle";
    const Report stripped = withoutPaths(report);
    EXPECT_EQ(stripped.subtitle, "x.pickle");
    EXPECT_EQ(std::get<ReportParagraph>(stripped.sections[0].blocks[0]).text, "batch of user");
}

TEST(WithoutPaths, ChangesNothingWhereThereIsNone)
{
    EXPECT_EQ(toJson(withoutPaths(reportOf("4 GiB/step and/or 7600/8948"))),
        toJson(reportOf("4 GiB/step and/or 7600/8948")));
}

} // namespace highwater
