#include "importers/log/configuration_text.h"

#include "core/base/text_parts.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxWords = 10'000;

bool isQuote(char c)
{
    return c == '\'' || c == '"';
}

} // namespace

std::string_view unquoted(std::string_view text)
{
    const bool isQuoted = text.size() >= 2 && isQuote(text.front()) && text.back() == text.front();
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string> shellWords(std::string_view command)
{
    std::vector<std::string> words;
    std::string word;
    bool hasWord = false;
    char quote = 0;
    const auto endWord = [&] {
        if (hasWord && words.size() < kMaxWords)
            words.push_back(std::move(word));
        word.clear();
        hasWord = false;
    };
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote ? c == quote : isQuote(c)) {
            quote = quote ? 0 : c;
            hasWord = true;
        } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            word += command[++i];
            hasWord = true;
        } else if (!quote && (c == ' ' || c == '\t')) {
            endWord();
        } else {
            word += c;
            hasWord = true;
        }
    }
    endWord();
    return words;
}

std::vector<std::string_view> splitArguments(std::string_view text)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (quote)
            quote = c == quote && i < text.size() ? 0 : quote;
        else if (isQuote(c))
            quote = c;
        else if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if (c == ')' || c == ']' || c == '}')
            --depth;
        if (i == text.size() || (c == ',' && depth == 0 && !quote)) {
            if (parts.size() < kMaxWords)
                parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return parts;
}

bool isSecretName(std::string_view name)
{
    constexpr std::string_view kWords[] = {"api_key", "apikey", "secret", "passw", "auth_token",
        "access_token", "hf_token", "hub_token", "access_key", "credential"};
    return containsAny(lowered(name), kWords);
}

} // namespace highwater::logs
