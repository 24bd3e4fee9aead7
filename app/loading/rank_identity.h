#pragma once

#include <string>
#include <string_view>

#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// What a path tells of the rank that wrote a file, and how: by its name, else by its folders, the nearest
/// first. Known are torchtitan (iteration_5/rank3_memory_snapshot.pickle, 000003_step_20.pickle), Megatron
/// (oom_rank-3_snapshot.pickle, snapshot_3.pickle, mp_rank_01_002), verl and Lightning (…rank_3…, step=20),
/// torchrun's folders (attempt_0/3), tp1_pp0_dp3_ep2, and host names (node017, gpu-4.cluster).
RankIdentity identityFromPath(std::string_view path);

/// The content takes precedence over the path.
RankIdentity identityOf(std::string_view path, const Trace& trace);

/// Sets what a text says ("rank=3,tp=1,pp=0,dp=2,ep=0,host=node7,step=20"), found by `how`. Fails with
/// BadRequest.
Result<void> setIdentity(RankIdentity& identity, std::string_view text, std::string_view how);

} // namespace highwater
