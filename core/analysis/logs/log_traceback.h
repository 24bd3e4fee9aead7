#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The innermost frame of the user's own code: not in an installed package, Python's library, torch or code
/// that torch generated. If there is none, the innermost one that is neither torch nor Python's library.
/// Index into the event's frames; none: no such frame.
std::optional<std::size_t> userFrameOf(const Trace& trace, const LogEvent& event);

/// A tensor that a source line allocates.
struct NamedTensor
{
    std::vector<std::int64_t> shape;
    std::string dtype; ///< "torch.bfloat16"
    Bytes bytes = 0; ///< shape × size of an element
};

/// Of the innermost frame's source line: `empty_strided_cuda((5, 4096), (4096, 1), torch.bfloat16)`, as
/// generated code writes it, or `torch.empty((5, 4096), dtype=torch.bfloat16)` with literal sizes. None for
/// any other line.
std::optional<NamedTensor> tensorOf(const Trace& trace, const LogEvent& event);
std::optional<NamedTensor> tensorFromSource(std::string_view source);

/// Whether the tensor's size is the size requested in the message, within its rounding.
bool explainsRequest(const NamedTensor& tensor, const LogEvent& event);

/// "(5, 4096, 17408) torch.bfloat16 = 680.0 MiB".
std::string toText(const NamedTensor& tensor);

} // namespace highwater
