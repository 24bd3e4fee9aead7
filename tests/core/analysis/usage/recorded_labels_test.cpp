#include "core/analysis/usage/recorded_labels.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/modules/module_names.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using Label = std::pair<std::string, std::string>;

} // namespace

TEST(LabelInDetails, IsTheTextOfTheProgram)
{
    EXPECT_EQ(labelInDetails(R"({"user_metadata":"layers.0.mlp"})"), Label("layers.0.mlp", ""));
    EXPECT_EQ(labelInDetails(R"({"compile_context":"1/0","user_metadata":"head"})"), Label("head", ""));
}

TEST(LabelInDetails, NamesModuleAndPoolAsJson)
{
    EXPECT_EQ(
        labelInDetails(R"({"user_metadata":"{\"module\":\"head\",\"pool\":\"kv\"}"})"), Label("head", "kv"));
    EXPECT_EQ(labelInDetails(R"({"user_metadata":{"name":"head"}})"), Label("head", ""));
    EXPECT_EQ(labelInDetails(R"({"user_metadata":"{\"pool\":\"kv\"}"})"), Label("", "kv"));
}

TEST(LabelInDetails, IsNoneInAnythingElse)
{
    for (const char* details : {"", "user_metadata", R"({"user_metadata":3})", R"({"user_metadata":null})",
             R"(["user_metadata"])", R"({"other":"user_metadata"})", R"({"user_metadata":)"})
        EXPECT_EQ(labelInDetails(details), Label()) << details;
}

TEST(LabelInDetails, KeepsATextThatOnlyLooksLikeJson)
{
    EXPECT_EQ(labelInDetails(R"({"user_metadata":"{phase 1}"})"), Label("{phase 1}", ""));
}

TEST(ModuleNames, GoWithTheirNumbers)
{
    EXPECT_EQ(moduleNames("model.layers.3.mlp"), (std::vector<std::string>{"model", "layers.3", "mlp"}));
    EXPECT_EQ(moduleNames("3.mlp"), (std::vector<std::string>{"3", "mlp"}));
    EXPECT_EQ(moduleNames("mlp.0.1"), (std::vector<std::string>{"mlp.0.1"}));
    EXPECT_EQ(moduleNames("..a..b."), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(moduleNames("").empty());
}

TEST(ModuleNames, DoNotComeFromSentencesFilesAndLoopPasses)
{
    for (const char* text : {"step 3. warm up", "step_3", "epoch.1", "iter12", "train.py", "/home/me/model"})
        EXPECT_TRUE(moduleNames(text).empty()) << text;
    EXPECT_EQ(moduleNames("batch_norm"), std::vector<std::string>{"batch_norm"});
}

TEST(ModuleNames, AreNotNestedDeeperThanModulesAre)
{
    std::string label;
    for (int i = 0; i < 1000; ++i)
        label += "a.";
    EXPECT_EQ(moduleNames(label).size(), 64u);
}

TEST(ModuleNames, HaveNumbersThatFit)
{
    EXPECT_EQ(numberedName("layers.12"), (std::pair<std::string_view, std::int32_t>("layers", 12)));
    EXPECT_EQ(numberedName("layers"), (std::pair<std::string_view, std::int32_t>("layers", -1)));
    EXPECT_EQ(
        numberedName("a.99999999999"), (std::pair<std::string_view, std::int32_t>("a.99999999999", -1)));
}

TEST(RecordedLabels, AreThoseOfEventsAndThoseAttachedLater)
{
    const auto imported = loadFile(test::samplePath("rehearsed/labelled-modules.pickle.zst"), {});
    ASSERT_TRUE(imported.has_value());
    const AllocationTable allocations(*imported->trace, 0);
    const RecordedLabels labels(allocations);
    std::size_t labelled = 0;
    std::size_t attached = 0;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        labelled += labels.of(i).isNone() ? 0 : 1;
        if (labels.attachedTo(i).isNone())
            continue;
        ++attached;
        EXPECT_EQ(labels.text(labels.attachedTo(i)), "scores");
        EXPECT_TRUE(labels.text(labels.of(i)).ends_with(".attention"));
    }
    EXPECT_GT(labelled, 300u);
    EXPECT_EQ(attached, 12u) << "three layers in four steps";
}

TEST(RecordedLabels, AreNoneInAFileWithoutThem)
{
    const auto imported = loadFile(test::samplePath("pytorch-snapshot/tiny-hand-checked.pickle.zst"), {});
    ASSERT_TRUE(imported.has_value());
    const AllocationTable allocations(*imported->trace, 0);
    EXPECT_TRUE(RecordedLabels(allocations).empty());
}

} // namespace highwater
