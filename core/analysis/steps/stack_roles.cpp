#include "core/analysis/steps/stack_roles.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// What a frame means for the frames that it calls. More than a phase: a loss keeps the log-probabilities it
/// asks for, those of the reference excepted.
enum class FrameRole : std::uint8_t
{
    None,
    OwnCode, ///< of the user or of a trainer, says nothing
    Forward,
    Loss,
    Backward,
    Optimizer,
    OptimizerStep, ///< of an optimizer of PyTorch: what it calls of the user's is a closure
    ZeroGrad,
    Generation,
    Scoring,
    Reference,
    Evaluation,
    Data,
};

bool isAnyOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, text) != words.end();
}

/// Works on gradients for an optimizer, whoever wrote that.
bool isClipping(std::string_view file)
{
    return containsAny(file, {"nn/utils/clip_grad.py", "amp/grad_scaler.py"});
}

bool isOptimizerFrame(std::string_view function, std::string_view file)
{
    if (containsAny(file, {"lr_scheduler", "swa_utils"}))
        return false;
    if (contains(file, "torch/optim/"))
        return true;
    if (isClipping(file))
        return !isAnyOf(function, {"scale", "apply_scale", "update"});
    if (function.starts_with("_multi_tensor_") || isAnyOf(function, {"optimizer_step", "_init_group"}))
        return true;
    return function == "step" && containsAny(file, {"optim", "adam", "runtime/zero/", "muon", "shampoo"});
}

/// `Adam.step` and the like; `optimizer.py` also runs those of the user's own.
bool isStepOfPyTorch(std::string_view function, std::string_view file)
{
    return function == "step" && contains(file, "torch/optim/") && !file.ends_with("/optimizer.py");
}

/// Neither PyTorch's nor what its compiler generated.
bool isOwnCode(std::string_view file)
{
    return !containsAny(file, {"/torch/", "torchinductor"}) && !file.starts_with('<');
}

bool isBackwardFrame(std::string_view function, std::string_view file)
{
    if (contains(file, "torch/utils/checkpoint.py"))
        return isAnyOf(function, {"backward", "unpack_hook", "recompute_fn"});
    return isAnyOf(
               function, {"backward", "_backward", "_engine_run_backward", "run_backward", "manual_backward"})
        || contains(file, "torch/autograd/graph.py");
}

bool isScoringName(std::string_view function)
{
    return containsAny(
        function, {"log_prob", "logprob", "per_token_logp", "compute_values", "compute_reward"});
}

FrameRole scoringRole(std::string_view function)
{
    if (containsAny(
            function, {"ref_log", "reference_log", "ref_per_token", "ref_model", "reference_forward"}))
        return FrameRole::Reference;
    if (!isScoringName(function))
        return FrameRole::None;
    const bool trained = contains(function, "policy") && !containsAny(function, {"old", "ref"});
    return trained ? FrameRole::Loss : FrameRole::Scoring;
}

FrameRole trainerRole(std::string_view function, std::string_view file)
{
    if (containsAny(file, {"/vllm/", "/sglang/"})
        || isAnyOf(
            function, {"generate", "_generate", "generate_sequences", "generate_completions", "rollout"}))
        return FrameRole::Generation;
    if (isAnyOf(function,
            {"evaluate", "evaluation_loop", "validation_step", "validate", "eval_step", "prediction_step",
                "test_step", "predict_step", "evaluation_step"}))
        return FrameRole::Evaluation;
    if (const FrameRole scoring = scoringRole(function); scoring != FrameRole::None)
        return scoring;
    if (isAnyOf(
            function, {"compute_loss", "_compute_loss", "update_policy", "update_actor", "update_critic"}))
        return FrameRole::Loss;
    if (contains(file, "torch/utils/data/") || contains(function, "collate")
        || isAnyOf(function, {"get_batch", "next_batch", "load_batch", "send_to_device"}))
        return FrameRole::Data;
    return FrameRole::None;
}

