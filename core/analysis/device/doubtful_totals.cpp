#include "core/analysis/device/doubtful_totals.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

constexpr std::array<std::string_view, 6> kContradictions = {"alloc-at-live-address", "live-not-in-segments",
    "reserved-negative", "segment-size-mismatch", "segment-sums-mismatch", "size-mismatch"};
constexpr std::array<std::string_view, 4> kUnreadable
    = {"size-out-of-range", "address-not-a-number", "record-unreadable", "row-unreadable"};

template <typename Codes>
bool isOneOfCodes(const Codes& codes, std::string_view code)
{
    return std::ranges::find(codes, code) != codes.end();
}

} // namespace

bool makesTotalsDoubtful(std::string_view code)
{
    return isOneOfCodes(kContradictions, code) || isOneOfCodes(kUnreadable, code);
}

std::string_view doubtOfTotals(const Trace& trace)
{
    bool isUnreadable = false;
    for (const ImportLogEntry& entry : trace.log.entries()) {
        if (isOneOfCodes(kContradictions, entry.code))
            return "The file contradicts itself";
        isUnreadable |= isOneOfCodes(kUnreadable, entry.code);
    }
    return isUnreadable ? "Parts of the file could not be read" : "";
}

} // namespace highwater
