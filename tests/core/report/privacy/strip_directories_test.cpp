#include "core/report/privacy/strip_directories.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

struct Case
{
    const char* written;
    const char* left;
};

/// Checks each pair of original and stripped text, alone and within a sentence.
void expectAll(std::initializer_list<Case> cases)
{
    for (const auto& [written, left] : cases) {
        EXPECT_EQ(withoutDirectories(written), left);
        EXPECT_EQ(
            withoutDirectories(std::string("see (") + written + ")"), std::string("see (") + left + ")");
    }
}

void expectUnchanged(std::initializer_list<const char*> texts)
{
    for (const char* text : texts)
        EXPECT_EQ(withoutDirectories(text), text);
}

} // namespace

TEST(WithoutDirectories, LeavesTheLastPartOfAbsolutePaths)
{
    expectAll({{"/home/alice/proj/train.py:12", "train.py:12"}, {"/home/alice/proj/train.py", "train.py"},
        {"/usr/lib/python3.11/site-packages/torch/nn/modules/linear.py:114", "linear.py:114"},
        {"/tmp/ipykernel_4711/123.py", "123.py"}, {"/mnt/data/run-7/", "run-7"}, {"/a/b", "b"},
        {"/home/alice/.cache/x", "x"}, {"/home/jürgen/Ärger/übung.py:3", "übung.py:3"},
        {"//server/share/x.py", "x.py"}, {"/home//alice///x.py", "x.py"},
        {"-I/home/alice/include", "include"}, {"--output-dir=/scratch/alice/run1", "--output-dir=run1"},
        {"/home/alice/a.py:/home/alice/b.py", "a.py:b.py"}, {"/opt/a/lib:/opt/b/lib64", "lib:lib64"}});
}

TEST(WithoutDirectories, LeavesTheLastPartOfHomesDrivesAndShares)
{
    expectAll({{"~/x.py", "x.py"}, {"~/proj/x.py:3", "x.py:3"}, {"~alice/proj/x.py", "x.py"},
        {"C:\\Users\\alice\\x.py", "x.py"}, {"C:/Users/alice/x.py:12", "x.py:12"},
        {"D:\\data\\run\\snapshot.pickle", "snapshot.pickle"}, {"C:\\\\Users\\\\alice\\\\x.py", "x.py"},
        {"C:\\Users\\Jane Doe\\My Project\\x.py", "x.py"}, {"\\\\server\\share\\alice\\x.py", "x.py"},
        {"src\\models\\gpt.py:3", "gpt.py:3"}});
}

TEST(WithoutDirectories, LeavesTheLastPartOfRelativePathsToFiles)
{
    expectAll({{"src/models/gpt.py:3", "gpt.py:3"}, {"./x.py", "x.py"}, {"../../proj/data", "data"},
        {"runs/1/events.out.tfevents.1700000000.node7", "events.out.tfevents.1700000000.node7"},
        {"checkpoints/last.safetensors", "last.safetensors"}, {"lib/libcudart.so.12", "libcudart.so.12"},
        {"out/train.pickle.zst", "train.pickle.zst"}, {"error:src/a.cpp:3:1", "error:a.cpp:3:1"},
        {"outputs/team/run-7", "run-7"}, {"runs/alice/exp-1/", "exp-1"}, {"site-packages/torch/nn", "nn"},
        {"csrc/Makefile", "Makefile"}, {"…/proj/train.py:3", "train.py:3"}});
}

TEST(WithoutDirectories, SeesPathsInRunningText)
{
    expectAll({{"File \"/home/alice/My Project/train.py\", line 3, in <module>",
                   "File \"train.py\", line 3, in <module>"},
        {"'/home/alice/my own project/x.py'", "'x.py'"},
        {"/home/alice/My Project/x.py:3 main", "x.py:3 main"}, {"/home/alice/run(1)/x.py", "x.py"},
        {"a.py from /home/alice/b.py to src/c.py", "a.py from b.py to c.py"},
        {"/data/model and 4 GiB/step", "model and 4 GiB/step"},
        {"alice@node1:/data/proj/x.py", "alice@node1:x.py"}, {"[/home/a/x.py,/home/b/y.py]", "[x.py,y.py]"},
        {"/home/alice/x.py:12 step · 4 / 8", "x.py:12 step · 4 / 8"}});
}

TEST(WithoutDirectories, LeavesOfACutPathOnlyThatItWasCut)
{
    expectAll({{"/home/alice/secret-pro…", "…"}, {"/home/alice/x/train.py…", "train.py…"}});
}

TEST(WithoutDirectories, TreatsAddressesByTheirScheme)
{
    expectAll({{"https://example.org/a/b.html", "https://example.org/a/b.html"},
        {"https://alice:secret@example.org/a", "https://example.org/a"},
        {"see:https://example.org/a/b.py", "see:https://example.org/a/b.py"},
        {"https://example.org/x?file=/home/alice/y.py", "https://example.org/x?file=y.py"},
        {"file:///home/alice/x.py", "x.py"}, {"s3://bucket/team/alice/model.pt", "model.pt"},
        {"hf://alice/models/x.safetensors", "x.safetensors"}, {"tcp://node1:29500", "tcp://node1:29500"},
        {"ssh://alice@node1/data/x.py", "x.py"}});
}

TEST(WithoutDirectories, LeavesFractionsUnitsDatesAndModulesAlone)
{
    expectUnchanged({"", "/", "//", " / ", "4 / 8", "7600/8948", "1/2/3", "/8948", "22/11/2026", "GiB/step",
        "tokens/s", "and/or", "N/A", "n/a", "before/after", "12.5/64.0 GiB", "3.61 GiB/step, 4 GiB/s.",
        "(GiB)/step/GPU", "train/loss.mean", "perf/max_memory_allocated_gb", "outputs/run-7",
        "state/TrainerControl/args/should_save", "actor/grad.norm", "Qwen/Qwen2.5-7B",
        "meta-llama/Llama-3.1-8B", "torch.nn.functional.linear", "transformers.models.llama.modeling_llama",
        "aten::mm", "torch::autograd::x", "<frozen importlib._bootstrap>", "<ipython-input-3-abc>",
        "train.py:12", "at::native/x", "e.g./i.e.", "~5/8", "~4", "a\\_b.py", "\\d+\\w*", "12:30:05",
        "C:", "</style>", "−3.61 GiB (−14.5 %)", "1e-5/2e-5", "https://", "://", ":",
        "backward · BmmBackward0", "step 3/10: 5 GiB"});
}

TEST(WithoutDirectories, KeepsEveryByteOfOtherText)
{
    const std::string text = "a\xff\x01\n\tb \"q\" <x> | ; é";
    EXPECT_EQ(withoutDirectories(text), text);
}

TEST(WithoutDirectories, ReadsAMegabyteOfAnything)
{
    for (const char* piece : {"/", "a/", " ", "~", "/a b", ":/", "\\", "(/x", "://", "'/a ", "a:", "@"}) {
        std::string text;
        while (text.size() < 1'000'000)
            text += piece;
        EXPECT_LE(withoutDirectories(text).size(), text.size()) << piece;
    }
}

} // namespace highwater
