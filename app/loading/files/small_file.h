#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace highwater {

/// Reads a whole file of at most `maxBytes` bytes. Fails with CannotRead, or with LimitExceeded and the
/// message `tooLarge`.
Result<std::string> readSmallFile(
    const std::string& path, const std::string& tooLarge, std::size_t maxBytes = std::size_t{1} << 20);

} // namespace highwater
