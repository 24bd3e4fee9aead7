#include "core/analysis/stacks/call_site.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Returns the call site of an allocation whose stack is in the notation of traceFromText.
CallSite siteOf(const std::string& stack, const std::string& lines = "alloc a 1 @s\nend")
{
    const auto trace = test::traceFromText("stack s = " + stack + "\nstack other = x.py:1 x\n" + lines);
    const AllocationTable allocations(*trace, 0);
    const CallSites sites(*trace, allocations);
    return sites.site(sites.of(0));
}

} // namespace

class LibraryFile : public testing::TestWithParam<const char*>
{
};

TEST_P(LibraryFile, IsOfTorchOrTheStandardLibrary)
{
    EXPECT_TRUE(isLibraryFile(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Paths, LibraryFile,
    testing::Values("/opt/env/lib/python3.12/site-packages/torch/nn/modules/linear.py",
        "/usr/lib/python3/dist-packages/torch/_tensor.py",
        "C:\\Python312\\Lib\\site-packages\\torch\\nn\\functional.py", "C:\\Python312\\Lib\\threading.py",
        "/usr/lib/python3.11/threading.py", "/opt/env/lib/python3.10/runpy.py",
        "<frozen importlib._bootstrap>", "torch/nn/modules/module.py", "/pytorch/torch/_dynamo/eval_frame.py",
        "/tmp/torchinductor_me/ab/cab.py",
        "/scratch/cache/fv/cfvyrmqvxe2yeialcpsu7xlbs6xefgd5rsa6mjwycewdrpeq2jca.py",
        "fx_generated__2bakmnn7ke62oqltgsc3dsylhoiurqq3ruprck2exwuzfzrohbc.py", "<eval_with_key>.3",
        "/opt/env/lib/python3.12/site-packages/triton/runtime/jit.py",
        "/tmp/highwater-rehearsal-mYttqi/python/highwater_reads.py", "/train/record_memory.py",
        "/src/app/python/highwater_gpu/recorder.py"));

TEST(SiteLabel, DropsTheFolders)
{
    EXPECT_EQ(siteLabel("validate (/workspace/train.py:22)"), "validate (train.py:22)");
    EXPECT_EQ(siteLabel("backward · MmBackward0"), "backward · MmBackward0");
    EXPECT_EQ(siteLabel("(no stack: allocated before recording)"), "(no stack: allocated before recording)");
}

class OwnFile : public testing::TestWithParam<const char*>
{
};

TEST_P(OwnFile, IsNotOfTheLibrary)
{
    EXPECT_FALSE(isLibraryFile(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Paths, OwnFile,
    testing::Values("/app/train.py", "C:\\work\\train.py", "/app/fv/cfvyrmqvxe.py",
        "/app/ab/cfvyrmqvxe2yeialcpsu7xlbs6xefgd5rsa6mjwycewdrpeq2jca.py",
        "/opt/env/lib/python3.12/site-packages/transformers/trainer.py", "<string>", "<ipython-input-3-abc>",
        "/app/mytorch/model.py", "/app/torchvision_utils.py",
        "/opt/env/lib/python3.12/site-packages/trl/grpo.py"));

struct FunctionAndNode
{
    const char* function;
    const char* node;
};

class AutogradNode : public testing::TestWithParam<FunctionAndNode>
{
};

TEST_P(AutogradNode, IsTakenFromTheFunction)
{
    EXPECT_EQ(autogradNode(GetParam().function), GetParam().node);
}

INSTANTIATE_TEST_SUITE_P(Functions, AutogradNode,
    testing::Values(FunctionAndNode{"torch::autograd::generated::BmmBackward0::apply(std::vector<at::Tensor, "
                                    "std::allocator<at::Tensor> >&&)",
                        "BmmBackward0"},
        FunctionAndNode{"torch::autograd::generated::MmBackward0_apply_functional(std::vector<at::Tensor>&&)",
            "MmBackward0"},
        FunctionAndNode{
            "torch::autograd::AccumulateGrad::apply(std::vector<at::Tensor>&&)", "AccumulateGrad"},
        FunctionAndNode{
            "torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&)", ""},
        FunctionAndNode{"torch::autograd::Node::operator()(std::vector<at::Tensor>&&)", ""},
        FunctionAndNode{"at::_ops::bmm::call(at::Tensor const&)", ""},
        FunctionAndNode{"std::function::apply(int)", ""}, FunctionAndNode{"", ""}));

TEST(CallSite, IsTheInnermostFrameOfTheUsersOwnPython)
{
    const CallSite site = siteOf(
        "??:0 at::empty | torch/nn/linear.py:9 forward | /app/model.py:12 attend | /app/train.py:3 main");
    EXPECT_EQ(site.kind, SiteKind::User);
    EXPECT_EQ(site.key, "attend (/app/model.py:12)");
    EXPECT_EQ(site.label, "attend (model.py:12)");
}

TEST(CallSite, CutsWindowsPathsInItsLabel)
{
    EXPECT_EQ(siteOf("C:\\work\\model.py:12 attend").label, "attend (model.py:12)");
}

TEST(CallSite, IsTheAutogradNodeWhereThereIsNoOwnPython)
{
    const CallSite site = siteOf("??:0 at::empty | ??:0 torch::autograd::generated::BmmBackward0::apply(x) | "
                                 "torch/autograd/graph.py:9 run");
    EXPECT_EQ(site.kind, SiteKind::Backward);
    EXPECT_EQ(site.key, "backward · BmmBackward0");
}

TEST(CallSite, IsTheInnermostAutogradNode)
{
    EXPECT_EQ(siteOf("??:0 torch::autograd::generated::MulBackward0::apply(x) | ??:0 "
                     "torch::autograd::generated::BmmBackward0::apply(x)")
                  .key,
        "backward · MulBackward0");
}

TEST(CallSite, IsTheOperatorOfTheEngineWhereNoNodeIsNamed)
{
    EXPECT_EQ(
        siteOf("??:0 at::_ops::sum_dim_IntList::call(x) | ??:0 torch::autograd::Engine::evaluate_function(x)")
            .key,
        "backward · sum_dim_IntList");
    EXPECT_EQ(siteOf("??:0 torch::autograd::Engine::thread_main(x)").key, "backward · engine");
}

TEST(CallSite, IsTheLibrarysPythonNext)
{
    const CallSite site
        = siteOf("??:0 at::_ops::empty::call(x) | torch/utils/data.py:9 collate | torch/utils/loop.py:1 run");
    EXPECT_EQ(site.kind, SiteKind::Library);
    EXPECT_EQ(site.key, "collate (torch/utils/data.py:9)");
}

TEST(CallSite, IsTheOperatorWhereThereAreOnlyNativeFrames)
{
    EXPECT_EQ(
        siteOf("??:0 torch::unwind::unwind() | ??:0 at::_ops::bmm::call(x) | ??:0 run()").key, "C++ · bmm");
}

TEST(CallSite, IsTheInnermostTellingNativeFrame)
{
    EXPECT_EQ(siteOf("??:0 torch::unwind::unwind() | ??:0 c10::alloc() | ??:0 my::kernel(x)").key,
        "C++ · my::kernel(x)");
}

TEST(CallSite, SaysWhereOnlyTheRecorderIsSeen)
{
    const CallSite site = siteOf("??:0 torch::unwind::unwind() | ??:0 torch::CapturedTraceback::gather(x)");
    EXPECT_EQ(site.kind, SiteKind::NoStack);
    EXPECT_EQ(site.key, "(no stack: only frames of the recorder)");
}

TEST(CallSite, SaysThatTheStackIsThatOfTheFree)
{
    const CallSite site = siteOf("/app/a.py:7 drop", "free_once old @s\nalloc a 1 @other\nfree_once a @s");
    EXPECT_TRUE(site.freed);
    EXPECT_EQ(site.key, "freed by drop (/app/a.py:7)");
    EXPECT_EQ(site.label, "freed by drop (a.py:7)");
}

TEST(CallSite, GivesTheReasonWhereThereIsNoStack)
{
    EXPECT_TRUE(
        test::hasParts(siteOf("", "alloc a 1\nend").key, {"(no stack: ", "not recorded for this event"}));
    EXPECT_TRUE(test::hasParts(siteOf("", "final old 5").key, {"(no stack: ", "before recording began"}));
    EXPECT_TRUE(test::hasParts(siteOf("", "free_once old").key, {"(no stack: ", "freed, allocated before"}));
    EXPECT_TRUE(test::hasParts(
        siteOf("", "alloc a 1 @s\nend").key, {"(no stack: ", "backward or another C++ thread"}));
}

TEST(CallSite, SaysWhenTheFileHasNoStacksAtAll)
{
    const auto trace = test::traceFromText("alloc a 1\nend");
    const AllocationTable allocations(*trace, 0);
    const CallSites sites(*trace, allocations);
    EXPECT_EQ(sites.site(sites.of(0)).kind, SiteKind::NoStack);
    EXPECT_TRUE(test::hasParts(sites.site(sites.of(0)).key, {"(no stack: ", "not recorded in this file"}));
}

TEST(CallSites, IsOneForStacksThatDifferBelowIt)
{
    const auto trace = test::traceFromText("stack s = ??:0 one | /app/a.py:1 f\nstack t = ??:0 two | "
                                           "/app/a.py:1 f\nalloc a 1 @s\nalloc b 1 @t\nend");
    const AllocationTable allocations(*trace, 0);
    const CallSites sites(*trace, allocations);
    EXPECT_EQ(sites.of(0), sites.of(1));
    EXPECT_EQ(sites.size(), 1u);
}

TEST(CallSites, IsOneForFramesThatReadTheSame)
{
    // A control character becomes U+FFFD, and an unknown line is omitted.
    const auto trace = test::traceFromText(
        "stack s = /app/a.py:1 f\x01\nstack t = /app/a.py:1 f\x02\nstack u = /app/a.py:2 f\x02\n"
        "alloc a 1 @s\nalloc b 1 @t\nalloc c 1 @u\nend");
    const AllocationTable allocations(*trace, 0);
    const CallSites sites(*trace, allocations);
    EXPECT_EQ(sites.of(0), sites.of(1));
    EXPECT_EQ(sites.size(), 2u);
    EXPECT_EQ(sites.siteWithKey("f\uFFFD (/app/a.py:2)"), sites.of(2));
}

TEST(CallSite, NeverPassesOnControlCharacters)
{
    EXPECT_EQ(siteOf("/app/a\x1b.py:1 f\x07g").key, "f\uFFFDg (/app/a\uFFFD.py:1)");
}

TEST(CallSite, IsWhatCallsTheDriverAndNotTheCall)
{
    EXPECT_EQ(siteOf("??:0 cudaMalloc | ??:0 (unresolved) | ??:0 aten::linear").label, "C++ · aten::linear");
    EXPECT_EQ(siteOf("??:0 cudaMalloc").label, "C++ · cudaMalloc");
}

TEST(CallSite, HasNoLineWhereNoneWasRecorded)
{
    EXPECT_EQ(siteOf("/app/train.py:0 main").key, "main (/app/train.py)");
}

TEST(Requester, IsCalledFromTheUsersOwnCode)
{
    const auto requester = [](const std::string& frames) {
        const auto trace = test::traceFromText("stack s = " + frames + "\nalloc a 1 @s\nend");
        return requesterText(*trace, trace->events.stack[0]);
    };
    const std::string package = "/x/site-packages/transformers/";
    EXPECT_EQ(requester(package + "modeling_t5.py:548 forward | " + package
                  + "modeling_t5.py:1109 forward | /work/train.py:52 train_step"),
        "train_step (train.py:52) [forward (modeling_t5.py:548)]");
    EXPECT_EQ(requester(package + "modeling_t5.py:548 forward | " + package + "modeling_t5.py:1109 forward"),
        "forward (modeling_t5.py:1109) [forward (modeling_t5.py:548)]");
}

TEST(SourceFiles, KnowWindows)
{
    EXPECT_TRUE(isWindowsPath("C:\\sd\\train.py"));
    EXPECT_FALSE(isWindowsPath("/sd/train.py"));
    EXPECT_FALSE(hasWindowsPaths(*test::traceFromText("stack s = /a.py:1 f\nalloc a 1 @s\nend")));
}

} // namespace highwater
