#include "core/analysis/stacks/call_site.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/stacks/frame_folding.h"
#include "core/base/characters.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/trace/category_text.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// Values of StackOrigin.
constexpr std::size_t kOrigins = 3;

bool isIdentifier(char c)
{
    return isLetter(c) || isDigit(c) || c == '_';
}

/// The identifier that ends right before `end`.
std::string_view identifierBefore(std::string_view text, std::size_t end)
{
    std::size_t begin = end;
    while (begin > 0 && isIdentifier(text[begin - 1]))
        --begin;
    return text.substr(begin, end - begin);
}

/// "sum_dim_IntList" of "at::_ops::sum_dim_IntList::call(…)".
std::string_view operatorOf(std::string_view function)
{
    constexpr std::string_view prefix = "at::_ops::";
    const std::size_t at = function.find(prefix);
    if (at == std::string_view::npos)
        return {};
    const std::size_t begin = at + prefix.size();
    const std::size_t end = function.find("::", begin);
    return end == std::string_view::npos ? std::string_view() : function.substr(begin, end - begin);
}

/// How the profiler names the operator in which the autograd engine runs a node.
constexpr std::string_view kProfiledNode = "autograd::engine::evaluate_function: ";

bool isAutogradFrame(std::string_view function)
{
    return containsAny(function,
        {"torch::autograd::Engine::", "torch::autograd::InputMetadata::",
            "torch::autograd::python::PythonEngine", kProfiledNode});
}

/// The recorder, the allocator, the dispatcher and the interpreter say nothing about who allocates.
bool isPlumbing(std::string_view function)
{
    return containsAny(function,
        {"unwind", "CapturedTraceback", "gather_with_cpp", "CachingAllocator", "c10::", "at::detail::",
            "_empty_generic", "(unresolved)", "PyEval", "Py_", "PyObject", "_start", "clone"});
}

/// The call that took memory from the driver: the same for all who allocate.
bool isDriverCall(std::string_view function)
{
    return function.starts_with("cudaMalloc") || function.starts_with("cudaFree")
        || function.starts_with("cudaHostAlloc") || function.starts_with("cuMem");
}

struct NativeFrames
{
    std::string_view node; ///< innermost autograd node
    std::string_view firstOperator;
    std::string_view firstTelling;
    std::string_view driverCall;
    bool backward = false;
};

CallSite siteOfFrame(const Trace& trace, const Frame& frame, SiteKind kind)
{
    const std::string function = sanitizedText(trace.text(frame.function));
    const std::string file = sanitizedText(trace.text(frame.file));
    const std::string line = frame.line > 0 ? fmt::format(":{}", frame.line) : std::string();
    return {kind, fmt::format("{} ({}{})", function, file, line),
        fmt::format("{} {}{}", function, sourceFileName(file), line)};
}

CallSite named(SiteKind kind, std::string_view prefix, std::string_view what)
{
    const std::string text = fmt::format("{}{}", prefix, sanitizedText(what));
    return {kind, text, text};
}

CallSite siteWithoutFrames(std::string_view reason)
{
    const std::string text = fmt::format("(no stack: {})", reason);
    return {SiteKind::NoStack, text, text};
}

using IsLibrary = std::vector<bool>; ///< by function of the stack table

IsLibrary libraryFunctions(const Trace& trace)
{
    return judgedFunctions(
        trace.stacks, [&](const Frame& frame) { return isLibraryFile(trace.text(frame.file)); });
}

CallSite siteOfStack(const Trace& trace, StackId stack, const IsLibrary& isLibrary)
{
    std::optional<Frame> library;
    NativeFrames native;
    for (StackId at = stack; trace.stacks.hasFrames(at); at = trace.stacks.caller(at)) {
        const FrameId innermost = trace.stacks.innermost(at);
        const Frame frame = trace.stacks.frame(innermost);
        if (frame.kind == FrameKind::Python) {
            if (!isLibrary[trace.stacks.functionOf(innermost)])
                return siteOfFrame(trace, frame, SiteKind::User);
            if (!library)
                library = frame;
            continue;
        }
        const std::string_view function = trace.text(frame.function);
        if (native.node.empty())
            native.node = autogradNodeOf(function);
        if (native.firstOperator.empty())
            native.firstOperator = operatorOf(function);
        if (native.driverCall.empty() && isDriverCall(function))
            native.driverCall = function;
        else if (native.firstTelling.empty() && !isPlumbing(function) && !isDriverCall(function))
            native.firstTelling = function;
        native.backward = native.backward || isAutogradFrame(function);
    }
    if (!native.node.empty())
        return named(SiteKind::Backward, "backward · ", native.node);
    if (native.backward)
        return named(SiteKind::Backward, "backward · ",
            native.firstOperator.empty() ? "engine" : native.firstOperator);
    if (library)
        return siteOfFrame(trace, *library, SiteKind::Library);
    if (!native.firstOperator.empty())
        return named(SiteKind::Native, "C++ · ", native.firstOperator);
    if (native.firstTelling == kKnownFromTotals)
        return {SiteKind::NoStack, std::string(kKnownFromTotals), std::string(kKnownFromTotals)};
    if (!native.firstTelling.empty())
        return named(SiteKind::Native, "C++ · ", native.firstTelling.substr(0, 80));
    if (!native.driverCall.empty())
        return named(SiteKind::Native, "C++ · ", native.driverCall);
    return siteWithoutFrames("only frames of the recorder");
}

