#include "app/rehearse/torch_build.h"

#include <gtest/gtest.h>

namespace highwater::rehearse {

namespace {

std::string versionIn(std::string_view text)
{
    const auto version = torchVersionIn(text);
    return version ? version->text() : "";
}

} // namespace

TEST(TorchVersion, IsReadWithAndWithoutItsBuild)
{
    EXPECT_EQ(torchVersionFrom("2.4").value().release, "2.4");
    EXPECT_EQ(torchVersionFrom("v2.4.1+cu121").value().text(), "2.4.1+cu121");
    EXPECT_EQ(torchVersionFrom("2.15.0.dev20260909+cu130").value().text(), "2.15.0+cu130");
    for (const char* const text : {"", "2", "latest", "requirements.txt", "24GiB"})
        EXPECT_FALSE(torchVersionFrom(text)) << text;
}

TEST(TorchVersion, BelongsToASeries)
{
    EXPECT_EQ(torchVersionFrom("2.4.1+cu121").value().series(), "2.4");
    EXPECT_EQ(torchVersionFrom("2.10").value().series(), "2.10");
}

TEST(TorchVersion, IsFoundInLogsRequirementsAndLockFiles)
{
    EXPECT_EQ(versionIn("Collecting environment…\nPyTorch version: 2.4.0+cu121\nIs debug"), "2.4.0+cu121");
    EXPECT_EQ(versionIn("- PyTorch version (GPU?): 2.1.0+cu118 (True)"), "2.1.0+cu118");
    EXPECT_EQ(versionIn("Ultralytics 8.3 Python-3.10.12 torch-2.6.0+cu124 CUDA:0"), "2.6.0+cu124");
    EXPECT_EQ(versionIn("numpy\ntorchvision==0.19.1\ntorch==2.4.1\n"), "2.4.1");
    EXPECT_EQ(versionIn("[[package]]\nname = \"torch\"\nversion = \"2.5.1\"\n"), "2.5.1");
    EXPECT_EQ(versionIn("{\"torch\": \"2.7.1+cu128\"}"), "2.7.1+cu128");
}

TEST(TorchVersion, IsNoBoundAndNoVersionOfAnotherPackage)
{
    EXPECT_EQ(versionIn("torch>=2.4\ntorchvision==0.19\npytorch-lightning==2.4.0\ntorch_geometric==2.6"), "");
    EXPECT_EQ(versionIn("22.69 GiB is allocated by PyTorch, and 520.54 MiB"), "");
}

TEST(TorchVersion, IsInstalledFromTheIndexOfItsBuild)
{
    const std::string command = environmentCommand({"2.4.1", "cu121"});
    EXPECT_NE(command.find("python3 -m venv torch-2.4 "), std::string::npos) << command;
    EXPECT_NE(
        command.find("'torch==2.4.1' --index-url https://download.pytorch.org/whl/cu121"), std::string::npos)
        << command;
    EXPECT_NE(environmentCommand({"2.4"}).find("'torch==2.4.*'"), std::string::npos);
    EXPECT_EQ(environmentCommand({"2.4"}).find("--index-url"), std::string::npos);
}

TEST(TorchKernels, RunOnNewerGpusOfTheirMajorVersion)
{
    EXPECT_TRUE(hasKernelsFor("sm_80 sm_90", 8, 9));
    EXPECT_FALSE(hasKernelsFor("sm_86", 8, 0));
    EXPECT_FALSE(hasKernelsFor("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120", 7, 0));
    EXPECT_TRUE(hasKernelsFor("sm_100", 10, 3));
}

TEST(TorchKernels, AreCompiledByTheDriverForNewerGpus)
{
    EXPECT_FALSE(hasKernelsFor("sm_90", 12, 0));
    EXPECT_TRUE(hasKernelsFor("sm_90 compute_90", 12, 0));
}

TEST(TorchKernels, OfOneExactArchitectureRunOnNoOther)
{
    EXPECT_TRUE(hasKernelsFor("sm_90a", 9, 0));
    EXPECT_FALSE(hasKernelsFor("sm_100a", 10, 3));
}

TEST(TorchKernels, AreNotMissedWhereNothingIsKnown)
{
    EXPECT_TRUE(hasKernelsFor("", 7, 0));
    EXPECT_TRUE(hasKernelsFor("unknown words", 7, 0));
}

TEST(TorchKernels, ForOldGpusAreInTheBuildForCuda126)
{
    EXPECT_EQ(versionWithKernels({"2.15.0", "cu132"}, 7, 0).text(), "2.15.0+cu126");
    EXPECT_EQ(versionWithKernels({"2.6.0", "cu124"}, 12, 0).text(), "2.10+cu128");
}

} // namespace highwater::rehearse
