#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace highwater::rehearse {

/// Prices by the name of a GPU ("L4", "A100 80"), in a currency and for a time that only the user knows.
using GpuPrices = std::map<std::string, double>;

/// Reads lines of a GPU's name and its price, separated by a tab, a comma or a colon: "L4, 0.71". Names are
/// found as `chooseGpus` finds them; a family ("A100") gives its price to all of its GPUs. Empty lines and
/// lines that begin with # are skipped. Fails with Malformed, and the line.
Result<GpuPrices> parseGpuPrices(std::string_view text);

} // namespace highwater::rehearse
