#include "core/analysis/composition/user_sites.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/stacks/frame_folding.h"
#include "core/base/hash.h"
#include "core/base/text/name_text.h"

namespace highwater {

namespace {

/// The frames of a stack that its user site shows; isNone() if the stack has no such frame.
struct Frames
{
    FrameId user;
    FrameId innermostPython;
};

Frames findFrames(const Trace& trace, StackId stack)
{
    Frames frames;
    for (StackId node = stack; trace.stacks.hasFrames(node); node = trace.stacks.caller(node)) {
        const FrameId id = trace.stacks.innermost(node);
        const Frame& frame = trace.stacks.frame(id);
        const std::string_view file = trace.text(frame.file);
        if (frame.kind != FrameKind::Python || isCallWrapper(trace.text(frame.function), file))
            continue;
        if (frames.innermostPython.isNone())
            frames.innermostPython = id;
        if (!isUserFile(file))
            continue;
        frames.user = id;
        break;
    }
    return frames;
}

UserSite describeFrame(const Trace& trace, FrameId id)
{
    const Frame& frame = trace.stacks.frame(id);
    const std::string function = nameText(trace.text(frame.function));
    const std::string file = nameText(trace.text(frame.file));
    const std::string line = frame.line > 0 ? fmt::format(":{}", frame.line) : std::string();
    return {fmt::format("{} ({}{})", function, file, line), codePlaceText(function, file + line)};
}

} // namespace

UserSite findUserSite(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    AllocationIndex allocation)
{
    const SiteId id = sites.of(allocation);
    const Frames frames = findFrames(trace, allocations.stack(allocation));
    if (frames.user.isNone()) {
        CallSite site = sites.site(id);
        return {std::move(site.key), std::move(site.label)};
    }
    UserSite user = describeFrame(trace, frames.user);
    const FrameId site = sites.frame(id);
    const FrameId libraryFrame = !site.isNone() && site != frames.user ? site : frames.innermostPython;
    if (!libraryFrame.isNone() && libraryFrame != frames.user) {
        const UserSite library = describeFrame(trace, libraryFrame);
        user.key += " [" + library.key + "]";
        user.label += " [" + library.label + "]";
    }
    if (sites.isFreed(id)) {
        user.key.insert(0, kFreedBy);
        user.label.insert(0, kFreedBy);
    }
    return user;
}

Composition userSitesAt(
    const Trace& trace, const AllocationTable& allocations, const CallSites& sites, std::int64_t event)
{
    Composition composition;
    composition.event = event;
    // Allocations with the same stack and site have the same key, so it is made only once.
    NumberMap<std::uint64_t, std::size_t> groupOfStack;
    std::map<std::string, std::size_t> groupOfKey;
    std::vector<CompositionGroup>& groups = composition.groups;
    for (const AllocationIndex i : allocations.liveAt(event)) {
        const std::uint64_t stack = std::uint64_t{allocations.stack(i).value()} << 32 | sites.of(i).value();
        const auto [known, isNewStack] = groupOfStack.try_emplace(stack, 0);
        if (isNewStack) {
            const std::string key = findUserSite(trace, allocations, sites, i).key;
            const auto [group, isNew] = groupOfKey.try_emplace(key, groups.size());
            if (isNew)
                groups.push_back({.key = key, .example = i});
            known.value() = group->second;
        }
        CompositionGroup& group = groups[known->second];
        const Bytes bytes = allocations.bytes(i);
        if (bytes > allocations.bytes(group.example))
            group.example = i;
        group.bytes += bytes;
        ++group.count;
        composition.bytes += bytes;
        ++composition.count;
    }
    std::ranges::sort(groups, [](const CompositionGroup& a, const CompositionGroup& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.key < b.key;
    });
    return composition;
}

} // namespace highwater
