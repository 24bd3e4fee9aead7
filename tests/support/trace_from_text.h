#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/trace/trace_builder.h"

namespace highwater::test {

// clang-format off
/// Builds a trace from a small notation: one item per line; blank lines and lines that begin with '#' are
/// skipped.
///
///     stack NAME = FILE:LINE FUNCTION | …      frames innermost first; "stack NAME =" is an empty stack
///     device N                                 the following lines are about that device (0 initially)
///     alloc NAME SIZE [@STACK] [stream=N] [t=MICROSECONDS] [pool=A,B]
///     free NAME [@STACK] [t=…]                 writes free_requested and free_completed
///     free_requested NAME
///     free_completed NAME
///     free_once NAME                           the action "free"
///     segment_alloc NAME SIZE                  also segment_free, segment_map, segment_unmap
///     oom SIZE DEVICE_FREE
///     snapshot SIZE
///     action WORD NAME SIZE
///     final NAME [SIZE] [@STACK] [pending]     a live block at the end, in its own segment
///                                              (SIZE: its requested size)
///     cached NAME SIZE                         an inactive block at the end, in its own segment
///     end                                      a `final` line for everything that is live at this point
///     annotation NAME BEGIN [END]              a range of the recorder, in microseconds; without END it
///                                              stays open
///
/// SIZE is a number of bytes, or a number with KiB, MiB or GiB. Each NAME is an address; addresses are 4 GiB
/// apart. A free has the size of the last allocation with its name. A block has the requested size, rounded
/// up to a multiple of 512.
// clang-format on
std::shared_ptr<const Trace> traceFromText(std::string_view text);

/// Returns the address of the name at that position (in order of first appearance, from 0).
constexpr Address addressOfName(std::size_t position)
{
    return (Address{position} + 1) << 32;
}

} // namespace highwater::test
