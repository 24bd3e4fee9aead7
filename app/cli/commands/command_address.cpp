#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/file_answers.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/output/allocation_rows.h"
#include "app/loading/device_choice.h"
#include "core/analysis/segments/address_place.h"
#include "core/analysis/stacks/folded_stack.h"
#include "core/analysis/usage/address_owners.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// An address of one device, at one moment and over time.
struct AddressAnswer
{
    const DeviceStudy& study;
    EventScale scale; ///< by time, if the device has times
    Address address = 0;
    std::int64_t event = -1; ///< the requested moment, else the end
    bool isEnd = false; ///< no moment was requested
    AddressPlace place;
    std::vector<AllocationIndex> owners; ///< all, in the order of time
    AllocationIndex live = AllocationTable::kNoAllocation; ///< the owner at the moment
    std::size_t firstShown = 0;
    std::size_t lastShown = 0; ///< one past the last owner that is shown

    std::vector<AllocationIndex> shown() const
    {
        return {owners.begin() + static_cast<std::ptrdiff_t>(firstShown),
            owners.begin() + static_cast<std::ptrdiff_t>(lastShown)};
    }
};

/// Chooses `top` owners: the last ones until the moment, then later ones. All of them if `top` is 0.
void chooseShown(AddressAnswer& answer, std::size_t top)
{
    const std::size_t count = answer.owners.size();
    const std::size_t most = top == 0 ? count : std::min(top, count);
    const auto later = std::ranges::find_if(
        answer.owners, [&](AllocationIndex i) { return answer.study.allocations.birth(i) > answer.event; });
    const auto until = static_cast<std::size_t>(later - answer.owners.begin());
    answer.firstShown = std::min(until > most ? until - most : 0, count - most);
    answer.lastShown = answer.firstShown + most;
}

/// Calls `use` with the answer for the chosen device of a file.
template <typename Use>
auto withAnswer(const LoadedInput& input, const SegmentsOptions& options, Use use)
{
    const Trace& trace = *input.imported->trace;
    const DeviceIndex device = need(input.path, chooseDevice(trace, allFigures(trace), options.device));
    if (!trace.devices[device].addressesRecorded)
        refuse(input.path, "has no addresses: its format does not record them");
    const DeviceStudy study(trace, device);
    AddressAnswer answer{.study = study,
        .scale = EventScale(trace, device, AxisKind::Time),
        .address = *addressFromText(*options.address),
        .place = {},
        .owners = {}};
    answer.isEnd = !options.at;
    answer.event = options.at ? need(input.path, eventOfMoment(*options.at, trace, device))
                              : trace.eventCount(device) - 1;
    const LiveIndex live(study.allocations);
    const SegmentHistory history(trace, study.allocations, live);
    answer.place = placeOf(history.at(answer.event), answer.address);
    answer.owners = AddressOwners(study.allocations).of(answer.address);
    answer.live = ownerAt(study.allocations, answer.owners, answer.event);
    chooseShown(answer, options.top);
    return use(answer);
}

Json segmentJson(const Trace& trace, const std::optional<MappedRange>& segment)
{
    if (!segment)
        return nullptr;
    return {{"address", formatAddress(segment->begin)}, {"bytes", segment->size},
        {"pool", trace.poolLabel(segment->pool)}, {"stream", trace.streamLabel(segment->stream)}};
}

Json addressJson(const LoadedInput& input, const AddressAnswer& answer)
{
    const DeviceStudy& study = answer.study;
    const AddressOwners owners(study.allocations);
    const std::vector<AllocationIndex> shown = answer.shown();
    Json rows = allocationRows(study, shown, true);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        rows[i]["offset_bytes"] = answer.address - study.allocations.address(shown[i]);
        rows[i]["in_padding"] = owners.isInPadding(shown[i], answer.address);
        rows[i]["live"] = shown[i] == answer.live;
    }
    return {{"path", input.path}, {"device", study.about().ordinal}, {"kind", toText(study.about().kind)},
        {"quantity", toText(study.about().quantity)}, {"address", formatAddress(answer.address)},
        {"event", answer.event}, {"use", toText(answer.place.use)},
        {"segment", segmentJson(study.trace, answer.place.segment)}, {"of_owners", answer.owners.size()},
        {"skipped", answer.firstShown}, {"owners", std::move(rows)}};
}

