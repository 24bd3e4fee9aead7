// Checks that content that is not a recording is named correctly.
#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::string refusalOf(const Result<ImportedTrace>& imported)
{
    return imported ? "opened" : imported.error().message;
}

std::string noteOf(const Result<ImportedTrace>& imported, std::string_view code)
{
    if (imported)
        for (const ImportLogEntry& entry : imported->trace->log.entries())
            if (entry.code == code)
                return entry.message;
    return {};
}

} // namespace

TEST(ForeignContent, PointersSayHowToGetTheFile)
{
    for (const char* file : {"git-lfs-pointer.pickle", "git-lfs-pointer.sqlite"}) {
        const std::string said = refusalOf(openTrace(test::samplePath(std::string("foreign/") + file), {}));
        EXPECT_NE(said.find("Git LFS pointer to 5.72 MiB"), std::string::npos) << said;
        EXPECT_NE(said.find("git lfs pull"), std::string::npos) << said;
    }
    EXPECT_NE(
        refusalOf(openTrace(test::samplePath("foreign/git-annex-pointer.json"), {})).find("git annex get"),
        std::string::npos);
}

TEST(ForeignContent, ReportsArchivesAndPagesAreNoLogs)
{
    EXPECT_NE(refusalOf(openTrace(test::samplePath("foreign/report-with-much-text.nsys-rep"), {}))
                  .find("nsys export"),
        std::string::npos);
    EXPECT_NE(refusalOf(test::importBytes("PK\x03\x04 and text")).find("zip"), std::string::npos);
    EXPECT_NE(refusalOf(test::importBytes("7z\xBC\xAF\x27\x1C and text")).find("7z"), std::string::npos);
    EXPECT_NE(refusalOf(test::importBytes(std::string(257, 'a') + "ustar and text")).find("tar"),
        std::string::npos);
    EXPECT_NE(
        refusalOf(test::importBytes("<!DOCTYPE html>\n<html><title>404</title></html>\n")).find("web page"),
        std::string::npos);
}

TEST(ForeignContent, APerfettoTraceSaysWhatToRecordInstead)
{
    const std::string said = refusalOf(openTrace(test::samplePath("foreign/profiler.pftrace"), {}));
    EXPECT_NE(said.find("Perfetto trace"), std::string::npos) << said;
    EXPECT_NE(said.find("profile_memory=True"), std::string::npos) << said;
}

TEST(ForeignContent, ALogThatBeginsWithAnEmptyLineIsNoPerfettoTrace)
{
    for (const char* text : {"\nstep 1 | memory allocated: 3.5 GiB\n", "\n\n\n", "\n\x02P1\nP"})
        EXPECT_EQ(refusalOf(test::importBytes(text)).find("Perfetto"), std::string::npos) << text;
}

TEST(ForeignContent, AnEarlyExportOfNsightSystemsOpens)
{
    EXPECT_NE(noteOf(openTrace(test::samplePath("foreign/early-nsys.sqlite"), {}), "no-memory-events"), "");
}

TEST(ForeignContent, SourceCodeOpensAndIsNamed)
{
    const auto imported = test::importBytes("import os\nimport sys\n\ndef main():\n    return 0\n");
    ASSERT_TRUE(imported);
    EXPECT_NE(noteOf(imported, "no-memory-figures").find("Python source code"), std::string::npos);
}

} // namespace highwater
