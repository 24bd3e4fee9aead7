#pragma once

#include "core/trace/trace_builder.h"
#include "importers/kineto/records.h"

namespace highwater::kineto {

/// Gives every memory instant a stack from the slices around it on its thread, ordered by their begin: Python
/// functions and modules (`nn.Module: Linear_3`, as a native frame), and operators (native frames). Where no
/// Python slice is open, uses the call stack of the innermost operator (traces of 2021). An instant outside
/// all slices gets no stack.
///
/// Operators and Python slices each nest properly among themselves; a slice includes both its ends
/// (FORMAT.md, "Slices"). Sorts the slices. O(n log n), plus the depth of the stack for each instant.
void attributeStacks(Records& records, TraceBuilder& builder);

} // namespace highwater::kineto
