#include "core/analysis/stacks/call_site.h"

#include <array>

#include <fmt/format.h>

#include "core/analysis/stacks/first_frames.h"
#include "core/analysis/stacks/frame_folding.h"
#include "core/analysis/stacks/no_stacks.h"
#include "core/base/characters.h"
#include "core/base/interruption.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// The place of a call site: a Python frame, or a kind and a text.
struct SitePlace
{
    FrameId frame;
    SiteKind kind = SiteKind::NoStack; ///< used if there is no frame
    std::string text; ///< used if there is no frame
};

bool isIdentifierCharacter(char c)
{
    return isLetter(c) || isDigit(c) || c == '_';
}

/// Returns the identifier that ends right before `end`.
std::string_view identifierBefore(std::string_view text, std::size_t end)
{
    std::size_t begin = end;
    while (begin > 0 && isIdentifierCharacter(text[begin - 1]))
        --begin;
    return text.substr(begin, end - begin);
}

/// Returns "sum_dim_IntList" for "at::_ops::sum_dim_IntList::call(…)".
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

/// The profiler's prefix for the operator in which the autograd engine runs a node.
constexpr std::string_view kProfiledNode = "autograd::engine::evaluate_function: ";

bool isAutogradFrame(std::string_view function)
{
    return containsAny(function,
        {"torch::autograd::Engine::", "torch::autograd::InputMetadata::",
            "torch::autograd::python::PythonEngine", kProfiledNode});
}

/// True for frames of the recorder, the allocator, the dispatcher and the interpreter, which do not show what
/// code requests memory.
bool isPlumbing(std::string_view function)
{
    return containsAny(function,
        {"unwind", "CapturedTraceback", "gather_with_cpp", "CachingAllocator", "c10::", "at::detail::",
            "_empty_generic", "(unresolved)", "PyEval", "Py_", "PyObject", "_start", "clone"});
}

/// True for a driver call. It identifies the requester less well than other frames, since all requesters make
/// it.
bool isDriverCall(std::string_view function)
{
    return function.starts_with("cudaMalloc") || function.starts_with("cudaFree")
        || function.starts_with("cudaHostAlloc") || function.starts_with("cuMem");
}

struct NativeFrames
{
    std::string_view node; ///< innermost autograd node
    std::string_view firstOperator;
    std::string_view firstMeaningful;
    std::string_view driverCall;
    bool isBackward = false;
};

/// Makes the site of a frame, with its texts.
CallSite siteOfFrame(const Trace& trace, const Frame& frame, SiteKind kind)
{
    const std::string function = nameText(trace.text(frame.function));
    const std::string file = nameText(trace.text(frame.file));
    const std::string line = frame.line > 0 ? fmt::format(":{}", frame.line) : std::string();
    return {kind, fmt::format("{} ({}{})", function, file, line), codePlaceText(function, file + line)};
}

SitePlace namedPlace(SiteKind kind, std::string_view prefix, std::string_view name)
{
    return {{}, kind, fmt::format("{}{}", prefix, nameText(name))};
}

SitePlace placeWithoutFrames(std::string_view reason)
{
    return {{}, SiteKind::NoStack, fmt::format("(no stack: {})", reason)};
}

using LibraryFlags = std::vector<bool>; ///< by function id of the stack table

LibraryFlags libraryFunctions(const Trace& trace)
{
    return resultsByFunction(
        trace.stacks, [&](const Frame& frame) { return isLibraryFile(trace.text(frame.file)); });
}

