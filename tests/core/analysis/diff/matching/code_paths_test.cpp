#include "core/analysis/diff/matching/code_paths.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(PortablePath, IsWhatFollowsTheFolderOfPackages)
{
    EXPECT_EQ(
        portablePath("/venv/lib/python3.11/site-packages/torch/nn/functional.py"), "torch/nn/functional.py");
    EXPECT_EQ(portablePath("/usr/lib/python3/dist-packages/numpy/core.py"), "numpy/core.py");
}

TEST(PortablePath, OfTheStandardLibraryIsTheSameForAllVersions)
{
    EXPECT_EQ(
        portablePath("/usr/lib/python3.9/threading.py"), portablePath("/opt/py/lib/python3.12/threading.py"));
}

TEST(PortablePath, HasForwardSlashes)
{
    EXPECT_EQ(portablePath("C:\\run\\train.py"), "C:/run/train.py");
}

TEST(PackageOf, IsTheFolderAfterThatOfPackages)
{
    EXPECT_EQ(packageName("/v/lib/python3.12/site-packages/einops/_backends.py"), "einops");
    EXPECT_EQ(packageName("C:\\v\\Lib\\site-packages\\wrapt\\wrappers.py"), "wrapt");
    EXPECT_EQ(packageName("/run/train.py"), "");
    EXPECT_EQ(packageName("/v/site-packages"), "");
}

TEST(IsSpellingFile, IsTrueOfPackagesThatOnlySpellOperators)
{
    EXPECT_TRUE(isOperatorWrapperFile("/v/site-packages/einops/einops.py"));
    EXPECT_FALSE(isOperatorWrapperFile("/v/site-packages/transformers/modeling_t5.py"));
    EXPECT_FALSE(isOperatorWrapperFile("/run/einops/mine.py"));
}

TEST(IsOwnFile, IsTrueOutsideOfTorchTheStandardLibraryAndPackages)
{
    EXPECT_TRUE(isOwnFile("/run/train.py"));
    EXPECT_FALSE(isOwnFile("/v/site-packages/transformers/modeling_t5.py"));
    EXPECT_FALSE(isOwnFile("/v/site-packages/torch/nn/functional.py"));
    EXPECT_FALSE(isOwnFile("/usr/lib/python3.12/threading.py"));
}

} // namespace highwater