/// Whether any event or block of the trace has a stack: distinguishes "not recorded" from "not recorded
/// here".
bool hasAnyStack(const Trace& trace)
{
    return trace.stacks.nodeCount() > 1;
}

CallSite freedBy(CallSite site)
{
    site.freed = true;
    site.key.insert(0, kFreedBy);
    site.label.insert(0, kFreedBy);
    return site;
}

CallSite siteOf(const Trace& trace, StackId stack, StackOrigin origin, const IsLibrary& isLibrary)
{
    if (trace.stacks.hasFrames(stack))
        return origin == StackOrigin::Free ? freedBy(siteOfStack(trace, stack, isLibrary))
                                           : siteOfStack(trace, stack, isLibrary);
    if (!hasAnyStack(trace))
        return siteWithoutFrames(hasRecordedCategories(trace) ? "this kind of file has categories, not stacks"
                                                              : "stacks were not recorded in this file");
    if (origin == StackOrigin::Block)
        return siteWithoutFrames("allocated before recording began");
    if (origin == StackOrigin::Free)
        return siteWithoutFrames("allocated before the trace begins");
    if (stack == StackTable::kEmpty)
        return siteWithoutFrames(
            "no Python frames, as in backward on C++ threads, and C++ frames were not recorded");
    return siteWithoutFrames("none was taken for this event");
}

} // namespace

bool isLibraryFile(std::string_view file)
{
    const std::string path = forwardSlashes(file);
    if (path.starts_with("<frozen ") || path.starts_with("<__array_function__") || path.starts_with("torch/")
        || path.starts_with("functorch/"))
        return true;
    // The profiler shortens the standard library's paths to the file's name.
    if (path == "contextlib.py" || path == "threading.py" || path == "runpy.py")
        return true;
    if (containsAny(path,
            {"/site-packages/torch/", "/dist-packages/torch/", "/pytorch/torch/", "/site-packages/functorch/",
                "/torchinductor_", "/site-packages/triton/"}))
        return true;
    if (containsAny(path, {"/site-packages/", "/dist-packages/"}))
        return false;
    // The standard library: /usr/lib/python3.12/…, C:/…/Python312/Lib/….
    const bool windows = path.size() > 2 && path[1] == ':';
    return containsAny(path, {"/lib/python3", "/lib64/python3"}) || (windows && contains(path, "/Lib/"));
}

std::string requesterText(const Trace& trace, StackId stack)
{
    std::string text;
    for (StackId at = stack; trace.stacks.hasFrames(at); at = trace.stacks.caller(at)) {
        const Frame& frame = trace.stacks.frame(trace.stacks.innermost(at));
        if (frame.kind != FrameKind::Python)
            continue;
        const std::string_view file = trace.text(frame.file);
        if (isCallWrapper(trace.text(frame.function), file))
            continue;
        const bool isUsers = !isLibraryFile(file);
        if (!text.empty() && !isUsers)
            continue;
        const std::string label = siteOfFrame(trace, frame, SiteKind::User).label;
        if (!text.empty())
            return text + " ← " + label;
        text = label;
    }
    return text.empty() && trace.stacks.hasFrames(stack)
        ? siteOfStack(trace, stack, libraryFunctions(trace)).label
        : text;
}

std::string_view autogradNodeOf(std::string_view function)
{
    if (function.starts_with(kProfiledNode))
        return function.substr(kProfiledNode.size());
    if (!contains(function, "torch::autograd::") && !contains(function, "Backward"))
        return {};
    static constexpr std::array<std::string_view, 4> calls
        = {"::apply(", "_apply_functional(", "::apply_impl", "_apply_functional_ivalue("};
    for (const std::string_view call : calls) {
        const std::size_t at = function.find(call);
        if (at == std::string_view::npos)
            continue;
        const std::string_view name = identifierBefore(function, at);
        if (!name.empty() && name != "Node" && name != "autograd")
            return name;
    }
    return {};
}

CallSites::CallSites(const Trace& trace, const AllocationTable& allocations)
    : m_allocations(allocations)
    , m_ofSlot((trace.stacks.nodeCount() + 1) * kOrigins)
{
    const IsLibrary isLibrary = libraryFunctions(trace);
    const auto count = static_cast<AllocationIndex>(allocations.size());
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < count; ++i) {
        interruption.round();
        if (SiteId& site = m_ofSlot[slotOf(i)]; site.isNone())
            site = intern(siteOf(trace, allocations.stack(i), allocations.stackOrigin(i), isLibrary));
    }
}

std::size_t CallSites::slotOf(AllocationIndex allocation) const
{
    const StackId stack = m_allocations.stack(allocation);
    const std::size_t node = stack.isNone() ? 0 : stack.index() + 1;
    return node * kOrigins + static_cast<std::size_t>(m_allocations.stackOrigin(allocation));
}

SiteId CallSites::intern(CallSite site)
{
    const auto next = static_cast<std::uint32_t>(m_sites.size());
    if (const auto found = m_idOfKey.find(site.key); found != m_idOfKey.end())
        return SiteId(found->second);
    m_sites.push_back(std::move(site));
    m_idOfKey.emplace(m_sites.back().key, next);
    return SiteId(next);
}

} // namespace highwater
