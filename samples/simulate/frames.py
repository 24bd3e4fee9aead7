"""C++ frames as they stand in recorded stacks: the recorder, the dispatcher, the interpreter, the autograd engine.

Names and file names are those of real `stacks="all"` recordings without debug information; line 0 is what they hold.
"""
TENSORS = "std::vector<at::Tensor, std::allocator<at::Tensor> >&&"
ARGS = "at::Tensor const&, at::Tensor const&"
NATIVE = "c10::cuda::CUDACachingAllocator::Native"

RECORDER = (
    ("torch::unwind::unwind()", "??"),
    ("torch::CapturedTraceback::gather(bool, bool, bool)", "??"),
    ("torch::cuda::(anonymous namespace)::gather_with_cpp()", "memory_snapshot.cpp"),
)
MALLOC = RECORDER + (
    (f"{NATIVE}::DeviceCachingAllocator::malloc(unsigned long, CUstream_st*)", "CUDACachingAllocator.cpp"),
    (f"{NATIVE}::NativeCachingAllocator::malloc(void**, signed char, unsigned long, CUstream_st*)", ""),
    (f"{NATIVE}::NativeCachingAllocator::allocate(unsigned long)", ""),
    ("at::detail::empty_generic(c10::ArrayRef<long>, c10::Allocator*, c10::DispatchKeySet, c10::ScalarType,"
     " std::optional<c10::MemoryFormat>)", "??"),
    ("at::detail::empty_cuda(c10::ArrayRef<long>, c10::TensorOptions const&)", "??"),
)
FREE = RECORDER + (
    (f"{NATIVE}::DeviceCachingAllocator::free({NATIVE}::(anonymous namespace)::Block*)", "CUDACachingAllocator.cpp"),
    (f"{NATIVE}::local_raw_delete(void*)", "CUDACachingAllocator.cpp"),
    ("c10::StorageImpl::~StorageImpl()", ""),
    ("c10::TensorImpl::~TensorImpl()", "??"),
)
FREE_BY_PYTHON = FREE + (
    ("THPVariable_clear(THPVariable*)", "python_variable.cpp"),
    ("THPVariable_dealloc(_object*)", "python_variable.cpp"),
)
FREE_BY_ENGINE = FREE + (("std::vector<at::Tensor, std::allocator<at::Tensor> >::~vector()", ""),)
EMPTY_CACHE = RECORDER + (
    (f"{NATIVE}::DeviceCachingAllocator::emptyCache()", "CUDACachingAllocator.cpp"),
    (f"{NATIVE}::NativeCachingAllocator::emptyCache()", ""),
    ("THCPModule_emptyCache(_object*, _object*)", "Module.cpp"),
)
PINNED = RECORDER + (
    ("at::cuda::(anonymous namespace)::CUDACachingHostAllocatorImpl::allocate_host_memory(unsigned long, void**)",
     "CachingHostAllocator.cpp"),
    ("at::native::_pin_memory_cuda(at::Tensor const&, std::optional<c10::Device>)", "??"),
    ("at::_ops::_pin_memory::call(at::Tensor const&, std::optional<c10::Device>)", "??"),
)
GRAPH_THREAD = (
    (f"torch::autograd::Node::operator()({TENSORS})", ""),
    ("torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&,"
     " torch::autograd::Node*, torch::autograd::InputBuffer&, std::shared_ptr<torch::autograd::ReadyQueue> const&)",
     "??"),
    ("torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)", "??"),
    ("torch::autograd::Engine::thread_init(int, std::shared_ptr<torch::autograd::ReadyQueue> const&, bool)", "??"),
    ("torch::autograd::python::PythonEngine::thread_init(int,"
     " std::shared_ptr<torch::autograd::ReadyQueue> const&, bool)", ""),
    ("pthread_condattr_setpshared", "??"),
    ("__clone", "??"),
)
EVAL = ("_PyEval_EvalFrameDefault", "??")
# What one module call leaves between its three Python frames (forward, _call_impl, _wrapped_call_impl).
MODULE_CALL = (
    (EVAL, ("PyMethod_New", "??")),
    (EVAL, ("PyMethod_New", "??")),
    (EVAL, ("_PyObject_Call_Prepend", "??"), ("PyType_GetModule", "??"), ("_PyObject_MakeTpCall", "??")),
)
START = tuple((name, "??") for name in (
    "_PyEval_EvalFrameDefault", "PyEval_EvalCode", "PyRun_StringFlags", "_PyRun_SimpleFileObject",
    "_PyRun_AnyFileObject", "Py_RunMain", "Py_BytesMain", "__libc_init_first", "__libc_start_main", "_start"))


def operator(op):
    """A call of one operator from Python, kernel first: structured kernel, dispatcher, autograd, binding."""
    return (
        (f"at::(anonymous namespace)::structured_{op}_functional::set_output_raw_strided(long, c10::ArrayRef<long>,"
         " c10::ArrayRef<long>, c10::TensorOptions, c10::ArrayRef<at::Dimname>)", "RegisterCUDA_0.cpp"),
        (f"at::(anonymous namespace)::wrapper_CUDA_{op}({ARGS})", "RegisterCUDA_0.cpp"),
        (f"at::_ops::{op}::redispatch(c10::DispatchKeySet, {ARGS})", "??"),
        (f"torch::autograd::VariableType::(anonymous namespace)::{op}(c10::DispatchKeySet, {ARGS})",
         "VariableType_0.cpp"),
        (f"at::_ops::{op}::call({ARGS})", "??"),
    )


def binding(op):
    return ((f"torch::autograd::THPVariable_{op}(_object*, _object*, _object*)", "python_torch_functions_1.cpp"),)


def backward_node(op, node):
    """The same operator called by an autograd node on the engine's thread. AccumulateGrad is written by hand, not generated."""
    name = "AccumulateGrad" if node == "AccumulateGrad" else f"generated::{node}"
    return operator(op)[1:] + ((f"torch::autograd::{name}::apply({TENSORS})", "??"),)
