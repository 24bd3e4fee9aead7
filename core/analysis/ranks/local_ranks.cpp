#include "core/analysis/ranks/local_ranks.h"

#include <algorithm>

namespace highwater {

namespace {

/// Returns RUN of RUN/attempt_0/3/dump.pickle; empty if the path does not have this form.
std::string_view launchFolder(std::string_view path)
{
    const std::size_t end = path.rfind("/attempt_");
    return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

} // namespace

bool isLocalRank(const RankIdentity& identity)
{
    const NamedText source("rank", kLocalRankSource);
    return identity.rank && std::ranges::find(identity.found, source) != identity.found.end();
}

bool areOfTwoNodes(const MainCandidate& a, const MainCandidate& b)
{
    return a.member.rank == b.member.rank && launchFolder(a.member.path) != launchFolder(b.member.path)
        && timeBetween(a.evidence, b.evidence) == Nanoseconds{0};
}

} // namespace highwater
