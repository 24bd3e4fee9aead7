#pragma once

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Hints are given where rows are stacks or call sites: nothing else says that blocks belong together.
///
/// The parts of rows of several sizes are paired where their sizes are equal or the factors explain them, and
/// as many blocks are on both sides (`countsAgree`).
///
/// A replacement takes counts that agree, a ratio that the factors explain (or none), and code that is near:
/// the callers are the same up to a line of one function, and at most two calls further in either run. There
/// must be one such partner alone, both ways, that is nearest. What has no partner in a whole row needs no
/// code where it is of three sizes or more: exactly the same sizes, alone of all rows. Less than 1/1000 of a
/// total is left alone.
/// O(rows × log rows), and O(n²) in the 256 largest parts of each side that have no partner.
SizeCauses sizeCauses(const RunDiff& diff, const DiffContents& contents, const SizeFactors& factors);

} // namespace highwater