/// Returns the place of a stack that has frames, by the rules of `SiteKind`.
SitePlace placeOfStack(const Trace& trace, StackId stack, const LibraryFlags& isLibrary)
{
    FrameId library;
    NativeFrames native;
    for (StackId at = stack; trace.stacks.hasFrames(at); at = trace.stacks.caller(at)) {
        const FrameId innermost = trace.stacks.innermost(at);
        const Frame frame = trace.stacks.frame(innermost);
        if (frame.kind == FrameKind::Python) {
            if (!isLibrary[trace.stacks.functionOf(innermost)])
                return {innermost, SiteKind::User, {}};
            if (library.isNone())
                library = innermost;
            continue;
        }
        const std::string_view function = trace.text(frame.function);
        if (native.node.empty())
            native.node = autogradNode(function);
        if (native.firstOperator.empty())
            native.firstOperator = operatorOf(function);
        if (native.driverCall.empty() && isDriverCall(function))
            native.driverCall = function;
        else if (native.firstMeaningful.empty() && !isPlumbing(function) && !isDriverCall(function))
            native.firstMeaningful = function;
        native.isBackward = native.isBackward || isAutogradFrame(function);
    }
    if (!native.node.empty())
        return namedPlace(SiteKind::Backward, "backward · ", native.node);
    if (native.isBackward)
        return namedPlace(SiteKind::Backward, "backward · ",
            native.firstOperator.empty() ? "engine" : native.firstOperator);
    if (!library.isNone())
        return {library, SiteKind::Library, {}};
    if (!native.firstOperator.empty())
        return namedPlace(SiteKind::Native, "C++ · ", native.firstOperator);
    if (native.firstMeaningful == kKnownFromTotals)
        return {{}, SiteKind::NoStack, std::string(kKnownFromTotals)};
    if (!native.firstMeaningful.empty())
        return namedPlace(SiteKind::Native, "C++ · ", native.firstMeaningful.substr(0, 80));
    if (!native.driverCall.empty())
        return namedPlace(SiteKind::Native, "C++ · ", native.driverCall);
    return placeWithoutFrames("only frames of the recorder");
}

/// Returns the place of any stack; for one without frames, the reason.
SitePlace sitePlaceOf(const Trace& trace, StackId stack, StackOrigin origin, const LibraryFlags& isLibrary)
{
    if (trace.stacks.hasFrames(stack))
        return placeOfStack(trace, stack, isLibrary);
    if (const std::string reason = noStacksReason(trace); !reason.empty())
        return placeWithoutFrames(reason);
    if (origin == StackOrigin::Block)
        return placeWithoutFrames("allocated before recording began");
    if (origin == StackOrigin::Free)
        return placeWithoutFrames("freed, allocated before recording began");
    if (stack == StackTable::kEmpty)
        return placeWithoutFrames("backward or another C++ thread");
    return placeWithoutFrames("not recorded for this event");
}

} // namespace

std::string siteLabel(std::string_view key)
{
    const std::size_t open = key.rfind(" (");
    const std::size_t colon = key.rfind(':');
    const bool hasLine = open != std::string_view::npos && open > 0 && key.ends_with(')')
        && colon != std::string_view::npos && colon > open
        && key.find_first_not_of("0123456789", colon + 1) == key.size() - 1;
    return hasLine ? codePlaceText(key.substr(0, open), key.substr(open + 2, key.size() - open - 3))
                   : std::string(key);
}

FrameId codeFrame(const Trace& trace, StackId stack)
{
    FrameId innermost;
    for (StackId node = stack; trace.stacks.hasFrames(node); node = trace.stacks.caller(node)) {
        const FrameId id = trace.stacks.innermost(node);
        const Frame& frame = trace.stacks.frame(id);
        if (frame.kind != FrameKind::Python)
            continue;
        if (isUserFile(trace.text(frame.file)))
            return id;
        if (innermost.isNone())
            innermost = id;
    }
    return innermost;
}

std::string requesterText(const Trace& trace, StackId stack)
{
    std::string requester;
    std::string packageCaller;
    bool isOwnCode = false; // the requester itself is the user's code
    for (StackId node = stack; trace.stacks.hasFrames(node); node = trace.stacks.caller(node)) {
        const Frame& frame = trace.stacks.frame(trace.stacks.innermost(node));
        if (frame.kind != FrameKind::Python)
            continue;
        const std::string_view file = trace.text(frame.file);
        if (isCallWrapper(trace.text(frame.function), file) || isRecorderFile(file)
            || (!requester.empty() && isLibraryFile(file)))
            continue;
        const std::string label = siteOfFrame(trace, frame, SiteKind::User).label;
        if (requester.empty()) {
            requester = label;
            isOwnCode = isUserFile(file);
        } else if (isOwnCode) {
            return requester + " ← " + label;
        } else if (isUserFile(file)) {
            return fmt::format("{} [{}]", label, requester);
        } else if (packageCaller.empty()) {
            packageCaller = label;
        }
    }
    if (!requester.empty() || !trace.stacks.hasFrames(stack))
        return packageCaller.empty() ? requester : fmt::format("{} [{}]", packageCaller, requester);
    const SitePlace place = placeOfStack(trace, stack, libraryFunctions(trace));
    return place.frame.isNone() ? place.text
                                : siteOfFrame(trace, trace.stacks.frame(place.frame), place.kind).label;
}

std::string_view autogradNode(std::string_view function)
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

