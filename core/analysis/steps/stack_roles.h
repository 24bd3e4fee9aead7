#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// What the frames of one stack say about the moment it was taken.
struct StackRole
{
    Phase phase = Phase::Unknown;
    /// `zero_grad`: it may stand before forward, before backward or after the optimizer, so it tells nothing.
    bool zeroGrad = false;
    bool hasPython = false;
    bool hasNative = false;

    bool operator==(const StackRole&) const = default;
};

/// The phase that a Python frame stands for; Unknown for most. The path may use either kind of slash.
///
/// Names are those of PyTorch (torch/optim, torch/autograd, torch/nn/modules/module.py,
/// torch/utils/checkpoint.py, torch/utils/data), of trainers (Hugging Face, TRL, verl, Lightning, DeepSpeed)
/// and of what people call such functions in their own scripts.
Phase phaseOfPythonFrame(std::string_view function, std::string_view file);

/// Whether a function gives gradients back: `zero_grad`, `zero_grad_buffer`, …
bool isZeroGradFunction(std::string_view function);

/// The role of every stack of a trace, each frame and each stack looked at once.
///
/// Python frames count from the outermost in: generation, scoring, evaluation and backward keep what they
/// call (a `forward` under `backward` is recomputation), an optimizer keeps all but a closure that calls the
/// model. The order between Python and C++ frames cannot be relied on, so a frame of the autograd engine
/// anywhere makes the stack backward, unless an optimizer runs in it.
class StackRoles
{
public:
    /// O(frames + stacks).
    explicit StackRoles(const Trace& trace);

    /// Of a stack; nothing for none.
    StackRole of(StackId stack) const { return stack.isNone() ? StackRole{} : m_roles[stack.index()]; }
    /// Stacks were taken, and no frame of any is C++: what has no frame at all ran on threads of their own.
    bool pythonOnly() const { return m_pythonOnly; }

private:
    std::vector<StackRole> m_roles; ///< by stack id
    bool m_pythonOnly = false;
};

} // namespace highwater
