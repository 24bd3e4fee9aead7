#pragma once

#include <string_view>

namespace highwater::cli {

/// The ways to write a size (`parseSize`), for help, manual pages and error messages.
constexpr std::string_view kSizeText = "a number of bytes, or a number with a unit: 10KiB, 10MiB, 10GiB, "
                                       "10TiB and 10K, 10M, 10G, 10T in powers "
                                       "of 1024, 10KB, 10MB, 10GB, 10TB in powers of 1000";

} // namespace highwater::cli