/// Finds the call site of each stack, and adds the site to `CallSites` on first use.
class CallSites::Finder
{
public:
    explicit Finder(CallSites& sites)
        : m_sites(sites)
        , m_isLibrary(libraryFunctions(sites.m_trace))
        , m_firstFrames(firstFrames(sites.m_trace))
        , m_sitesOfFrame(sites.m_trace.stacks.frameCount())
    {
    }

    SiteId siteOf(StackId stack, StackOrigin origin)
    {
        const Trace& trace = m_sites.m_trace;
        const SitePlace place = sitePlaceOf(trace, stack, origin, m_isLibrary);
        const bool freed = origin == StackOrigin::Free && trace.stacks.hasFrames(stack);
        SiteId& site
            = (place.frame.isNone() ? m_sitesOfText[place.text] : sitesOfFrame(place.frame))[freed ? 1 : 0];
        if (site.isNone())
            site = add(place, freed);
        return site;
    }

private:
    /// The site for memory allocated at a place, and the site for memory freed there.
    using Sites = std::array<SiteId, 2>;

    Sites& sitesOfFrame(FrameId frame)
    {
        return m_sitesOfFrame[(m_firstFrames.empty() ? frame : m_firstFrames[frame.index()]).index()];
    }

    SiteId add(const SitePlace& place, bool freed)
    {
        const SiteId site(static_cast<std::uint32_t>(m_sites.size()));
        m_sites.m_frames.push_back(place.frame);
        m_sites.m_kinds.push_back(place.kind);
        m_sites.m_details.push_back(
            (freed ? kFreedBit : 0) | static_cast<std::uint32_t>(m_sites.m_texts.size()) << 1);
        if (place.frame.isNone())
            m_sites.m_texts.push_back(place.text);
        return site;
    }

    CallSites& m_sites;
    LibraryFlags m_isLibrary; ///< by function
    std::vector<FrameId> m_firstFrames; ///< by frame; empty if no two frames have the same text
    std::vector<Sites> m_sitesOfFrame;
    tsl::robin_map<std::string, Sites> m_sitesOfText;
};

namespace {

/// Returns the index in `m_siteOfStack`.
std::size_t slotOf(StackId stack)
{
    return stack.isNone() ? 0 : stack.index() + 1;
}

std::uint64_t keyOf(StackId stack, StackOrigin origin)
{
    return std::uint64_t{stack.value()} << 2 | static_cast<std::uint64_t>(origin);
}

} // namespace

CallSites::CallSites(const Trace& trace, const AllocationTable& allocations)
    : m_trace(trace)
    , m_allocations(allocations)
    , m_siteOfStack(trace.stacks.nodeCount() + 1)
{
    Finder finder(*this);
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        interruption.round();
        const StackId stack = allocations.stack(i);
        const StackOrigin origin = allocations.stackOrigin(i);
        SiteId& site = origin == StackOrigin::Allocation ? m_siteOfStack[slotOf(stack)]
                                                         : m_siteOfOtherStack[keyOf(stack, origin)];
        if (site.isNone())
            site = finder.siteOf(stack, origin);
    }
}

SiteId CallSites::of(AllocationIndex allocation) const
{
    const StackId stack = m_allocations.stack(allocation);
    const StackOrigin origin = m_allocations.stackOrigin(allocation);
    return origin == StackOrigin::Allocation ? m_siteOfStack[slotOf(stack)]
                                             : m_siteOfOtherStack.at(keyOf(stack, origin));
}

CallSite CallSites::site(SiteId id) const
{
    CallSite site;
    if (frame(id).isNone()) {
        const std::string& text = m_texts[m_details[id.index()] >> 1];
        site = {kind(id), text, text};
    } else
        site = siteOfFrame(m_trace, m_trace.stacks.frame(frame(id)), kind(id));
    if (isFreed(id)) {
        site.freed = true;
        site.key.insert(0, kFreedBy);
        site.label.insert(0, kFreedBy);
    }
    return site;
}

SiteId CallSites::siteWithKey(std::string_view key) const
{
    for (std::uint32_t number = 0; number < size(); ++number)
        if (site(SiteId(number)).key == key)
            return SiteId(number);
    return {};
}

std::vector<bool> allocationsOf(
    const CallSites& sites, const AllocationTable& allocations, std::string_view key)
{
    std::vector<bool> members(allocations.size());
    if (const SiteId site = sites.siteWithKey(key); !site.isNone())
        for (AllocationIndex i = 0; i < members.size(); ++i)
            members[i] = sites.of(i) == site;
    return members;
}

} // namespace highwater
