#include "app/loading/run_shape_file.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/sample_files.h"

namespace highwater {

using test::TemporaryFolder;

namespace {

const char* const kModel = R"({"model_type": "gpt2", "n_layer": 12})";

} // namespace

TEST(RunShapeFiles, FindTheModelBesideThem)
{
    const TemporaryFolder folder;
    folder.write("models/config.json", kModel);
    for (const char* path : {"models/config.json", "models", "models/"}) {
        const auto run = loadRunShape(folder.write("run.yaml", std::string("model: ") + path));
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->shape.layers, 12);
    }
}

TEST(RunShapeFiles, SayWhatIsWrongWithTheModel)
{
    const TemporaryFolder folder;
    const auto missing = loadRunShape(folder.write("run.yaml", "model: missing.json\n"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::CannotRead);
    EXPECT_NE(missing.error().message.find("missing.json"), std::string::npos);
    folder.write("broken.json", "{\"model_type\": [");
    EXPECT_FALSE(loadRunShape(folder.write("run.yaml", "model: broken.json\n")));
    folder.write("other.json", "{\"model_type\": \"bert\"}");
    EXPECT_FALSE(loadRunShape(folder.write("run.yaml", "model: other.json\n")));
}

TEST(RunShapeFiles, BoundTheModelsSizeAndNesting)
{
    const TemporaryFolder folder;
    folder.write("large.json", std::string(3 << 20, ' '));
    EXPECT_EQ(
        loadRunShape(folder.write("run.yaml", "model: large.json\n")).error().code, ErrorCode::LimitExceeded);
    folder.write("deep.json", std::string(100'000, '['));
    EXPECT_FALSE(loadRunShape(folder.write("run.yaml", "model: deep.json\n")));
    EXPECT_FALSE(loadRunShape(folder.write("deep.yaml", std::string(100'000, '['))));
}

TEST(RunShapeFiles, DoNotWaitForAPipe)
{
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    EXPECT_FALSE(loadRunShape(folder.write("run.yaml", "model: pipe\n")));
    EXPECT_FALSE(loadRunShape(folder.write("run.yaml", "model: \"-\"\n")));
}

} // namespace highwater
