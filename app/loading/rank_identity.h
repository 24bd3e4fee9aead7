#pragma once

#include <string>
#include <string_view>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Finds the rank that wrote a file in the file's path, with the source of each fact. The file's name takes
/// precedence over its folders, and near folders over far ones; the nearest five are searched. Recognizes
/// names of torchtitan (iteration_5/rank3_memory_snapshot.pickle, 000003_step_20.pickle), Megatron
/// (oom_rank-3_snapshot.pickle, snapshot_3.pickle, mp_rank_01_002), verl and Lightning (…rank_3…, step=20),
/// torchrun's folders (attempt_0/3), tp1_pp0_dp3_ep2, and host names (node017, gpu-4.cluster).
RankIdentity identityFromPath(std::string_view path);

/// Returns the identity from path and content; the content takes precedence.
RankIdentity identityOf(std::string_view path, const Trace& trace);

/// Sets the fields that `text` gives ("rank=3,tp=1,pp=0,dp=2,ep=0,host=node7,step=20"); `source` is
/// recorded as their origin. Fails with BadRequest; entries before the bad one stay set.
Result<void> setIdentity(RankIdentity& identity, std::string_view text, std::string_view source);

} // namespace highwater
