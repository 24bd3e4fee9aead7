#include "core/study/outcome/reserved_peaks.h"

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A fall or a gap below 1/kSmallDivisor of the reserved peak is not worth a sentence.
constexpr std::int64_t kSmallDivisor = 20;

/// A fall below 1/kHardlyDivisor of the fall in use is hardly one.
constexpr std::int64_t kHardlyDivisor = 10;

bool recordsReservedPeak(const DeviceStudy& study)
{
    return study.about().recordsReserved() && study.figures.reservedPeakBytes > 0
        && figureCertainty(study.about()).reservedPeak == Certainty::Exactly;
}

} // namespace

std::string reservedPeaksText(const DeviceStudy& before, const DeviceStudy& after)
{
    if (!recordsReservedPeak(before) || !recordsReservedPeak(after))
        return {};
    const CurvePeak peak = after.curve.peak();
    const Bytes fallInUse = before.curve.peak().bytes - peak.bytes;
    const Bytes reservedBefore = before.figures.reservedPeakBytes;
    const Bytes reservedAfter = after.figures.reservedPeakBytes;
    const Bytes fall = reservedBefore - reservedAfter;
    if (fallInUse >= reservedBefore / kSmallDivisor && fall < fallInUse / 2) {
        const PairText reserved = formatPair(reservedBefore, reservedAfter);
        return fmt::format("Reserved memory {}: {} before, {} after.",
            fall <= 0                               ? "did not fall"
                : fall * kHardlyDivisor < fallInUse ? "hardly fell"
                                                    : fmt::format("fell by only {}", formatBytes(fall)),
            reserved.before, reserved.after);
    }
    const Bytes reservedAtPeak = after.curve.reservedAt(peak.event).value_or(reservedAfter);
    if (reservedAfter - reservedAtPeak < reservedAfter / kSmallDivisor)
        return {};
    return fmt::format("In the later run PyTorch reserved at most {}, and {} at the peak in use.",
        formatBytes(reservedAfter), formatBytes(reservedAtPeak));
}

} // namespace highwater
