#include "core/analysis/stacks/frame_folding.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(FrameFolding, KnowsTheRecorder)
{
    EXPECT_TRUE(isRecorderFrame("torch::unwind::unwind()"));
    EXPECT_TRUE(isRecorderFrame("torch::CapturedTraceback::gather(bool, bool, bool)"));
    EXPECT_TRUE(
        isRecorderFrame("c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc(int)"));
    EXPECT_FALSE(isRecorderFrame("at::detail::empty_cuda(c10::ArrayRef<long>)"));
}

TEST(FrameFolding, KnowsTheInterpreterByNameAndByFile)
{
    EXPECT_TRUE(isInterpreterFrame("_PyEval_EvalFrameDefault", "??"));
    EXPECT_TRUE(isInterpreterFrame("PyObject_Call", "??"));
    EXPECT_TRUE(isInterpreterFrame("__libc_start_main", "??"));
    EXPECT_TRUE(isInterpreterFrame("binary_op1", "/usr/local/src/python-3.12.3/Objects/abstract.c"));
    EXPECT_FALSE(isInterpreterFrame("PythonEngine::thread_init(int)", "??"));
    EXPECT_FALSE(isInterpreterFrame("THPVariable_subclass_dealloc(_object*)", "python_variable.cpp"));
}

TEST(FrameFolding, KnowsTheCallsOfModules)
{
    EXPECT_TRUE(isCallWrapper("_call_impl", "/x/torch/nn/modules/module.py"));
    EXPECT_FALSE(isCallWrapper("forward", "/x/torch/nn/modules/module.py"));
    EXPECT_FALSE(isCallWrapper("_call_impl", "/app/own.py"));
}

} // namespace highwater
