// Checks the house rules on the project's own sources, as far as a program can.
#include <filesystem>
#include <initializer_list>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/house/include_check.h"
#include "tests/house/include_graph.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;
using test::findingsOf;
using test::Include;
using test::includesOf;

namespace {

std::vector<std::string> sourcesBelow(const std::string& top)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry :
        fs::recursive_directory_iterator(fs::path(HIGHWATER_SOURCE_DIR) / top))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
            names.push_back(fs::relative(entry.path(), HIGHWATER_SOURCE_DIR).generic_string());
    return names;
}

/// Returns the includes of all files that are compiled into the programs.
std::vector<Include> includesOfTheHouse()
{
    std::vector<Include> all;
    for (const char* top : {"core", "importers", "app"})
        for (const std::string& name : sourcesBelow(top))
            for (Include& include :
                includesOf(name, test::readWholeFile(fs::path(HIGHWATER_SOURCE_DIR) / name)))
                all.push_back(std::move(include));
    return all;
}

} // namespace

class House : public testing::TestWithParam<const char*>
{
};

TEST_P(House, IsInOrder)
{
    const std::vector<std::string> names = sourcesBelow(GetParam());
    EXPECT_GT(names.size(), 10u);
    for (const std::string& name : names)
        for (const std::string& finding :
            findingsOf(name, test::readWholeFile(fs::path(HIGHWATER_SOURCE_DIR) / name)))
            ADD_FAILURE() << finding;
}

TEST(HouseGraph, HasNoCircleOfFiles)
{
    const std::vector<Include> includes = includesOfTheHouse();
    EXPECT_GT(includes.size(), 3000u);
    for (const std::string& circle : test::circlesOfFiles(includes))
        ADD_FAILURE() << circle;
}

TEST(HouseGraph, HasNoCycleOfFolders)
{
    const std::vector<Include> includes = includesOfTheHouse();
    EXPECT_GT(includes.size(), 3000u);
    for (const std::string& cycle : test::cyclesOfFolders(includes))
        ADD_FAILURE() << cycle;
}

TEST(HouseFolders, HoldAtMostFortyFiles)
{
    std::map<std::string, int> filesIn;
    for (const char* top : {"core", "importers", "app", "tests", "resources"})
        for (const fs::directory_entry& entry :
            fs::recursive_directory_iterator(fs::path(HIGHWATER_SOURCE_DIR) / top))
            if (entry.is_regular_file())
                ++filesIn[fs::relative(entry.path().parent_path(), HIGHWATER_SOURCE_DIR).generic_string()];
    EXPECT_GT(filesIn.size(), 50u);
    for (const auto& [folder, files] : filesIn)
        EXPECT_LE(files, 40) << folder << ": divide it by the questions that its files answer";
}

INSTANTIATE_TEST_SUITE_P(Folders, House, testing::Values("core", "importers", "app"));

struct Offence
{
    const char* name;
    const char* text;
};

class HouseCheck : public testing::TestWithParam<Offence>
{
};

