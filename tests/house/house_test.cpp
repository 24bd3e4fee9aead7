// The rules of the house that a machine can see, on the project's own sources.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/house/include_check.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;
using test::findingsOf;

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
        Offence{"core/trace/a.h", "#include \"core/analysis/allocations.h\""},
        Offence{"core/analysis/a.h", "#include \"core/figure/band_raster.h\""},
        Offence{"core/figure/a.h", "#include \"importers/importer.h\""},
        Offence{"importers/a.h", "#include \"core/analysis/allocations.h\""},
        Offence{"importers/x/a.h", "  #include \"app/loading/load_file.h\""},
        Offence{"app/loading/a.h", "#include \"app/cli/inputs.h\""},
        Offence{"app/cli/a.h", "#include \"app/workspace/selection.h\""},
        Offence{"core/base/a.h", "#include <QString>"}, Offence{"app/cli/a.h", "#include <QtCore/QString>"},
        Offence{"core/figure/a.h", "#include <qcustomplot.h>"},
        Offence{"importers/a.cpp", "#include <thread>"}, Offence{"app/cli/a.cpp", "#include <future>"},
        Offence{"core/trace/a.cpp", "#include \"../base/units.h\""},
        Offence{"core/base/a.h", "#include \"tests/support/random_trace.h\""},
        Offence{"core/attic/a.h", ""}, Offence{"core/trace/a.h", "tsl::robin_map<std::int64_t, int> ids;"},
        Offence{"importers/a.h", "    tsl::robin_set<Address> seen;"}));

TEST(HouseCheck, LeavesWhatIsAllowedAlone)
{
    EXPECT_TRUE(findingsOf("core/analysis/a.h",
        "#include <vector>\n#include \"core/base/units.h\"\n#include \"core/run/run.h\"\n")
                    .empty());
    EXPECT_TRUE(
        findingsOf("app/window/a.h", "#include <QMainWindow>\n#include \"core/figure/band_raster.h\"\n")
            .empty());
    EXPECT_TRUE(findingsOf("app/loading/a.cpp", "#include <thread>\n").empty());
    EXPECT_TRUE(findingsOf("core/base/a.h", "// #include <QString>\n").empty());
    EXPECT_TRUE(findingsOf("core/base/a.h", "tsl::robin_map<std::string_view, int> ids;\n"
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

} // namespace highwater