bool isForwardFrame(std::string_view function, std::string_view file)
{
    if (contains(file, "torch/nn/modules/module.py"))
        return isAnyOf(function, {"_call_impl", "_wrapped_call_impl", "__call__", "inner"});
    return function == "forward" || contains(function, "cross_entropy") || function.ends_with("_loss")
        || function.starts_with("loss_") || function == "loss";
}

FrameRole roleOfPython(std::string_view functionText, std::string_view fileText)
{
    const std::string function = lowered(forwardSlashes(functionText));
    const std::string file = lowered(forwardSlashes(fileText));
    if (isZeroGradFunction(function))
        return FrameRole::ZeroGrad;
    if (isOptimizerFrame(function, file))
        return isStepOfPyTorch(function, file) ? FrameRole::OptimizerStep : FrameRole::Optimizer;
    if (isBackwardFrame(function, file))
        return FrameRole::Backward;
    if (const FrameRole role = trainerRole(function, file); role != FrameRole::None)
        return role;
    if (isForwardFrame(function, file))
        return FrameRole::Forward;
    return isOwnCode(file) ? FrameRole::OwnCode : FrameRole::None;
}

Phase phaseOf(FrameRole role)
{
    switch (role) {
    case FrameRole::Forward:
    case FrameRole::Loss: return Phase::Forward;
    case FrameRole::Backward: return Phase::Backward;
    case FrameRole::Optimizer:
    case FrameRole::OptimizerStep: return Phase::Optimizer;
    case FrameRole::Generation: return Phase::Generation;
    case FrameRole::Scoring:
    case FrameRole::Reference: return Phase::Scoring;
    case FrameRole::Evaluation: return Phase::Evaluation;
    case FrameRole::Data: return Phase::Data;
    case FrameRole::None:
    case FrameRole::OwnCode:
    case FrameRole::ZeroGrad: break;
    }
    return Phase::Unknown;
}

bool saysNothing(FrameRole role)
{
    return role == FrameRole::None || role == FrameRole::OwnCode;
}

/// What the inner frame makes of the role of the frames around it.
FrameRole combined(FrameRole outer, FrameRole inner)
{
    switch (inner) {
    case FrameRole::None: return outer;
    case FrameRole::OwnCode: return outer == FrameRole::OptimizerStep ? inner : outer;
    case FrameRole::Optimizer:
    case FrameRole::OptimizerStep: return outer == FrameRole::ZeroGrad ? outer : inner;
    case FrameRole::Backward:
    case FrameRole::ZeroGrad:
    case FrameRole::Evaluation: return inner;
    case FrameRole::Generation:
    case FrameRole::Reference:
        return outer == FrameRole::Evaluation || outer == FrameRole::Backward ? outer : inner;
    case FrameRole::Scoring:
        return outer == FrameRole::Evaluation || outer == FrameRole::Backward || outer == FrameRole::Loss
                || outer == FrameRole::Reference
            ? outer
            : inner;
    case FrameRole::Forward:
    case FrameRole::Loss:
        return saysNothing(outer) || outer == FrameRole::Optimizer || outer == FrameRole::OptimizerStep
                || outer == FrameRole::Data || outer == FrameRole::Forward
            ? inner
            : outer;
    case FrameRole::Data: break;
    }
    return saysNothing(outer) ? inner : outer;
}

/// "NllLossBackward", "MmBackward0", as profilers before 1.10 name what the engine runs: a node of autograd.
/// `aten::mm_backward` is an operator that a forward may call.
bool isAutogradNode(std::string_view function)
{
    if (function == "torch::autograd::AccumulateGrad" || function == "AccumulateGrad")
        return true;
    while (!function.empty() && std::isdigit(static_cast<unsigned char>(function.back())))
        function.remove_suffix(1);
    return function.ends_with("Backward") && std::isupper(static_cast<unsigned char>(function.front()))
        && function.find_first_of(" :(") == function.npos;
}

bool isEngineFrame(std::string_view function)
{
    if (isAutogradNode(function))
        return true;
    return contains(function, "torch::autograd::Engine::")
        || contains(function, "torch::autograd::python::PythonEngine::")
        || function.starts_with("autograd::engine::evaluate_function: ");
}

