#pragma once

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Explains the sizes of each row and finds the hints. Hints are given only if rows are stacks or call sites,
/// because no other key shows that blocks belong together.
///
/// In rows of several sizes, parts are paired if their sizes are equal or the factors explain them, and the
/// counts of blocks agree (`countsAgree`).
///
/// A replacement requires counts that agree, a ratio that the factors explain (or 1), and nearby code: the
/// callers are the same up to a line of one function, and at most two calls deeper in either run. The nearest
/// such partner must be unique, in both directions. An unmatched row of three or more sizes needs no nearby
/// code if exactly one other row has exactly the same sizes. Parts below 1/1000 of a total are ignored.
/// O(rows × log rows), and O(n²) in the 256 largest parts of each side that have no partner.
SizeCauses sizeCauses(const RunDiff& diff, const DiffContents& contents, const SizeFactors& factors);

} // namespace highwater
