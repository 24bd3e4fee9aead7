#include "app/loading/rank_identity.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/run/run.h"

namespace highwater {

namespace {

/// Number of folders above the file that are searched.
constexpr std::size_t kMaxFolders = 5;

using NumberField = std::optional<std::int64_t> RankIdentity::*;

struct NumberName
{
    std::string_view name;
    NumberField field;
};

constexpr std::array<NumberName, 6> kNumbers
    = {{{"rank", &RankIdentity::rank}, {"step", &RankIdentity::step}, {"tp", &RankIdentity::tp},
        {"pp", &RankIdentity::pp}, {"dp", &RankIdentity::dp}, {"ep", &RankIdentity::ep}}};

/// A regular expression for a number in a name, and the field that its first group sets.
struct NumberForm
{
    NumberField field;
    RE2 expression;
};

/// Returns the known forms. The first one that matches sets its field.
const std::array<NumberForm, 8>& numberForms()
{
    static const std::array<NumberForm, 8> forms = {{
        {&RankIdentity::rank, RE2("(?i)(?:^|[^a-z])(?:global[_-]?)?rank[_=-]?(\\d+)")},
        {&RankIdentity::step, RE2("(?i)(?:^|[^a-z])(?:step|iteration|iter)[_=-]?(\\d+)")},
        {&RankIdentity::tp, RE2("(?i)(?:^|[^a-z])tp(?:[_-]?rank)?[_=-]?(\\d+)")},
        {&RankIdentity::pp, RE2("(?i)(?:^|[^a-z])(?:pp|stage)(?:[_-]?rank)?[_=-]?(\\d+)")},
        {&RankIdentity::dp, RE2("(?i)(?:^|[^a-z])(?:dp|shard)(?:[_-]?rank)?[_=-]?(\\d+)")},
        {&RankIdentity::ep, RE2("(?i)(?:^|[^a-z])ep(?:[_-]?rank)?[_=-]?(\\d+)")},
        {&RankIdentity::rank, RE2("^(\\d+)_step_\\d+")}, // torchtitan
        {&RankIdentity::rank, RE2("^snapshot_(\\d+)(?:\\.|$)")}, // Megatron-Bridge
    }};
    return forms;
}

/// Removes ranks within one kind of parallelism, such as "tp_rank_3": they are not the rank in the run.
std::string withoutParallelRanks(const std::string& name)
{
    static const RE2 expression("(?i)(^|[^a-z])(tp|pp|dp|ep|cp|mp|model|data|local)[_-]?rank[_=-]?\\d+");
    std::string shortened = name;
    RE2::GlobalReplace(&shortened, expression, "\\1");
    return shortened;
}

/// Returns the number that the form finds in a name; nullopt if it finds none.
std::optional<std::int64_t> numberIn(const std::string& name, const NumberForm& form)
{
    std::int64_t number = 0;
    const std::string text = form.field == &RankIdentity::rank ? withoutParallelRanks(name) : name;
    return RE2::PartialMatch(text, form.expression, &number) ? std::optional(number) : std::nullopt;
}

/// Sets a number and its source, in place of earlier ones.
void setNumber(RankIdentity& identity, const NumberName& name, std::int64_t number, std::string_view source)
{
    identity.*name.field = number;
    std::erase_if(identity.found, [&](const NamedText& known) { return known.first == name.name; });
    identity.found.emplace_back(name.name, source);
}

void setIfUnknown(RankIdentity& identity, NumberField field, std::int64_t value, std::string_view source)
{
    if (identity.*field)
        return;
    const auto* const name = std::ranges::find(kNumbers, field, &NumberName::field);
    setNumber(identity, *name, value, source);
}

void setHost(RankIdentity& identity, std::string host, std::string_view source)
{
    identity.host = std::move(host);
    std::erase_if(identity.found, [](const NamedText& known) { return known.first == "host"; });
    identity.found.emplace_back("host", source);
}

/// Adds the ranks from Megatron's names for a model-parallel rank: mp_rank_TT, mp_rank_TT_PPP,
/// mp_rank_TT_PPP_EEE.
void addModelParallel(RankIdentity& identity, const std::string& name, std::string_view source)
{
    static const RE2 expression("mp_rank_(\\d+)(?:_(\\d+))?(?:_(\\d+))?");
    std::array<std::string, 3> texts;
    if (!RE2::PartialMatch(name, expression, &texts[0], &texts[1], &texts[2]))
        return;
    constexpr std::array<NumberField, 3> numbers = {&RankIdentity::tp, &RankIdentity::pp, &RankIdentity::ep};
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (const auto value = parsedNumber<std::int64_t>(texts[i]))
            setIfUnknown(identity, numbers[i], *value, source);
}

/// Sets the host if it is unknown. A folder is named for a host if its name begins with node, nid, gpu, dgx,
/// cn or worker, after which letters, a number and a domain may follow ("node017", "gpu-4.cluster"); only the
/// number is required. In a file's name, the host comes before a time, as in PyTorch's own examples, or is
/// node, nid or dgx with a number, as one of the parts that underscores separate.
void addHost(RankIdentity& identity, const std::string& name, std::string_view source, bool isFile)
{
    static const RE2 folderPattern(
        "(?i)^(?:host[_=-])?((?:node|nid|gpu|dgx|cn|worker)[a-z]*-?\\d+(?:[.-][a-z0-9.-]+)?)$");
    static const RE2 filePattern("^([A-Za-z0-9.-]+)_[A-Z][a-z]{2}_\\d{2}_\\d{2}_\\d{2}_\\d{2}\\.");
    static const RE2 partPattern("(?i)(?:^|_)((?:node|nid|dgx)-?\\d+)(?:_|\\.|$)");
    std::string host;
    if (identity.host.empty()
        && (isFile
                ? RE2::PartialMatch(name, filePattern, &host) || RE2::PartialMatch(name, partPattern, &host)
                : RE2::FullMatch(name, folderPattern, &host)))
        setHost(identity, host, source);
}

/// Adds the rank from torchrun's folder RUN/attempt_0/LOCAL_RANK/, unless a name nearer to the file gave a
/// rank. On the /// first node the local rank is the rank; on others it is not, and the folder does not show
/// which node it is. A merge of files from several such runs forgets the rank again (`RankMerge`).
void addLocalRank(RankIdentity& identity, const std::vector<std::string>& parts, std::size_t index)
{
    const std::optional<std::int64_t> number = parsedCount(parts[index]);
    if (number && index > 0 && parts[index - 1].starts_with("attempt_"))
        setIfUnknown(identity, &RankIdentity::rank, *number, kLocalRankSource);
}

/// Forgets a rank that came from `addLocalRank`.
void forgetLocalRank(RankIdentity& identity)
{
    if (std::erase(identity.found, NamedText("rank", kLocalRankSource)) > 0)
        identity.rank.reset();
}

void addIdentityFromName(
    RankIdentity& identity, const std::string& name, std::string_view source, bool isFile)
{
    addModelParallel(identity, name, source);
    for (const NumberForm& form : numberForms())
        if (const std::optional<std::int64_t> number = numberIn(name, form))
            setIfUnknown(identity, form.field, *number, source);
    addHost(identity, name, source, isFile);
}

/// Returns the components of a path.
std::vector<std::string> splitPath(std::string_view path)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (end > begin)
            parts.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

} // namespace

RankIdentity identityFromPath(std::string_view path)
{
    RankIdentity identity;
    const std::vector<std::string> parts = splitPath(path);
    for (std::size_t i = parts.size(); i-- > 0 && parts.size() - i <= kMaxFolders + 1;) {
        const bool isFile = i + 1 == parts.size();
        addIdentityFromName(identity, parts[i], isFile ? "file name" : "folder", isFile);
        if (!isFile)
            addLocalRank(identity, parts, i);
    }
    if (!identity.host.empty()) // folders of several nodes: the local rank is the rank on the first node only
        forgetLocalRank(identity);
    return identity;
}

RankIdentity identityOf(std::string_view path, const Trace& trace)
{
    RankIdentity identity = identityFromPath(path);
    if (const std::optional<std::int64_t> rank = rankFromContent(trace))
        setNumber(identity, kNumbers[0], *rank, "content");
    for (const auto& [name, value] : trace.metadata.producer)
        if (name == "host" || name == "hostname")
            setHost(identity, sanitizedText(value), "content");
    return identity;
}

Result<void> setIdentity(RankIdentity& identity, std::string_view text, std::string_view source)
{
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view entry = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = entry.find('=');
        const std::string_view name = entry.substr(0, equals);
        const std::string_view value
            = equals == std::string_view::npos ? std::string_view() : entry.substr(equals + 1);
        const auto* const known = std::ranges::find(kNumbers, name, &NumberName::name);
        const std::optional<std::int64_t> number = parsedCount(value);
        if (name == "host" && !value.empty())
            setHost(identity, std::string(value), source);
        else if (known != kNumbers.end() && number)
            setNumber(identity, *known, *number, source);
        else
            return fail(ErrorCode::BadRequest,
                fmt::format("takes rank=3,tp=1,pp=0,dp=2,ep=0,step=20,host=NAME, not {}", entry));
    }
    return {};
}

} // namespace highwater
