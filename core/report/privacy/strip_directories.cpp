#include "core/report/privacy/strip_directories.h"

#include <algorithm>
#include <array>

#include "core/report/privacy/path_text.h"

namespace highwater {

namespace {

/// Largest distance at which a path may continue after a space or a bracket.
constexpr std::size_t kFarthest = 100;
/// Most spaces between a word of a path and its next separator, for a path without quotes.
constexpr std::size_t kMaxSpaces = 2;

constexpr std::string_view kBothSeparators = "/\\";
constexpr std::string_view kSlash = "/";
constexpr std::string_view kEllipsis = "…";

bool isConnectingWord(std::string_view word)
{
    static constexpr std::array kWords = std::to_array<std::string_view>({"and", "as", "at", "by", "does",
        "for", "from", "has", "in", "into", "is", "not", "of", "on", "or", "than", "to", "was", "with"});
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool isNumeric(std::string_view part)
{
    return part.find_first_not_of("0123456789.,%:") == std::string_view::npos;
}

bool isAllNumeric(std::string_view path)
{
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (!isNumeric(path.substr(begin, end - begin)))
            return false;
        begin = end + 1;
    }
    return true;
}

/// Returns the last part of a path, or "…" if the last part was truncated.
std::string_view shortened(std::string_view path, std::string_view separators)
{
    const std::string_view last = lastPart(path, separators);
    const bool isCut = last.ends_with(kEllipsis) && !hasFileExtension(last);
    return isCut ? kEllipsis : last;
}

/// True for "outputs/team/run-7": a common output folder with at least two levels below it. Names of metrics
/// contain slashes, too ("train/loss"), but do not begin with such a folder.
bool beginsLikeAnOutput(std::string_view word)
{
    static constexpr std::array kFolders = std::to_array<std::string_view>({"artifacts", "cache",
        "checkpoint", "checkpoints", "ckpt", "ckpts", "data", "datasets", "exp", "experiments", "exps",
        "home", "lightning_logs", "logs", "mnt", "output", "outputs", "projects", "results", "runs",
        "saved_models", "saves", "scratch", "tb_logs", "tmp", "wandb", "work", "workspace"});
    const std::string_view first = word.substr(0, word.find('/'));
    return countParts(word, kSlash) > 2
        && std::find(kFolders.begin(), kFolders.end(), first) != kFolders.end();
}

/// True if a word with separators is a relative path and not a fraction, a unit or "and/or".
bool isRelativePath(std::string_view word)
{
    const bool hasMarker = word.starts_with("./") || word.starts_with("../") || word.starts_with(".\\")
        || word.starts_with("..\\") || word.find("-packages/") != std::string_view::npos
        || word.find("/home/") != std::string_view::npos || word.find("/Users/") != std::string_view::npos;
    if (hasMarker || beginsLikeAnOutput(word))
        return !lastPart(word, kBothSeparators).empty();
    if (!hasFileExtension(lastPart(word, kBothSeparators)))
        return false;
    for (std::size_t i = word.find('\\'); i != std::string_view::npos; i = word.find('\\', i + 1))
        if (i + 1 < word.size() && word[i + 1] != '\\'
            && (word[i + 1] == '_' || !isNameCharacter(word[i + 1])))
            return false; // the backslash escapes a character
    return true;
}

class Stripper
{
public:
    explicit Stripper(std::string_view text)
        : m_text(text)
    {
    }

    std::string stripped();

private:
    void stripAddress(std::string_view scheme);
    void stripRootedPath(std::size_t root);
    void stripWord();

