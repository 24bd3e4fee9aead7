#include "app/cli/export/export_job.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "app/cli/console/refusal.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

TEST(ExportJob, LeavesNoFileIfNotAllWasWritten)
{
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "events.csv").string();
    ExportOptions options;
    options.common.files = {"run.pickle"};
    options.out = path;
    const Trace trace;
    const std::vector<CategoryRule> rules;
    {
        OutputFile out = OutputFile::need(path, false, {});
        out.write("half of a row");
        const ExportJob job{trace, 0, options, rules, {}, out};
        EXPECT_THROW(job.finish(false), Refusal);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

} // namespace highwater::cli
