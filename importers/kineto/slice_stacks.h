#pragma once

#include "core/trace/trace_builder.h"
#include "importers/kineto/records.h"

namespace highwater::kineto {

/// Gives every memory instant the stack of the slices around it on its thread: Python functions and modules
/// (`nn.Module: Linear_3`, a native frame of its own) and operators (native frames), by their begin. Where
/// the thread has no Python slices, the call stack that the innermost operator recorded (traces of 2021).
///
/// Operators and Python slices each nest properly among themselves; a slice includes both its ends
/// (FORMAT.md, "Slices"). O(n log n). Sorts the slices.
void attributeStacks(Records& records, TraceBuilder& builder);

} // namespace highwater::kineto
