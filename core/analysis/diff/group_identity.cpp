#include "core/analysis/diff/group_identity.h"

namespace highwater {

namespace {

const CallSite& siteOf(const DiffInput& input, AllocationIndex i)
{
    return input.sites.site(input.sites.of(i));
}

std::string freedMark(const CallSite& site)
{
    return site.freed ? "freed" : "";
}

/// The frame that names a call site in Python; none: the site is no Python frame.
FrameId siteFrame(const DiffInput& input, AllocationIndex i)
{
    const CallSite& site = siteOf(input, i);
    if (site.kind != SiteKind::User && site.kind != SiteKind::Library)
        return {};
    const StackTable& stacks = input.trace.stacks;
    FrameId library;
    for (StackId at = input.allocations.stack(i); stacks.hasFrames(at); at = stacks.caller(at)) {
        const Frame& frame = stacks.frame(stacks.innermost(at));
        if (frame.kind != FrameKind::Python)
            continue;
        if (!isLibraryFile(input.trace.text(frame.file)))
            return stacks.innermost(at);
        if (library.isNone())
            library = stacks.innermost(at);
    }
    return library;
}

GroupIdentity bySite(
    const DiffInput& input, AllocationIndex i, const std::vector<std::uint32_t>& numberOfFrame)
{
    const CallSite& site = siteOf(input, i);
    const FrameId frame = siteFrame(input, i);
    if (frame.isNone())
        return {0, site.key};
    return {1 + std::uint64_t{numberOfFrame[frame.index()]}, freedMark(site)};
}

GroupIdentity byStack(
    const DiffInput& input, AllocationIndex i, const std::vector<std::uint32_t>& numberOfStack)
{
    const CallSite& site = siteOf(input, i);
    const StackId stack = input.allocations.stack(i);
    if (!input.trace.stacks.hasFrames(stack))
        return {0, site.key};
    return {numberOfStack[stack.index()], freedMark(site)};
}

} // namespace

GroupIdentity identityOf(const DiffInput& input, const StackClasses::Side& classes,
    AllocationIndex allocation, GroupKey key, LineRule lines)
{
    const bool equal = lines == LineRule::Equal;
    switch (key) {
    case GroupKey::Stack: return byStack(input, allocation, equal ? classes.ownStack : classes.stack);
    case GroupKey::Site: return bySite(input, allocation, equal ? classes.ownPlace : classes.place);
    case GroupKey::Function: return bySite(input, allocation, classes.function);
    case GroupKey::File: return bySite(input, allocation, classes.file);
    case GroupKey::Size: return {static_cast<std::uint64_t>(input.allocations.bytes(allocation)), ""};
    default: return {};
    }
}

GroupIdentity outlineOf(const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation)
{
    return byStack(input, allocation, classes.outline);
}

} // namespace highwater
