#pragma once

#include <string_view>

namespace highwater::cli {

/// The ways to write a size (`parseSize`), for help, manual pages and error messages.
constexpr std::string_view kSizeText = "a number of bytes, or a number with a unit: KiB, MiB, GiB, TiB or K, "
                                       "M, G, T in powers of 1024, or KB, "
                                       "MB, GB, TB in powers of 1000, such as 24GiB";

} // namespace highwater::cli
