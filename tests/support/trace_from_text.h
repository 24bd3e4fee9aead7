#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/trace/trace_builder.h"

namespace highwater::test {

/// Builds a trace out of a tiny notation, one item a line; blank lines and lines that begin with '#' are
/// skipped.
///
///     stack NAME = FILE:LINE FUNCTION | FILE:LINE FUNCTION …     innermost first; "stack NAME =" is an empty
///     one device N                                the following lines are of that device (0 to begin with)
///     alloc NAME SIZE [@STACK] [stream=N] [t=MICROSECONDS] [pool=A,B]
///     free NAME [@STACK] [t=…]                writes free_requested and free_completed
///     free_requested NAME, free_completed NAME, free_once NAME (the action "free")
///     segment_alloc|segment_free|segment_map|segment_unmap NAME SIZE
///     oom SIZE DEVICE_FREE, snapshot SIZE, action WORD NAME SIZE
///     final NAME [SIZE] [@STACK] [pending]    a live block at the end in a segment of its own (SIZE: its
///     requested size) cached NAME SIZE                        an inactive block at the end in a segment of
///     its own end                                     a `final` line for everything that is live now
///     annotation NAME BEGIN [END]             a range of the recorder, in microseconds; without END it stays
///     open
///
/// SIZE is a number of bytes or one with KiB, MiB, GiB. Each NAME is an address, 4 GiB apart; a free takes
/// the size of the last allocation of its name. Blocks are as large as requested, rounded up to 512.
std::shared_ptr<const Trace> traceFromText(std::string_view text);

/// Address that the name of that position (in order of first appearance, from 0) stands for.
constexpr Address addressOfName(std::size_t position)
{
    return (Address{position} + 1) << 32;
}

} // namespace highwater::test
