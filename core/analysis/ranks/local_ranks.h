#pragma once

#include "core/run/choice/main_choice.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// True if the rank is torchrun's local rank, which is the rank only on the first node.
bool isLocalRank(const RankIdentity& identity);

/// True if two files with local ranks were written by different nodes: the ranks are equal, the files are in
/// folders of different launches (RUN in RUN/attempt_0/3/dump.pickle), and their recordings overlap in time.
bool areOfTwoNodes(const MainCandidate& a, const MainCandidate& b);

} // namespace highwater
