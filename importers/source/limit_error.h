#pragma once

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/base/text_format.h"

namespace highwater {

/// Returns the error for an import that needs more than its memory limit.
inline Error memoryLimitError(std::uint64_t maxBytes)
{
    return {ErrorCode::LimitExceeded,
        fmt::format(
            "needs more than {} of memory (see --max-memory)", formatBytes(static_cast<Bytes>(maxBytes))),
        {}};
}

} // namespace highwater