TEST_P(HouseCheck, FindsTheOffence)
{
    EXPECT_EQ(findingsOf(GetParam().name, GetParam().text).size(), 1u)
        << GetParam().name << ": " << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Offences, HouseCheck,
    testing::Values(Offence{"core/base/a.h", "#include \"core/trace/trace.h\""},
        Offence{"core/trace/a.h", "#include \"core/analysis/usage/allocations.h\""},
        Offence{"core/analysis/a.h", "#include \"core/figure/raster/band_raster.h\""},
        Offence{"core/figure/a.h", "#include \"importers/importer.h\""},
        Offence{"importers/a.h", "#include \"core/analysis/usage/allocations.h\""},
        Offence{"importers/x/a.h", "  #include \"app/loading/load_file.h\""},
        Offence{"app/loading/a.h", "#include \"app/cli/input/inputs.h\""},
        Offence{"app/cli/a.h", "#include \"app/workspace/view/selection.h\""},
        Offence{"app/workspace/a.h", "#include \"app/timeline/lane_strip.h\""},
        Offence{"app/timeline/a.h", "#include \"app/models/log_model.h\""},
        Offence{"app/models/a.h", "#include \"app/views/log/log_view.h\""},
        Offence{"app/views/a.h", "#include \"app/window/main/main_window.h\""},
        Offence{"app/window/a.h", "#include \"app/cli/input/inputs.h\""}, Offence{"app/a.cpp", ""},
        Offence{"core/base/a.h", "#include <QString>"}, Offence{"app/cli/a.h", "#include <QtCore/QString>"},
        Offence{"core/figure/a.h", "#include <qcustomplot.h>"},
        Offence{"importers/a.cpp", "#include <thread>"}, Offence{"app/cli/a.cpp", "#include <future>"},
        Offence{"core/trace/a.cpp", "#include \"../base/units.h\""},
        Offence{"core/base/a.h", "#include \"tests/support/random_trace.h\""}, Offence{"core/attic/a.h", ""},
        Offence{"core/trace/a.h", "tsl::robin_map<std::int64_t, int> ids;"},
        Offence{"importers/a.h", "    tsl::robin_set<Address> seen;"},
        Offence{"app/views/a.cpp", "    , m_text(new QPlainTextEdit(this))"},
        Offence{"app/views/a.cpp", "painter.setPen(QColor(0xb2, 0x38, 0x1b));"},
        Offence{"app/views/a.cpp", "return FigurePalette::of(m_colors.dark);"}));

TEST(HouseCheck, LeavesWhatIsAllowedAlone)
{
    EXPECT_TRUE(findingsOf("core/analysis/a.h",
        "#include <vector>\n#include \"core/base/units.h\"\n#include \"core/run/run.h\"\n")
                    .empty());
    EXPECT_TRUE(findingsOf(
        "app/window/a.h", "#include <QMainWindow>\n#include \"core/figure/raster/band_raster.h\"\n")
                    .empty());
    EXPECT_TRUE(findingsOf("app/loading/a.cpp", "#include <thread>\n").empty());
    EXPECT_TRUE(findingsOf("core/base/a.h", "// #include <QString>\n").empty());
    EXPECT_TRUE(findingsOf("core/base/a.h",
        "tsl::robin_map<std::string_view, int> ids;\n"
        "tsl::robin_map<Frame, int, FrameHash> frames;\n")
                    .empty());
}

TEST(HouseCheck, FindsFilesThatAreTooLong)
{
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "\n";
    EXPECT_TRUE(findingsOf("core/base/a.h", text).empty());
    EXPECT_EQ(findingsOf("core/base/a.h", text + "\n").size(), 1u);
}

namespace {

/// Returns the includes of files written as "core/a/x.cpp: core/a/x.h core/b/y.h".
std::vector<Include> includesFrom(std::initializer_list<std::string> files)
{
    std::vector<Include> includes;
    for (const std::string& file : files) {
        const std::size_t colon = file.find(':');
        std::istringstream targets(file.substr(colon + 1));
        for (std::string target; targets >> target;)
            includes.push_back({file.substr(0, colon), target});
    }
    return includes;
}

} // namespace

TEST(IncludeGraph, ReadsTheIncludesOfAFile)
{
    const std::vector<Include> includes = includesOf(
        "core/a/x.cpp", "#include \"core/a/x.h\"\n// #include <map>\n  #include <vector>\nint x;\n");
    ASSERT_EQ(includes.size(), 2u);
    EXPECT_EQ(includes[0].from, "core/a/x.cpp");
    EXPECT_EQ(includes[0].to, "core/a/x.h");
    EXPECT_EQ(includes[1].to, "vector");
}

TEST(IncludeGraph, LeavesFilesInOrderAlone)
{
    const std::vector<Include> includes = includesFrom({"core/b/y.cpp: core/b/y.h core/a/x.h vector",
        "core/b/y_notes.cpp: core/b/y.h core/a/x.h", "core/a/x.cpp: core/a/x.h", "core/a/x.h: core/a/z.h"});
    EXPECT_TRUE(test::circlesOfFiles(includes).empty());
    EXPECT_TRUE(test::cyclesOfFolders(includes).empty());
}

