#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::ProgramRun;
using test::RunOptions;

namespace {

namespace fs = std::filesystem;

constexpr const char* kProject = R"([project]
name = "high-example"
version = "1.2.3"
description = "An example"
readme = "README.md"
requires-python = ">=3.9"
license = "GPL-3.0-or-later"
authors = [{ name = "Its authors" }]
keywords = ["one", "two"]
classifiers = ["Typing :: Typed"]
[project.scripts]
second = "high_example:second"
first = "high_example:first"
)";

/// The files that a wheel is built from: a package, and a folder with two Debian files.
class Wheel : public testing::Test
{
protected:
    Wheel()
    {
        m_folder.write("python/pyproject.toml", kProject);
        m_folder.write("python/README.md", "# Example\n");
        m_folder.write("python/high_example/__init__.py", "");
        m_folder.write("python/high_example/__pycache__/left_out.pyc", "");
        m_folder.write("LICENSE", "its licence");
        fs::permissions(m_folder.write("tree/bin/highwater", "#!/bin/sh\n"), fs::perms::owner_all);
        fs::permissions(m_folder.write("tree/lib/libone.so.1", "one"), fs::perms(0664));
        m_folder.write("tree/share/man/man1/highwater.1.gz", "");
        m_folder.write("tree/share/doc/highwater/copyright", "of Highwater");
        m_folder.write("tree/share/doc/libraries/libone1", "of one");
        m_folder.write("tree/share/doc/libraries/two-dev", "of two");
        m_folder.write(
            "tree.origins", "lib/libone.so.1\tlibone1\t1:2.0+x\tone\t2.0+x\n-\ttwo-dev\t3\ttwo\t3\n");
    }

    fs::path path(const std::string& name) const { return m_folder.path() / name; }

    ProgramRun layOut() const
    {
        RunOptions options;
        options.program = HIGHWATER_SOURCE_DIR "/resources/packaging/wheel/lay-out";
        options.environment = {{"SOURCE_DATE_EPOCH", "86400"}};
        return runHighwater({path("python").string(), path("tree").string(), path("LICENSE").string(),
                                "py3-none-any", path("out").string()},
            options);
    }

    /// Returns the path of a file in the folder of this version.
    fs::path written(const std::string& name) const { return path("out/high_example-1.2.3") / name; }
    std::string information(const std::string& name) const
    {
        return test::readWholeFile(written("high_example-1.2.3.dist-info/" + name).string());
    }

    test::TemporaryFolder m_folder;
};

} // namespace

TEST_F(Wheel, HasThePackageWithTheProgramsInside)
{
    const ProgramRun run = layOut();
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.out, written("").parent_path().string() + "\n");
    EXPECT_TRUE(fs::exists(written("high_example/__init__.py")));
    EXPECT_FALSE(fs::exists(written("high_example/__pycache__")));
    EXPECT_EQ(fs::status(written("high_example/_bundle/bin/highwater")).permissions(), fs::perms(0755));
    EXPECT_EQ(fs::status(written("high_example/_bundle/lib/libone.so.1")).permissions(), fs::perms(0644));
    EXPECT_FALSE(fs::exists(written("high_example/_bundle/share/man")));
}

TEST_F(Wheel, SaysWhatItIsAsItsProjectDoes)
{
    ASSERT_EQ(layOut().exitCode, 0);
    EXPECT_EQ(information("METADATA"),
        "Metadata-Version: 2.4\nName: high-example\nVersion: 1.2.3\nSummary: An example\nKeywords: one,two\n"
        "Author: Its authors\nLicense-Expression: GPL-3.0-or-later\nLicense-File: LICENSE\n"
        "License-File: copyright\nLicense-File: libraries/libone1\nLicense-File: libraries/two-dev\n"
        "Classifier: Typing :: Typed\nRequires-Python: >=3.9\n"
        "Description-Content-Type: text/markdown; charset=UTF-8\n\n# Example\n");
    EXPECT_EQ(information("entry_points.txt"),
        "[console_scripts]\nfirst = high_example:first\nsecond = high_example:second\n");
    EXPECT_NE(information("WHEEL").find("Tag: py3-none-any\n"), std::string::npos);
}

TEST_F(Wheel, HasTheLicencesOfAllThatIsInside)
{
    ASSERT_EQ(layOut().exitCode, 0);
    EXPECT_EQ(information("licenses/LICENSE"), "its licence");
    EXPECT_EQ(information("licenses/copyright"), "of Highwater");
    EXPECT_EQ(information("licenses/libraries/libone1"), "of one");
    EXPECT_FALSE(fs::exists(written("high_example/_bundle/share/doc/libraries")));
}

TEST_F(Wheel, NamesThePackageThatEachFileComesFrom)
{
    ASSERT_EQ(layOut().exitCode, 0);
    const auto bill = nlohmann::json::parse(information("sboms/high-example.cdx.json"));
    EXPECT_EQ(bill["metadata"]["timestamp"], "1970-01-02T00:00:00Z");
    ASSERT_EQ(bill["components"].size(), 2u);
    const auto& one = bill["components"][0];
    EXPECT_EQ(one["name"], "libone1");
    EXPECT_EQ(one["version"], "1:2.0+x");
    EXPECT_TRUE(one["purl"].get<std::string>().starts_with("pkg:deb/debian/libone1@1%3A2.0%2Bx?arch=amd64"));
    ASSERT_EQ(one["components"].size(), 1u);
    EXPECT_EQ(one["components"][0]["name"], "high_example/_bundle/lib/libone.so.1");
    EXPECT_EQ(one["components"][0]["hashes"][0]["content"],
        "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"); // hash of "one"
    EXPECT_FALSE(bill["components"][1].contains("components"));
}

TEST_F(Wheel, RefusesALinkWhichItCannotHold)
{
    fs::create_symlink("libone.so.1", path("tree/lib/libone.so"));
    const ProgramRun run = layOut();
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_NE(run.err.find("tree/lib/libone.so is a link"), std::string::npos) << run.err;
}

} // namespace highwater
