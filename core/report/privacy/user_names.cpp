#include "core/report/privacy/user_names.h"

#include <algorithm>
#include <array>

#include "core/report/privacy/path_text.h"

namespace highwater {

namespace {

constexpr std::size_t kShortestName = 3;
constexpr std::size_t kLongestName = 64;

/// True for accounts that do not identify a person.
bool isCommonAccount(std::string_view name)
{
    static constexpr std::array kCommon
        = std::to_array<std::string_view>({"All Users", "Default", "Public", "Shared", "admin", "azureuser",
            "centos", "colab", "conda", "debian", "docker", "ec2-user", "git", "guest", "jovyan", "kaggle",
            "nobody", "root", "runner", "shared", "ubuntu", "user", "users", "vscode", "www-data"});
    return std::binary_search(kCommon.begin(), kCommon.end(), name);
}

/// Returns the number of name characters from `at` on.
std::size_t wordLength(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isNameCharacter(text[end]))
        ++end;
    return end - at;
}

bool isAccountCharacter(char c)
{
    return isNameCharacter(c) || isOneOf(c, ".-");
}

/// Returns the folder name at the beginning of `rest`: up to the next separator; with spaces only if the
/// separator is on the same line.
std::string_view folderName(std::string_view rest, bool mayHoldSpaces)
{
    std::size_t end = 0;
    while (end < rest.size() && end < kLongestName && !isPathEnd(rest[end]) && !isOneOf(rest[end], "/\\:"))
        ++end;
    const bool isFolder = end < rest.size() && isOneOf(rest[end], "/\\");
    if (mayHoldSpaces && isFolder)
        return rest.substr(0, end);
    const auto wordEnd = std::find_if_not(rest.begin(), rest.end(), isAccountCharacter);
    return rest.substr(0, static_cast<std::size_t>(wordEnd - rest.begin()));
}

} // namespace

void UserNames::add(std::string_view name)
{
    while (!name.empty() && isOneOf(name.back(), ".-"))
        name.remove_suffix(1);
    const std::size_t firstWordLength = wordLength(name, 0);
    if (name.size() < kShortestName || name.size() > kLongestName || firstWordLength == 0
        || isCommonAccount(name) || name.find_first_not_of("0123456789.-") == std::string_view::npos)
        return;
    std::vector<std::string>& names = m_names[std::string(name.substr(0, firstWordLength))];
    if (std::find(names.begin(), names.end(), name) != names.end())
        return;
    names.emplace_back(name);
    std::sort(names.begin(), names.end(),
        [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

void UserNames::learnHomes(std::string_view text)
{
    for (const std::string_view folder : {"home", "Users"})
        for (std::size_t at = text.find(folder); at != std::string_view::npos;
             at = text.find(folder, at + 1)) {
            const std::size_t end = at + folder.size();
            const bool isFolder
                = at > 0 && isOneOf(text[at - 1], "/\\") && end < text.size() && isOneOf(text[end], "/\\");
            if (!isFolder)
                continue;
            const std::size_t name = std::min(text.find_first_not_of("/\\", end), text.size());
            add(folderName(text.substr(name), text[end] == '\\'));
        }
}

void UserNames::learnAccounts(std::string_view text)
{
    for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
        const auto isHost = [&](std::size_t i) {
            return i < text.size() && isNameCharacter(text[i]) && !isOneOf(text[i], "0123456789");
        };
        std::size_t begin = at;
        while (begin > 0 && at - begin < kLongestName && isAccountCharacter(text[begin - 1]))
            --begin;
        if (begin < at && isHost(at + 1))
            add(text.substr(begin, at - begin));
    }
    for (std::size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1))
        if (const std::size_t root = rootLength(text, at); root > 2)
            add(text.substr(at + 1, root - 2));
}

void UserNames::learn(std::string_view text)
{
    learnHomes(text);
    learnAccounts(text);
    for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
        const std::size_t begin = at + 3;
        const std::size_t end = std::min(text.find_first_of("/?# \t\r\n\"'`<>", begin), text.size());
        const std::string_view host = text.substr(begin, end - begin);
        if (host.find('@') != std::string_view::npos)
            add(host.substr(0, host.find_first_of(":@")));
    }
}

std::string UserNames::replaced(std::string_view text) const
{
    if (m_names.empty())
        return std::string(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t firstWordLength = wordLength(text, at);
        if (firstWordLength == 0) {
            out += text[at++];
            continue;
        }
        std::string_view output = text.substr(at, firstWordLength);
        std::size_t length = firstWordLength;
        if (const auto found = m_names.find(output); found != m_names.end())
            for (const std::string& name : found->second) {
                const std::size_t end = at + name.size();
                if (text.substr(at).starts_with(name)
                    && (end == text.size() || !isNameCharacter(text[end]))) {
                    output = "user";
                    length = name.size();
                    break;
                }
            }
        out += output;
        at += length;
    }
    return out;
}

} // namespace highwater
