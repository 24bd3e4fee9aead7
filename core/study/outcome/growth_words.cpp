#include "core/study/outcome/growth_words.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

std::string growthWords(const std::optional<Bytes>& growth, Bytes peak)
{
    constexpr Bytes leastInGiB = 100 * kMiB;
    if (!growth)
        return "none";
    return peak >= kGiB && *growth >= leastInGiB
        ? fmt::format("{:.2f} GiB", static_cast<double>(*growth) / static_cast<double>(kGiB))
        : formatBytes(*growth);
}

} // namespace highwater