    std::size_t wordEnd(std::size_t begin) const;
    std::size_t pathEnd(std::string_view separators) const;
    std::size_t continuation(std::size_t wordEndAt, std::size_t partBegin, std::string_view separators) const;
    bool isQuoted() const { return m_at > 0 && isOneOf(m_text[m_at - 1], "\"'`"); }
    bool followsBracket() const { return m_at > 0 && isOneOf(m_text[m_at - 1], ")]}>"); }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_out;
};

std::size_t Stripper::wordEnd(std::size_t begin) const
{
    std::size_t end = begin;
    while (end < m_text.size() && !isWordEnd(m_text[end]))
        ++end;
    return end;
}

/// Decides if the path continues after the word that ends at `wordEndAt`. Returns the position of its next
/// separator if so, else `wordEndAt`. `partBegin` is where the path's last part so far begins.
std::size_t Stripper::continuation(
    std::size_t wordEndAt, std::size_t partBegin, std::string_view separators) const
{
    if (hasFileExtension(m_text.substr(partBegin, wordEndAt - partBegin)))
        return wordEndAt;
    const char quote = isQuoted() ? m_text[m_at - 1] : '\0';
    const std::size_t limit = std::min(m_text.size(), wordEndAt + kFarthest);
    std::size_t next = wordEndAt;
    std::size_t spaces = 0;
    while (next < limit && !isOneOf(m_text[next], separators)) {
        const char c = m_text[next];
        if (isPathEnd(c) || c == ':' || (quote != '\0' && c == quote))
            return wordEndAt;
        spaces += c == ' ' ? 1 : 0;
        ++next;
    }
    if (next == limit || isWordEnd(m_text[next - 1])) {
        const bool isBracketed = next < limit && isOneOf(m_text[next - 1], ")]}");
        if (!isBracketed)
            return wordEndAt;
    }
    const bool mayHoldSpaces = quote != '\0' || separators == kBothSeparators;
    if (spaces == 0 || mayHoldSpaces)
        return next;
    const std::size_t wordBegin = m_text.rfind(' ', next) + 1;
    const std::string_view between = m_text.substr(wordEndAt + 1, wordBegin - wordEndAt - 1);
    const bool isConnected = isConnectingWord(between.substr(0, between.find(' ')));
    const std::string_view lastWord = m_text.substr(wordBegin, wordEnd(wordBegin) - wordBegin);
    return spaces <= kMaxSpaces && !isConnected && isRelativePath(lastWord) ? next : wordEndAt;
}

std::size_t Stripper::pathEnd(std::string_view separators) const
{
    std::size_t partBegin = m_at;
    std::size_t end = m_at;
    while (end < m_text.size()) {
        const char c = m_text[end];
        const bool beginsNext = c == ':' && end > m_at + 1 && rootLength(m_text, end + 1) > 0;
        if (beginsNext)
            break;
        if (isOneOf(c, separators))
            partBegin = end + 1;
        else if (isWordEnd(c)) {
            const std::size_t next = continuation(end, partBegin, separators);
            if (next == end)
                break;
            end = next;
            continue;
        }
        ++end;
    }
    return end;
}

void Stripper::stripRootedPath(std::size_t root)
{
    const bool isPlainSlash = root == 1;
    const std::string_view separators = m_text[m_at] == '/' || m_text[m_at] == '~' ? kSlash : kBothSeparators;
    const std::size_t end = pathEnd(separators);
    const std::string_view path = m_text.substr(m_at, end - m_at);
    const std::string_view last = shortened(path.substr(root), separators);
    const bool isShare = m_text[m_at] == '\\';
    const bool staysWhole = last.empty() || ((isPlainSlash || isShare) && countParts(path, separators) < 2)
        || (isPlainSlash && isAllNumeric(path.substr(1)));
    m_out += staysWhole ? path : last;
    m_at = end;
}

/// Handles an address: a web address is kept without the user name, the address of a file or bucket is
/// shortened like a path.
void Stripper::stripAddress(std::string_view scheme)
{
    const std::size_t hostBegin = m_at + scheme.size() + 3;
    const std::size_t hostEnd = std::min(m_text.find_first_of("/?# \t\r\n\"'`<>", hostBegin), m_text.size());
    const std::size_t end = std::max(hostEnd, wordEnd(hostEnd));
    const std::string_view host = m_text.substr(hostBegin, hostEnd - hostBegin);
    const std::string_view path = m_text.substr(hostEnd, end - hostEnd);
    const std::size_t user = host.rfind('@');
    const bool isWeb = scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss";
    if (isWeb || lastPart(path, kSlash).empty()) {
        m_out += m_text.substr(m_at, hostBegin - m_at);
        m_out += user == std::string_view::npos ? host : host.substr(user + 1);
        m_out += path;
    } else {
        m_out += shortened(path, kSlash);
    }
    m_at = end;
}

/// Returns where an address or an absolute path begins inside a word, after a colon: "host:/path",
/// "see:https://x"; the word's length if there is no such place.
std::size_t innerRoot(std::string_view word)
{
    for (std::size_t colon = word.find(':'); colon != std::string_view::npos;
         colon = word.find(':', colon + 1)) {
        const bool isAddress = word.substr(colon).starts_with("://");
        if (!schemeAt(word, colon + 1).empty() || (!isAddress && rootLength(word, colon + 1) > 0))
            return colon + 1;
    }
    return word.size();
}

void Stripper::stripWord()
{
    std::string_view word = m_text.substr(m_at, wordEnd(m_at) - m_at);
    word = word.substr(0, innerRoot(word));
    const std::size_t separator = word.find_first_of(kBothSeparators);
    if (separator == std::string_view::npos || !isRelativePath(word)) {
        m_out += word;
    } else {
        const std::size_t colon = word.rfind(':', separator);
        m_out += word.substr(0, colon == std::string_view::npos ? 0 : colon + 1);
        m_out += shortened(word, kBothSeparators);
    }
    m_at += word.size();
}

std::string Stripper::stripped()
{
    m_out.reserve(m_text.size());
    while (m_at < m_text.size()) {
        const std::size_t root = rootLength(m_text, m_at);
        if (const std::string_view scheme = schemeAt(m_text, m_at); !scheme.empty())
            stripAddress(scheme);
        else if (root > 0 && !(root == 1 && followsBracket()))
            stripRootedPath(root);
        else if (isWordEnd(m_text[m_at]) || m_text[m_at] == ':')
            m_out += m_text[m_at++];
        else
            stripWord();
    }
    return m_out;
}

} // namespace

std::string withoutDirectories(std::string_view text)
{
    return Stripper(text).stripped();
}

} // namespace highwater
