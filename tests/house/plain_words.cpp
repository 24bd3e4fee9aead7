#include "tests/house/plain_words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <re2/re2.h>

namespace highwater::test {

namespace {

struct Habit
{
    const char* pattern;
    const char* reason;
};

constexpr std::array<Habit, 2> kHabitsOfComments{
    {{R"((?:^|\s)//[/!]?<? ?(?:Of|What|Whether|As above|Also of|Th(?:at|ose|e same) of)\b)",
         "a comment begins with a verb or its subject"},
        {R"(//.*\b(?:none|null|empty|nullopt): )", "say \"null if …\", \"empty without …\""}}};

constexpr std::array<Habit, 10> kHabitsOfTexts{{{R"(\d\.\d?0 [KMGT]iB\b)", "no trailing zeros"},
    {R"(\d %(?:[^a-zA-Z]|$))", "no space before %"}, {R"(would be wrong if)", "\"Wrong if\" and a clause"},
    {R"(±0)", "0 has no sign"}, {R"(held from earlier steps)", "kept from earlier steps"},
    {R"(so that the logits never exist whole)", "chunked or fused cross-entropy"},
    {R"(half as many bytes)", "bf16 or 8-bit"}, {R"(in no known form)", "unrecognized format"},
    {R"(as often or twice as often)", "two per parameter, as Adam keeps"},
    {R"(would do together, but neither does alone)", "no single block is large enough"}}};

template <typename Habits>
void addBreaches(const Habits& habits, std::string_view line, std::size_t number, const std::string& path,
    std::vector<std::string>& all)
{
    for (const Habit& habit : habits)
        if (re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), habit.pattern))
            all.push_back(fmt::format("{}:{}: {}: {}", path, number, habit.reason, line));
}

template <typename Habits>
std::vector<std::string> breaches(const Habits& habits, const std::string& path, std::string_view text)
{
    std::vector<std::string> all;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        addBreaches(habits, text.substr(0, end), number, path, all);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

} // namespace

std::vector<std::string> commentBreaches(const std::string& path, std::string_view text)
{
    return breaches(kHabitsOfComments, path, text);
}

std::vector<std::string> wordBreaches(std::string_view text)
{
    return breaches(kHabitsOfTexts, "text", text);
}

} // namespace highwater::test
