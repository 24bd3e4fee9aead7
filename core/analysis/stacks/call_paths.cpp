#include "core/analysis/stacks/call_paths.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/stacks/folded_stack.h"
#include "core/analysis/stacks/frame_folding.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns one name for two adjacent library frames: their common name, else "torch" or "libraries".
std::string joinedLibraryName(const std::string& a, const std::string& b)
{
    if (a == b)
        return a;
    return a.starts_with("torch") && b.starts_with("torch") ? "torch" : "libraries";
}

} // namespace

std::string CallFunction::label() const
{
    if (file.empty() || kind == FunctionKind::Native)
        return name;
    return codePlaceText(name, file, line);
}

CallPaths::CallPaths(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    FrameDetail detail, FrameLines lines)
    : m_trace(trace)
    , m_allocations(allocations)
    , m_sites(sites)
    , m_detail(detail)
    , m_lines(lines)
    , m_functionOfFrame(trace.stacks.frameCount(), kUnseen)
{
}

std::uint64_t CallPaths::keyOf(AllocationIndex i) const
{
    // The site distinguishes stacks without frames, and the stack of a free from the same stack of an
    // allocation.
    return std::uint64_t{m_allocations.stack(i).value()} << 32 | m_sites.of(i).value();
}

CallPaths::Path CallPaths::pathOf(AllocationIndex i)
{
    const CallSite& site = m_sites.site(m_sites.of(i));
    Path path{site.freed, functionsOfStack(m_allocations.stack(i))};
    std::ranges::reverse(path.functions);
    if (m_detail == FrameDetail::Own)
        joinLibraryFrames(path.functions);
    if (path.functions.empty())
        path.functions = placeholdersOf(site);
    return path;
}

FunctionId CallPaths::intern(
    FunctionKind kind, std::string name, std::string file, FrameId frame, std::int32_t line)
{
    const std::string key = fmt::format("{}\n{}\n{}\n{}", static_cast<int>(kind), name, file, line);
    const auto [found, isNew] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_functions.size()));
    if (isNew)
        m_functions.push_back({kind, std::move(name), std::move(file), frame, line});
    return FunctionId(found->second);
}

std::uint32_t CallPaths::functionOf(FrameId id)
{
    std::uint32_t& function = m_functionOfFrame[id.index()];
    if (function == kUnseen)
        function = classify(id);
    return function;
}

std::uint32_t CallPaths::classify(FrameId id)
{
    const Frame& frame = m_trace.stacks.frame(id);
    const std::string_view function = m_trace.text(frame.function);
    const std::string_view file = m_trace.text(frame.file);
    if (frame.kind == FrameKind::Native) {
        if (m_detail != FrameDetail::All || isRecorderFrame(function) || isInterpreterFrame(function, file))
            return kOmitted;
        const std::string name = nameText(function);
        return intern(FunctionKind::Native, name.empty() ? "(unnamed)" : name,
            file == "??" ? std::string() : nameText(file), id)
            .value();
    }
    if (isCallWrapper(function, file))
        return kOmitted;
    const bool isLibrary = isLibraryFile(file);
    if (isLibrary && m_detail == FrameDetail::Own)
        return intern(FunctionKind::Library, nameText(libraryName(file))).value();
    return intern(isLibrary ? FunctionKind::Library : FunctionKind::Own, nameText(function), nameText(file),
        id, m_lines == FrameLines::Apart ? frame.line : 0)
        .value();
}

/// Returns the functions of the stack, innermost first.
std::vector<FunctionId> CallPaths::functionsOfStack(StackId stack)
{
    std::vector<FunctionId> functions;
    for (StackId node = stack; m_trace.stacks.hasFrames(node); node = m_trace.stacks.caller(node))
        if (const std::uint32_t function = functionOf(m_trace.stacks.innermost(node)); function != kOmitted)
            functions.push_back(FunctionId(function));
    return functions;
}

void CallPaths::joinLibraryFrames(std::vector<FunctionId>& path)
{
    std::vector<FunctionId> joined;
    for (const FunctionId function : path) {
        const auto isLibrary
            = [&](FunctionId id) { return m_functions[id.index()].kind == FunctionKind::Library; };
        if (joined.empty() || !isLibrary(function) || !isLibrary(joined.back())) {
            joined.push_back(function);
            continue;
        }
        joined.back() = intern(FunctionKind::Library,
            joinedLibraryName(m_functions[joined.back().index()].name, m_functions[function.index()].name));
    }
    path = std::move(joined);
}

std::vector<FunctionId> CallPaths::placeholdersOf(const CallSite& site)
{
    const std::string name = site.freed ? site.key.substr(kFreedBy.size()) : site.key;
    const FunctionId placeholder = intern(FunctionKind::Named, name);
    if (site.kind == SiteKind::Backward)
        return {intern(FunctionKind::Named, std::string(kBackwardRoot)), placeholder};
    if (site.kind == SiteKind::Native)
        return {intern(FunctionKind::Named, std::string(kNativeRoot)), placeholder};
    return {placeholder};
}

} // namespace highwater
