#include "core/analysis/diff/group_identity.h"

namespace highwater {

namespace {

std::string siteKey(const DiffInput& input, SiteId site)
{
    return input.sites.site(site).key;
}

/// Returns a mark that distinguishes a site of frees from a site of allocations.
std::string freedMark(const DiffInput& input, SiteId site)
{
    return input.sites.isFreed(site) ? "freed" : "";
}

GroupIdentity identityBySite(
    const DiffInput& input, AllocationIndex i, const StackClasses::Numbers& numberOfFrame)
{
    const SiteId site = input.sites.of(i);
    const FrameId frame = input.sites.frame(site);
    if (frame.isNone())
        return {0, siteKey(input, site)};
    return {1 + std::uint64_t{numberOfFrame[frame.index()]}, freedMark(input, site)};
}

GroupIdentity identityByStack(
    const DiffInput& input, AllocationIndex i, const StackClasses::Numbers& numberOfStack)
{
    const SiteId site = input.sites.of(i);
    const StackId stack = input.allocations.stack(i);
    if (!input.trace.stacks.hasFrames(stack))
        return {0, siteKey(input, site)};
    return {numberOfStack[stack.index()], freedMark(input, site)};
}

} // namespace

GroupIdentity identityOf(const DiffInput& input, const StackClasses::Side& classes,
    AllocationIndex allocation, GroupKey key, LineRule lines)
{
    const bool isByOwnLines = lines == LineRule::Equal;
    switch (key) {
    case GroupKey::Stack:
        return identityByStack(input, allocation, isByOwnLines ? classes.ownStacks() : classes.stack);
    case GroupKey::Site:
        return identityBySite(input, allocation, isByOwnLines ? classes.ownPlaces() : classes.place);
    case GroupKey::Function: return identityBySite(input, allocation, classes.function);
    case GroupKey::File: return identityBySite(input, allocation, classes.file);
    case GroupKey::Size: return {static_cast<std::uint64_t>(input.allocations.bytes(allocation)), ""};
    default: return {};
    }
}

StackOutline outlineOf(const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation)
{
    const SiteId site = input.sites.of(allocation);
    const StackId stack = input.allocations.stack(allocation);
    if (!input.trace.stacks.hasFrames(stack))
        return {{}, siteKey(input, site)};
    StackOutline outline{{}, freedMark(input, site)};
    for (const FrameId frame : input.trace.stacks.frames(stack))
        if (const std::uint32_t code = classes.code[frame.index()]; code != StackClasses::kNotCode)
            outline.code.push_back(code);
    return outline;
}

} // namespace highwater
