#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace highwater {

/// The whole of a file of at most so many bytes, unless said otherwise a mebibyte. Fails with CannotRead, or
/// with LimitExceeded and the given sentence.
Result<std::string> readSmallFile(
    const std::string& path, const std::string& tooLarge, std::size_t mostBytes = std::size_t{1} << 20);

} // namespace highwater
