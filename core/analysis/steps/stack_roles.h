#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// The evidence of a stack's frames for the phase of the program.
struct StackRole
{
    Phase phase = Phase::Unknown;
    /// True for `zero_grad`. It does not identify a phase, because it may run before forward, before backward
    /// or after the optimizer.
    bool zeroGrad = false;
    bool hasPython = false;
    bool hasNative = false;

    bool operator==(const StackRole&) const = default;
};

/// Returns the phase that a Python frame identifies; Unknown for most. The path may use either kind of slash.
///
/// Names are those of PyTorch (torch/optim, torch/autograd, torch/nn/modules/module.py,
/// torch/utils/checkpoint.py, torch/utils/data), of trainers (Hugging Face, TRL, verl, Lightning, DeepSpeed)
/// and those common in users' own scripts.
Phase phaseOfPythonFrame(std::string_view function, std::string_view file);

/// True for functions that free gradients: `zero_grad`, `zero_grad_buffer`, ….
bool isZeroGradFunction(std::string_view function);

/// The roles of all stacks of a trace, one byte for each stack. Does not refer to the trace.
///
/// Python frames are combined from the outermost inwards. Generation, scoring, evaluation and backward
/// include the functions that they call: a `forward` called by `backward` is a recomputation. An optimizer
/// includes all functions except a closure that calls the model. The order between Python and C++ frames is
/// unreliable, so any frame of the autograd engine makes the stack backward, unless an optimizer is on it.
class StackRoles
{
public:
    /// O(frames + stacks).
    explicit StackRoles(const Trace& trace);

    /// Returns the role of a stack; an empty role for no stack.
    StackRole roleOf(StackId stack) const
    {
        return stack.isNone() ? StackRole{} : m_roles[m_evidence[stack.index()]];
    }
    /// True if the trace has stacks, but no C++ frames. Then events without frames are from threads without
    /// Python, such as those of autograd.
    bool pythonOnly() const { return m_pythonOnly; }

private:
    std::vector<std::uint8_t> m_evidence; ///< by stack id
    std::array<StackRole, 256> m_roles; ///< by the value in m_evidence
    bool m_pythonOnly = false;
};

} // namespace highwater
