#include "tests/house/local_names.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;
using test::clashesIn;
using test::LocalName;
using test::localNamesOf;

namespace {

std::vector<std::string> namesIn(const std::string& text)
{
    std::vector<std::string> names;
    for (const LocalName& local : localNamesOf("core/base/a.cpp", text))
        names.push_back(local.name);
    return names;
}

std::vector<LocalName> localNamesOfTheHouse()
{
    std::vector<LocalName> all;
    for (const char* top : {"core", "importers", "app", "tests"})
        for (const fs::directory_entry& entry :
            fs::recursive_directory_iterator(fs::path(HIGHWATER_SOURCE_DIR) / top)) {
            if (entry.path().extension() != ".cpp")
                continue;
            const std::string file = fs::relative(entry.path(), HIGHWATER_SOURCE_DIR).generic_string();
            for (LocalName& name : localNamesOf(file, test::readWholeFile(entry.path())))
                all.push_back(std::move(name));
        }
    return all;
}

} // namespace

TEST(LocalNames, DifferInARoom)
{
    const std::vector<LocalName> names = localNamesOfTheHouse();
    EXPECT_GT(names.size(), 3000u);
    for (const std::string& clash : clashesIn(names))
        ADD_FAILURE() << clash;
}

TEST(LocalNames, AreThoseOfAnAnonymousNamespace)
{
    EXPECT_EQ(namesIn("namespace a {\nvoid seen();\nnamespace {\n"
                      "struct Row\n{\n    int kIn;\n};\n"
                      "constexpr int kMax = 3; ///< of them\n"
                      "constexpr std::array<int, 2> kAll{1, 2};\n"
                      "const char* const kTexts[] = {\"a\"};\n"
                      "template <typename T>\nT largest(\n    T a, T b)\n{\n    return f(a);\n}\n"
                      "using Rows = std::vector<Row>;\nusing x::y;\n"
                      "constexpr auto kText = R\"(a\nlong b;\n)\";\n"
                      "void Row::add()\n{\n}\n"
                      "} // namespace\nint open()\n{\n}\nstatic int kCount;\n}"),
        (std::vector<std::string>{"Row", "kMax", "kAll", "kTexts", "largest", "Rows", "kText", "kCount"}));
}

TEST(LocalNames, ClashInOneRoomAlone)
{
    const std::string text = "namespace {\nint sizeOf()\n{\n}\n} // namespace\n";
    const auto clashes = [&](const char* a, const char* b) {
        std::vector<LocalName> names = localNamesOf(a, text);
        for (LocalName& name : localNamesOf(b, text))
            names.push_back(std::move(name));
        return clashesIn(names).size();
    };
    EXPECT_EQ(clashes("core/analysis/diff/a.cpp", "core/analysis/diff/matching/b.cpp"), 1u);
    EXPECT_EQ(clashes("core/run/a.cpp", "core/run/b.cpp"), 1u);
    EXPECT_EQ(clashes("core/analysis/diff/a.cpp", "core/analysis/cut/b.cpp"), 0u);
    EXPECT_EQ(clashes("app/main.cpp", "app/cli/b.cpp"), 0u);
}

TEST(LocalNames, DoNotClashAsTheSameAlias)
{
    const auto clashes = [](const char* a, const char* b) {
        std::vector<LocalName> names = localNamesOf("core/run/a.cpp", a);
        for (LocalName& name : localNamesOf("core/run/b.cpp", b))
            names.push_back(std::move(name));
        return clashesIn(names).size();
    };
    EXPECT_EQ(clashes("namespace {\nusing Json = x::json;\n", "namespace {\nusing Json = x::json;\n"), 0u);
    EXPECT_EQ(clashes("namespace {\nusing Json = x::json;\n", "namespace {\nusing Json = y::json;\n"), 1u);
}

} // namespace highwater