/// What a function says; C++ functions only whether they are the engine's.
struct FunctionRole
{
    FrameRole role = FrameRole::None;
    bool isEngine = false;
    bool isPython = false;
};

FunctionRole roleOfFunction(const Trace& trace, const Frame& frame)
{
    if (frame.kind == FrameKind::Python)
        return {roleOfPython(trace.text(frame.function), trace.text(frame.file)), false, true};
    return {FrameRole::None, isEngineFrame(trace.text(frame.function)), false};
}

/// Where no optimizer shows but clipping, the optimizer is the user's own, whose update comes behind: its
/// lifetimes tell, if nothing between it and the backward does.
void leaveClippingOut(const Trace& trace, std::vector<FunctionRole>& functions)
{
    const auto isOfClipping = [&](std::size_t function) {
        return isClipping(lowered(forwardSlashes(trace.text(trace.stacks.function(function).file))));
    };
    const auto isOptimizer = [&](std::size_t function) {
        return functions[function].role == FrameRole::Optimizer
            || functions[function].role == FrameRole::OptimizerStep;
    };
    std::vector<std::size_t> clipping;
    for (std::size_t function = 0; function < functions.size(); ++function) {
        if (!isOptimizer(function))
            continue;
        if (!isOfClipping(function))
            return;
        clipping.push_back(function);
    }
    for (const std::size_t function : clipping)
        functions[function].role = FrameRole::None;
}

/// What a stack says, in one byte: the role of its frames, and what kinds there are.
constexpr std::uint8_t kRole = 0x1f;
constexpr std::uint8_t kEngine = 0x20;
constexpr std::uint8_t kPython = 0x40;
constexpr std::uint8_t kNative = 0x80;

FrameRole roleOf(std::uint8_t said)
{
    return static_cast<FrameRole>(said & kRole);
}

/// With a frame further in.
std::uint8_t with(std::uint8_t said, const FunctionRole& function)
{
    const auto bits = static_cast<std::uint8_t>(said & ~kRole);
    if (function.isPython)
        return bits | kPython | static_cast<std::uint8_t>(combined(roleOf(said), function.role));
    return said | kNative | (function.isEngine ? kEngine : std::uint8_t{0});
}

StackRole conclusion(std::uint8_t said)
{
    StackRole role;
    role.hasPython = (said & kPython) != 0;
    role.hasNative = (said & kNative) != 0;
    role.zeroGrad = roleOf(said) == FrameRole::ZeroGrad;
    const Phase phase = phaseOf(roleOf(said));
    role.phase = (said & kEngine) != 0 && phase != Phase::Optimizer ? Phase::Backward : phase;
    return role;
}

} // namespace

bool isZeroGradFunction(std::string_view function)
{
    return function.starts_with("zero_grad") || function == "_zero_grad";
}

Phase phaseOfPythonFrame(std::string_view function, std::string_view file)
{
    return phaseOf(roleOfPython(function, file));
}

StackRoles::StackRoles(const Trace& trace)
    : m_said(trace.stacks.nodeCount())
{
    for (std::size_t said = 0; said < m_roles.size(); ++said)
        m_roles[said] = conclusion(static_cast<std::uint8_t>(said));
    auto functions
        = judgedFunctions(trace.stacks, [&](const Frame& frame) { return roleOfFunction(trace, frame); });
    leaveClippingOut(trace, functions);
    bool native = false;
    // A stack is interned after its caller, so callers come first.
    for (std::size_t i = StackTable::kEmpty.index() + 1; i < m_said.size(); ++i) {
        const StackId stack{i};
        const FunctionRole& function = functions[trace.stacks.functionOf(trace.stacks.innermost(stack))];
        m_said[i] = with(m_said[trace.stacks.caller(stack).index()], function);
        native = native || !function.isPython;
    }
    m_pythonOnly = m_said.size() > 1 && !native;
}

} // namespace highwater
