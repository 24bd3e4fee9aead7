#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the innermost frame of the user's own code: not in an installed package, Python's library, torch
/// or code that torch generated. A line that calls something is preferred to the definition of a compiled
/// function. If there is none, returns the innermost frame of an installed package. The result is an index
/// into the event's frames, or nothing if there is no such frame.
std::optional<std::size_t> findUserFrame(const Trace& trace, const LogEvent& event);

/// A tensor that a line of source code allocates.
struct NamedTensor
{
    std::vector<std::int64_t> shape;
    std::string dtype; ///< "torch.bfloat16"
    Bytes bytes = 0; ///< shape × size of an element
};

/// Reads the tensor that the source line of the innermost frame allocates: `empty_strided_cuda((5, 4096),
/// (4096, 1), torch.bfloat16)`, as generated code has it, or `torch.empty((5, 4096), dtype=torch.bfloat16)`
/// with literal sizes. Returns nothing for any other line.
std::optional<NamedTensor> requestedTensor(const Trace& trace, const LogEvent& event);
/// Reads the tensor from one source line. Returns nothing if it allocates none of a known type and size.
std::optional<NamedTensor> tensorFromSource(std::string_view source);

/// True if the tensor's size equals the size requested in the message, within the rounding of the message;
/// false if the message does not give it.
bool explainsRequest(const NamedTensor& tensor, const LogEvent& event);

/// Returns "(5, 4096, 17408) torch.bfloat16 = 680 MiB".
std::string toText(const NamedTensor& tensor);

} // namespace highwater
