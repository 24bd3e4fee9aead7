#include "app/loading/input_paths.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/base/characters.h"

namespace highwater {

namespace {

/// Parses the number that begins at this place; nullopt if none does, or it is negative.
std::optional<std::int64_t> numberAt(std::string_view text, std::size_t begin)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Returns the number after a word: "rank3", "rank_3", "rank-3".
std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view word)
{
    for (std::size_t begin = name.find(word); begin != std::string_view::npos;
         begin = name.find(word, begin + 1)) {
        std::size_t numberBegin = begin + word.size();
        if (begin > 0 && isLetter(name[begin - 1]))
            continue;
        if (numberBegin < name.size() && (name[numberBegin] == '_' || name[numberBegin] == '-'))
            ++numberBegin;
        if (numberBegin < name.size() && isDigit(name[numberBegin]))
            return numberAt(name, numberBegin);
    }
    return std::nullopt;
}

/// Returns the facts in one component of a path.
NameFacts factsFromComponent(std::string_view name)
{
    NameFacts facts;
    facts.rank = numberAfter(name, "rank");
    for (const std::string_view word : {"step", "iteration", "iter"})
        if (!facts.step)
            facts.step = numberAfter(name, word);
    for (const std::string_view word : {"stage", "pp"})
        if (!facts.stage)
            facts.stage = numberAfter(name, word);
    // torchtitan: "000003_step_20.pickle" begins with the rank.
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (!facts.rank && digits > 0 && name.substr(digits).starts_with("_step_"))
        facts.rank = numberAt(name, 0);
    // Megatron-Bridge: "snapshot_3.pickle".
    if (!facts.rank && name.starts_with("snapshot_") && name.size() > 9 && isDigit(name[9])
        && name.substr(9).find_first_not_of("0123456789") == name.substr(9).find('.'))
        facts.rank = numberAt(name, 9);
    return facts;
}

} // namespace

std::vector<InputPath> expandInputs(const std::vector<std::string>& paths)
{
    std::vector<InputPath> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (path == "-" || !std::filesystem::is_directory(path, error)) {
            files.push_back({path, false});
            continue;
        }
        std::vector<std::string> inside;
        for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
             entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            std::error_code unknown;
            if (!name.starts_with('.') && entry->is_regular_file(unknown))
                inside.push_back(entry->path().string());
        }
        if (error) // opening it will give the reason
            files.push_back({path, false});
        std::ranges::sort(inside);
        for (std::string& file : inside)
            files.push_back({std::move(file), true});
    }
    return files;
}

bool isSameFileAsAny(const std::string& path, const std::vector<std::string>& files)
{
    return std::ranges::any_of(files, [&](const std::string& file) {
        std::error_code error; // ignored: either file may be missing
        return std::filesystem::equivalent(path, file == "-" ? "/dev/stdin" : file, error);
    });
}

NameFacts factsFromName(std::string_view path)
{
    const std::filesystem::path whole(path);
    const NameFacts file = factsFromComponent(whole.filename().string());
    const NameFacts folder = factsFromComponent(whole.parent_path().filename().string());
    return {file.rank ? file.rank : folder.rank, file.step ? file.step : folder.step,
        file.stage ? file.stage : folder.stage};
}

} // namespace highwater
