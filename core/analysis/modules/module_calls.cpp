#include "core/analysis/modules/module_calls.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// The role of a stack frame in the call of a module.
enum class FrameRole : std::uint8_t
{
    None, ///< a C++ frame
    Plain,
    Call, ///< code of nn.Module on the way to the function that the module runs
    Wrapper, ///< a library's wrapper around the function that the module runs
    Named, ///< the trace names the module
    Recompute, ///< a checkpoint running a module again
};

/// True for code between `nn.Module.__call__` and `forward`: model libraries decorate `forward`, or replace
/// it by a function that checkpoints.
bool isWrapper(std::string_view file, std::string_view function)
{
    const bool isDecorator = containsAny(file, {"/transformers/", "/diffusers/", "/torchtitan/"});
    return (isDecorator && function != "forward") || contains(file, "/torch/_dynamo/")
        || contains(file, "/accelerate/") || contains(file, "/torch/utils/_contextlib")
        || contains(file, "/torch/amp/");
}

FrameRole frameRoleOf(const Trace& trace, const Frame& frame)
{
    const std::string_view function = trace.text(frame.function);
    if (frame.kind == FrameKind::Native)
        return function.starts_with(ModuleCalls::kNamedPrefix) ? FrameRole::Named : FrameRole::None;
    const std::string_view file = trace.text(frame.file);
    if (file.ends_with("torch/nn/modules/module.py") || file.ends_with("torch\\nn\\modules\\module.py")) {
        const bool calls = function == "_call_impl" || function == "_wrapped_call_impl"
            || function == "__call__" || function == "inner" || function == "_slow_forward";
        return calls ? FrameRole::Call : FrameRole::Plain;
    }
    const bool isCheckpoint = contains(file, "torch/utils/checkpoint.py");
    if (isCheckpoint && (function == "recompute_fn" || function == "unpack_hook" || function == "backward"))
        return FrameRole::Recompute;
    return isWrapper(file, function) ? FrameRole::Wrapper : FrameRole::Plain;
}

bool isFunctional(std::string_view file)
{
    return file.ends_with("torch/nn/functional.py") || file.ends_with("torch\\nn\\functional.py");
}

void addLine(ModuleCall& call, std::int32_t line)
{
    if (line <= 0)
        return;
    call.firstLine = call.firstLine == 0 ? line : std::min(call.firstLine, line);
    call.lastLine = std::max(call.lastLine, line);
}

} // namespace

/// The state while a stack is read from the outermost frame inwards.
struct ModuleCalls::Reading
{
    ModuleCallId call;
    FrameId last; ///< innermost Python frame outside nn.Module's own code
    int depth = 0; ///< number of modules entered so far
    bool isRecomputing = false;
    bool isCalling = false; ///< between the call of a module and the function that it runs
    bool isEntered = false; ///< `last` is the function that the module runs
};

/// Gives each different call a number.
class ModuleCalls::Numbering
{
public:
    explicit Numbering(std::vector<ModuleCall>& calls)
        : m_calls(calls)
    {
    }
    ModuleCallId callOf(const ModuleCall& call)
    {
        const std::uint64_t place = std::uint64_t{call.caller.value()} << 32 | call.calledAt.value();
        const auto [found, isNew] = m_known.try_emplace(
            std::pair(place, call.function), ModuleCallId(static_cast<std::uint32_t>(m_calls.size())));
        if (isNew)
            m_calls.push_back(call);
        return found->second;
    }

    /// Returns false if the module is nested too deep and counts as part of the one around it.
    bool enter(Reading& reading, std::size_t function, FrameId calledAt)
    {
        if (reading.depth == kDeepest)
            return false;
        ++reading.depth;
        reading.call = callOf({reading.call, function, calledAt, reading.isRecomputing});
        return true;
    }

private:
    std::vector<ModuleCall>& m_calls;
    NumberMap<std::pair<std::uint64_t, std::size_t>, ModuleCallId> m_known;
};

bool callsModules(const Trace& trace)
{
    for (std::size_t function = 0; function < trace.stacks.functionCount(); ++function)
        if (const FrameRole role = frameRoleOf(trace, trace.stacks.function(function));
            role == FrameRole::Call || role == FrameRole::Named)
            return true;
    return false;
}

/// Handles a frame that is not part of how modules are called: the function that a module runs, or one below.
void ModuleCalls::readPlain(Reading& reading, Numbering& numbering, FrameId frame)
{
    const Frame plain = m_trace.stacks.frame(frame);
    const bool isLibrary = reading.isEntered && isFunctional(m_trace.text(plain.file));
    if (isLibrary && m_calls[reading.call.index()].library.isNone())
        m_calls[reading.call.index()].library = plain.function;
    reading.isEntered
        = reading.isCalling && numbering.enter(reading, m_trace.stacks.functionOf(frame), reading.last);
    if (reading.isEntered)
        addLine(m_calls[reading.call.index()], plain.line);
    reading.isCalling = false;
    reading.last = frame;
}

ModuleCalls::ModuleCalls(const Trace& trace)
    : m_trace(trace)
{
    const StackTable& stacks = trace.stacks;
    std::vector<FrameRole> roles;
    for (std::size_t function = 0; function < stacks.functionCount(); ++function)
        roles.push_back(frameRoleOf(trace, stacks.function(function)));
    Numbering numbering(m_calls);
    std::vector<Reading> readings(stacks.nodeCount());
    m_ofStack.resize(stacks.nodeCount());
    // A stack is interned after its caller, so callers come first.
    for (std::uint32_t node = 0; node < stacks.nodeCount(); ++node) {
        const StackId stack(node);
        if (!stacks.hasFrames(stack))
            continue;
        const FrameId frame = stacks.innermost(stack);
        const std::size_t function = stacks.functionOf(frame);
        const StackId caller = stacks.caller(stack);
        Reading reading = caller.isNone() ? Reading() : readings[caller.index()];
        switch (roles[function]) {
        case FrameRole::None: break;
        case FrameRole::Call: reading.isCalling = true; break;
        case FrameRole::Wrapper:
            if (!reading.isCalling)
                reading.last = frame;
            break;
        case FrameRole::Recompute:
            reading = Reading();
            reading.last = frame;
            reading.isRecomputing = true;
            break;
        case FrameRole::Named: numbering.enter(reading, function, {}); break;
        case FrameRole::Plain: readPlain(reading, numbering, frame); break;
        }
        readings[node] = reading;
        m_ofStack[node] = reading.call;
    }
}

std::vector<ModuleCallId> ModuleCalls::chain(ModuleCallId id) const
{
    std::vector<ModuleCallId> chain;
    for (; !id.isNone(); id = m_calls[id.index()].caller)
        chain.push_back(id);
    std::ranges::reverse(chain);
    return chain;
}

bool ModuleCalls::isNamed(ModuleCallId id) const
{
    return m_trace.stacks.function(m_calls[id.index()].function).kind == FrameKind::Native;
}

} // namespace highwater