TEST(IncludeGraph, FindsCirclesOfFilesThroughTheirSources)
{
    // No header includes itself through others, but x and y cannot be understood without each other.
    const std::vector<std::string> circles = test::circlesOfFiles(
        includesFrom({"core/a/x.cpp: core/a/x.h core/a/y.h", "core/a/y.cpp: core/a/y.h core/a/x.h",
            "core/a/z.cpp: core/a/z.h core/a/x.h", "core/a/y.h: core/a/end.h"}));
    ASSERT_EQ(circles.size(), 1u);
    EXPECT_EQ(circles[0],
        "core/a/x -> core/a/y -> core/a/x\n"
        "  core/a/x.cpp includes core/a/y.h\n"
        "  core/a/y.cpp includes core/a/x.h");
}

TEST(IncludeGraph, FindsAFileThatItsOwnPartIncludes)
{
    EXPECT_EQ(test::circlesOfFiles(
                  includesFrom({"app/w/x.cpp: app/w/x.h app/w/x_notes.h", "app/w/x_notes.cpp: app/w/x.h"}))
                  .size(),
        1u);
}

TEST(IncludeGraph, FindsCyclesOfFoldersWithoutACircleOfFiles)
{
    const std::vector<Include> includes
        = includesFrom({"core/a/x.cpp: core/b/y.h", "core/b/z.cpp: core/a/w.h", "core/c/v.cpp: core/a/x.h"});
    EXPECT_TRUE(test::circlesOfFiles(includes).empty());
    const std::vector<std::string> cycles = test::cyclesOfFolders(includes);
    ASSERT_EQ(cycles.size(), 1u);
    EXPECT_EQ(cycles[0],
        "core/a -> core/b -> core/a\n"
        "  core/a/x.cpp includes core/b/y.h\n"
        "  core/b/z.cpp includes core/a/w.h");
}

TEST(IncludeGraph, TellsAFolderFromThoseBelowIt)
{
    EXPECT_EQ(
        test::cyclesOfFolders(includesFrom({"core/a/all.cpp: core/a/b/y.h", "core/a/b/y.cpp: core/a/base.h"}))
            .size(),
        1u);
    EXPECT_TRUE(test::cyclesOfFolders(includesFrom({"core/a/all.cpp: core/a/b/y.h core/a/base.h"})).empty());
}

TEST(IncludeGraph, NamesAShortestWayRoundAndHowManyAreInIt)
{
    // a, b and c reach each other in a long cycle, b and c also in a short one. d and e form another cycle.
    const std::vector<std::string> cycles = test::cyclesOfFolders(includesFrom({"a/1.h: b/1.h",
        "b/1.h: c/1.h", "c/1.h: a/2.h", "c/2.h: b/2.h", "e/1.h: d/1.h a/1.h", "d/2.h: e/2.h"}));
    ASSERT_EQ(cycles.size(), 2u);
    EXPECT_TRUE(cycles[0].starts_with("b -> c -> b (of 3 that all lead to each other)\n")) << cycles[0];
    EXPECT_TRUE(cycles[1].starts_with("d -> e -> d\n")) << cycles[1];
}

TEST(IncludeGraph, NamesSomeOfManyIncludes)
{
    std::vector<Include> includes = {{"b/x.h", "a/x.h"}};
    for (int i = 0; i < 7; ++i)
        includes.push_back({"a/" + std::to_string(i) + ".h", "b/y.h"});
    const std::vector<std::string> cycles = test::cyclesOfFolders(includes);
    ASSERT_EQ(cycles.size(), 1u);
    EXPECT_NE(cycles[0].find("a/4.h includes b/y.h\n  and 2 more like it\n"), std::string::npos) << cycles[0];
}

} // namespace highwater
