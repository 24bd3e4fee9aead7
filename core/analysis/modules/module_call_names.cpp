#include <array>

#include <fmt/format.h>

#include "core/analysis/modules/module_calls.h"
#include "core/analysis/modules/module_names.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"

/// The texts of `ModuleCalls`: names, places and classes of module calls.
namespace highwater {

namespace {

/// Code of torch.nn that belongs to one class.
struct TorchClass
{
    std::string_view file; ///< in torch/nn/modules
    std::string_view library; ///< the function of torch.nn.functional that it calls; empty for any
    std::string_view name;
};

constexpr std::array<TorchClass, 16> kTorchClasses = {{
    {"container.py", "", "Sequential"}, // ModuleList and ModuleDict have no `forward`
    {"normalization.py", "layer_norm", "LayerNorm"},
    {"normalization.py", "group_norm", "GroupNorm"},
    {"normalization.py", "rms_norm", "RMSNorm"},
    {"sparse.py", "embedding", "Embedding"},
    {"sparse.py", "embedding_bag", "EmbeddingBag"},
    {"dropout.py", "dropout", "Dropout"},
    {"activation.py", "relu", "ReLU"},
    {"activation.py", "silu", "SiLU"},
    {"activation.py", "softmax", "Softmax"},
    {"activation.py", "leaky_relu", "LeakyReLU"},
    {"activation.py", "multi_head_attention_forward", "MultiheadAttention"},
    {"loss.py", "cross_entropy", "CrossEntropyLoss"},
    {"loss.py", "nll_loss", "NLLLoss"},
    {"loss.py", "mse_loss", "MSELoss"},
    {"loss.py", "l1_loss", "L1Loss"},
}};

/// In every version of PyTorch, `Linear.forward` ends before this line of linear.py and `Bilinear.forward`
/// begins after it.
constexpr std::int32_t kLinearEnd = 150;

std::string_view torchClassName(std::string_view file, std::string_view library, std::int32_t lastLine)
{
    if (!containsAny(file, {"torch/nn/modules/", "torch\\nn\\modules\\"}))
        return {};
    const std::string_view name = sourceFileName(file);
    if (name == "linear.py")
        return lastLine > 0 && lastLine < kLinearEnd ? "Linear" : "";
    for (const TorchClass& known : kTorchClasses)
        if (known.file == name && (known.library.empty() || known.library == library))
            return known.name;
    return {};
}

} // namespace

std::string ModuleCalls::name(ModuleCallId id) const
{
    const Frame& frame = m_trace.stacks.function(m_calls[id.index()].function);
    const std::string_view function = m_trace.text(frame.function);
    return isNamed(id) ? nameText(function.substr(kNamedPrefix.size()))
                       : nameText(function) + " " + nameText(sourceFileName(m_trace.text(frame.file)));
}

std::string ModuleCalls::title(ModuleCallId id) const
{
    const ModuleCall& call = m_calls[id.index()];
    if (call.firstLine == 0)
        return name(id);
    const std::string lines = call.firstLine == call.lastLine
        ? std::to_string(call.firstLine)
        : fmt::format("{}–{}", call.firstLine, call.lastLine);
    const Frame& frame = m_trace.stacks.function(call.function);
    return isNamed(id) ? name(id) + ":" + lines
                       : fmt::format("{} ({}:{})", nameText(m_trace.text(frame.function)),
                           nameText(sourceFileName(m_trace.text(frame.file))), lines);
}

std::string ModuleCalls::className(ModuleCallId id) const
{
    const ModuleCall& call = m_calls[id.index()];
    if (isNamed(id))
        return instanceName(name(id)).first;
    const Frame& frame = m_trace.stacks.function(call.function);
    if (m_trace.text(frame.function) != "forward")
        return {};
    const std::string_view library = call.library.isNone() ? std::string_view() : m_trace.text(call.library);
    return std::string(torchClassName(m_trace.text(frame.file), library, call.lastLine));
}

std::string ModuleCalls::calledAt(ModuleCallId id) const
{
    const FrameId at = m_calls[id.index()].calledAt;
    if (at.isNone())
        return {};
    const Frame frame = m_trace.stacks.frame(at);
    return codePlaceText({}, m_trace.text(frame.file), frame.line);
}

} // namespace highwater
