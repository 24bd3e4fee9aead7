#pragma once

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Pairs the block sizes of each row, and finds hints: replacements, copies of parameters and extra copies of
/// the model. Hints are given only if rows are stacks or call sites, because no other key shows that blocks
/// belong together.
///
/// Two sizes of a row are paired if they are equal. Others are paired if their counts of blocks agree
/// (`countsAgree`) and either the factors explain their ratio or the row has only one size in each run; not
/// if the row is of parameters in one run only.
///
/// A replacement is a pair of blocks from different rows, each on one side only. Their counts must agree, the
/// factors must explain their ratio (or it is 1), and their code must be near (`codeDistance`). Each must be
/// the only nearest partner of the other. Likely copies of parameters, and blocks below 1/1000 of the larger
/// total, are ignored. A whole row of three or more unpaired sizes needs no nearby code if exactly one other
/// row has exactly the same sizes.
///
/// O(rows × log rows), with at most 64² pairs of sizes per row, and O(n²) in the 256 largest unpaired sizes
/// of each side.
SizeCauses sizeCauses(const RunDiff& diff, const DiffContents& contents, const SizeFactors& factors);

} // namespace highwater
