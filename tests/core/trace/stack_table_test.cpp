#include "core/trace/stack_table.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

struct FileAndKind
{
    const char* file;
    std::int64_t line;
    FrameKind kind;
};

Frame frameNumber(std::uint32_t number)
{
    Frame frame;
    frame.function = StringId(number);
    frame.file = StringId(number + 1);
    frame.line = static_cast<std::int32_t>(number);
    return frame;
}

std::vector<FrameId> threeFrames(StackTable& table)
{
    return {table.internFrame(frameNumber(1)), table.internFrame(frameNumber(2)),
        table.internFrame(frameNumber(3))};
}

} // namespace

class FrameKindOf : public testing::TestWithParam<FileAndKind>
{
};

TEST_P(FrameKindOf, IsToldByFileAndLine)
{
    EXPECT_EQ(guessFrameKind(GetParam().file, GetParam().line), GetParam().kind)
        << GetParam().file << ':' << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(Python, FrameKindOf,
    testing::Values(FileAndKind{"/app/train.py", 12, FrameKind::Python},
        FileAndKind{"train.py", 0, FrameKind::Python}, FileAndKind{"<string>", 1, FrameKind::Python},
        FileAndKind{"<frozen importlib._bootstrap>", 241, FrameKind::Python},
        FileAndKind{"<ipython-input-3-abc>", 2, FrameKind::Python},
        FileAndKind{"C:\\work\\train.py", 7, FrameKind::Python},
        FileAndKind{"D:\\tools\\script", 7, FrameKind::Python},
        FileAndKind{"/usr/bin/torchrun", 8, FrameKind::Python},
        FileAndKind{"ext.pyx", 3, FrameKind::Python}));

INSTANTIATE_TEST_SUITE_P(Native, FrameKindOf,
    testing::Values(FileAndKind{"??", 0, FrameKind::Native}, FileAndKind{"", 0, FrameKind::Native},
        FileAndKind{"ceval.c", 5200, FrameKind::Native},
        FileAndKind{"/build/Python/ceval.c", 5200, FrameKind::Native},
        FileAndKind{"/pytorch/aten/src/ATen/Functions.h", 40, FrameKind::Native},
        FileAndKind{"/pytorch/torch/csrc/x.cpp", 9, FrameKind::Native},
        FileAndKind{"C:\\src\\a.cu", 9, FrameKind::Native},
        FileAndKind{"/lib/libtorch_cpu.so", 98694357, FrameKind::Native},
        FileAndKind{"/usr/lib/libpython3.11.so.1.0", 1461486, FrameKind::Native},
        FileAndKind{"/usr/bin/python3.11", 4224, FrameKind::Native},
        FileAndKind{"C:\\torch\\lib\\torch_cpu.dll", 77, FrameKind::Native},
        FileAndKind{"/lib/libtorch.so", 0, FrameKind::Native}, FileAndKind{"none", 0, FrameKind::Native}));

TEST(StackTable, InternsEqualFramesOnce)
{
    StackTable table;
    EXPECT_EQ(table.internFrame(frameNumber(1)), table.internFrame(frameNumber(1)));
    EXPECT_NE(table.internFrame(frameNumber(1)), table.internFrame(frameNumber(2)));
    EXPECT_EQ(table.frameCount(), 2u);
}

TEST(StackTable, TellsFramesApartByTheirDetails)
{
    StackTable table;
    Frame detailed = frameNumber(1);
    detailed.details = StringId(9u);
    EXPECT_NE(table.internFrame(frameNumber(1)), table.internFrame(detailed));
}

TEST(StackTable, GivesFramesBackInnermostFirst)
{
    StackTable table;
    const std::vector<FrameId> frames = threeFrames(table);
    const StackId stack = table.internStack(frames);
    EXPECT_EQ(table.frames(stack), frames);
    EXPECT_EQ(table.innermost(stack), frames[0]);
}

TEST(StackTable, SharesTheOuterPartOfStacks)
{
    StackTable table;
    const std::vector<FrameId> frames = threeFrames(table);
    const StackId deep = table.internStack(frames);
    const StackId shallow = table.internStack(std::span(frames).subspan(1));
    EXPECT_EQ(table.caller(deep), shallow);
    EXPECT_EQ(table.nodeCount(), 4u); // the empty stack and three frames
}

TEST(StackTable, InternsEqualStacksOnce)
{
    StackTable table;
    const std::vector<FrameId> frames = threeFrames(table);
    EXPECT_EQ(table.internStack(frames), table.internStack(frames));
}

TEST(StackTable, KnowsTheEmptyStackFromNone)
{
    StackTable table;
    EXPECT_EQ(table.internStack({}), StackTable::kEmpty);
    EXPECT_FALSE(table.hasFrames(StackTable::kEmpty));
    EXPECT_FALSE(table.hasFrames(StackId()));
    EXPECT_TRUE(table.frames(StackId()).empty());
    EXPECT_TRUE(table.frames(StackTable::kEmpty).empty());
}

} // namespace highwater