/// Returns "free, in a segment of 20 MiB at 0x7f3a00000000 (default pool, stream 0)".
std::string placeText(const AddressAnswer& answer)
{
    const Trace& trace = answer.study.trace;
    std::string text;
    switch (answer.place.use) {
    case AddressUse::InUse: text = "in use"; break;
    case AddressUse::PendingFree: text = "freed, but still in use by another stream"; break;
    case AddressUse::Free: text = "free"; break;
    case AddressUse::NotReserved: return "in no segment of the allocator";
    case AddressUse::Unknown:
        return answer.live == AllocationTable::kNoAllocation ? "in no known allocation" : "in use";
    }
    const MappedRange& segment = *answer.place.segment;
    return fmt::format("{}, in a segment of {} at {} ({}, {})", text, formatBytes(segment.size),
        formatAddress(segment.begin), trace.poolLabel(segment.pool), trace.streamLabel(segment.stream));
}

/// Returns "at event 5 (+12 ms, step 2)".
std::string whenText(const AddressAnswer& answer, std::int64_t event)
{
    const DeviceStudy& study = answer.study;
    std::vector<std::string> parts;
    if (answer.scale.kind() == AxisKind::Time)
        parts.push_back("+" + formatDuration(static_cast<Nanoseconds>(answer.scale.positionOf(event))));
    if (const auto step = study.steps.stepOf(event); step && study.steps.source != StepSource::Whole)
        parts.push_back(study.steps.nameInRun(*step));
    const std::string details = fmt::format("{}", fmt::join(parts, ", "));
    return fmt::format("at event {}{}", formatCount(event), details.empty() ? "" : " (" + details + ")");
}

std::string lifetimeText(const AddressAnswer& answer, AllocationIndex i)
{
    const std::int32_t birth = answer.study.allocations.birth(i);
    const std::int32_t death = answer.study.allocations.death(i);
    return fmt::format("{}, {}",
        birth < 0 ? "allocated before recording began" : "allocated " + whenText(answer, birth),
        death == AllocationTable::kNeverFreed ? "never freed" : "freed " + whenText(answer, death));
}

void printOwner(const AddressAnswer& answer, std::size_t number)
{
    const DeviceStudy& study = answer.study;
    const AllocationTable& allocations = study.allocations;
    const AllocationIndex i = answer.owners[number];
    const Style style = Style::forStdout();
    const Address offset = answer.address - allocations.address(i);
    printOut("{}  {}{} at {}{}: {}{}\n", number + 1, allocations.isInferred(i) ? "≥ " : "",
        style.strong(formatBytes(allocations.bytes(i))), formatAddress(allocations.address(i)),
        offset == 0 ? "" : fmt::format(", byte {}", formatCount(static_cast<std::int64_t>(offset))),
        lifetimeText(answer, i),
        AddressOwners(allocations).isInPadding(i, answer.address)
            ? "; the address is in the bytes that rounding adds"
            : "");
    const StackId stack = allocations.stack(i);
    if (!study.trace.stacks.hasFrames(stack)) {
        printOut("     {}\n", style.quiet(sanitizedText(study.sites.site(study.sites.of(i)).label)));
        return;
    }
    if (allocations.stackOrigin(i) == StackOrigin::Free)
        printOut(
            "     {}\n", style.quiet("stack of the free, since the allocation came before recording began"));
    for (const StackLine& line : foldedStack(study.trace, stack))
        printOut("     {}\n",
            line.place.empty() ? style.quiet(sanitizedText(line.text)) : sanitizedText(line.text));
}

void printAddress(const AddressAnswer& answer)
{
    const Style style = Style::forStdout();
    printOut("{}  {} {}: {}\n", style.strong(answer.study.about().words()), formatAddress(answer.address),
        answer.isEnd ? "at the end" : formatMoment(answer.event), placeText(answer));
    const std::size_t count = answer.owners.size();
    if (count == 0) {
        printOut("  No allocation of the recording contained this address\n");
        return;
    }
    const std::size_t shown = answer.lastShown - answer.firstShown;
    printOut("  {} contained this address{}\n\n", counted(count, "allocation", "allocations"),
        shown == count ? ""
                       : fmt::format("; numbers {} to {} follow (--top 0 prints all)", answer.firstShown + 1,
                           answer.lastShown));
    for (std::size_t number = answer.firstShown; number < answer.lastShown; ++number)
        printOwner(answer, number);
}

} // namespace

int runAddressOwners(const SegmentsOptions& options)
{
    if (!addressFromText(*options.address))
        refuse("--address",
            fmt::format("{} is not an address, such as 0x7f3a00001400", sanitizedText(*options.address)));
    const auto document = [&](const LoadedInput& input) {
        return withAnswer(
            input, options, [&](const AddressAnswer& answer) { return addressJson(input, answer); });
    };
    const auto print = [&](const LoadedInput& input) { withAnswer(input, options, printAddress); };
    return answerForRun(options.common.json ? withKeptFiles(options.common) : options.common,
        {options.device, document, print, true});
}

} // namespace highwater::cli
