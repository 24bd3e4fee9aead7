#pragma once

#include <string>

#include "core/base/result.h"

namespace highwater {

/// The whole of a file of at most a mebibyte. Fails with CannotRead, or with LimitExceeded and the given
/// sentence.
Result<std::string> readSmallFile(const std::string& path, const std::string& tooLarge);

} // namespace highwater
