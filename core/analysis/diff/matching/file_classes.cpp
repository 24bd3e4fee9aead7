#include "core/analysis/diff/matching/file_classes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::uint32_t kNoClass = std::numeric_limits<std::uint32_t>::max();
/// Pairs of files of one name that are compared; beyond, they are taken in order.
constexpr std::size_t kMostFilePairs = std::size_t{1} << 20;

/// How many characters from the end on are equal.
std::size_t commonEnd(std::string_view a, std::string_view b)
{
    const auto [end, other] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<std::size_t>(end - a.rbegin());
}

/// How many folders from the end on are equal, the name not counted.
std::size_t commonFolders(std::string_view a, std::string_view b)
{
    const std::string_view shared = a.substr(a.size() - commonEnd(a, b));
    return static_cast<std::size_t>(std::ranges::count(shared, '/'));
}

struct FilePair
{
    std::size_t folders = 0;
    std::size_t letters = 0;
    std::size_t before = 0;
    std::size_t after = 0;
};

/// Best first; which run a path is of does not matter.
bool isBetter(const FilePair& a, const FilePair& b, const std::vector<std::string>& before,
    const std::vector<std::string>& after)
{
    const auto key = [&](const FilePair& c) {
        const auto paths = std::minmax(before[c.before], after[c.after]);
        return std::tuple(-static_cast<std::int64_t>(c.folders), -static_cast<std::int64_t>(c.letters),
            std::string_view(paths.first), std::string_view(paths.second));
    };
    return key(a) < key(b);
}

class FileMatcher
{
public:
    FileMatcher(const std::vector<std::string>& before, const std::vector<std::string>& after)
        : m_classes(std::vector<std::uint32_t>(before.size(), kNoClass),
            std::vector<std::uint32_t>(after.size(), kNoClass))
    {
        for (const std::string& path : before)
            m_before.push_back(portablePath(path));
        for (const std::string& path : after)
            m_after.push_back(portablePath(path));
    }

    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> run()
    {
        takeEqual();
        takeRenamed();
        for (auto* classes : {&m_classes.first, &m_classes.second})
            for (std::uint32_t& one : *classes)
                if (one == kNoClass)
                    one = m_next++;
        return std::move(m_classes);
    }

private:
    void takeEqual()
    {
        std::map<std::string_view, std::uint32_t> classes;
        for (std::size_t i = 0; i < m_before.size(); ++i)
            m_classes.first[i] = classes.try_emplace(m_before[i], m_next + classes.size()).first->second;
        std::vector<bool> shared(classes.size(), false);
        for (std::size_t i = 0; i < m_after.size(); ++i)
            if (const auto found = classes.find(m_after[i]); found != classes.end()) {
                m_classes.second[i] = found->second;
                shared[found->second] = true;
            }
        m_next = static_cast<std::uint32_t>(classes.size());
        for (std::uint32_t& one : m_classes.first)
            if (!shared[one])
                one = kNoClass;
    }

    /// Files of one name that have no class yet.
    struct Namesakes
    {
        std::vector<std::size_t> before;
        std::vector<std::size_t> after;

        std::size_t pairs() const { return before.size() * after.size(); }
    };

    std::map<std::string_view, Namesakes> namesakes() const
    {
        std::map<std::string_view, Namesakes> byName;
        for (std::size_t i = 0; i < m_before.size(); ++i)
            if (m_classes.first[i] == kNoClass)
                byName[fileName(m_before[i])].before.push_back(i);
        for (std::size_t i = 0; i < m_after.size(); ++i)
            if (m_classes.second[i] == kNoClass)
                byName[fileName(m_after[i])].after.push_back(i);
        return byName;
    }

    void takeRenamed()
    {
        std::vector<FilePair> candidates;
        for (auto& [name, files] : namesakes()) {
            if (candidates.size() + files.pairs() > kMostFilePairs) {
                takeInOrder(files);
                continue;
            }
            for (const std::size_t before : files.before)
                for (const std::size_t after : files.after)
                    candidates.push_back({commonFolders(m_before[before], m_after[after]),
                        commonEnd(m_before[before], m_after[after]), before, after});
        }
        std::ranges::sort(candidates,
            [this](const FilePair& a, const FilePair& b) { return isBetter(a, b, m_before, m_after); });
        for (const FilePair& candidate : candidates)
            take(candidate.before, candidate.after);
    }

    /// By path, where there are too many to compare each with each.
    void takeInOrder(const Namesakes& files)
    {
        const auto byPath = [](std::vector<std::size_t> indices, const std::vector<std::string>& paths) {
            std::ranges::sort(indices, [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });
            return indices;
        };
        const std::vector<std::size_t> before = byPath(files.before, m_before);
        const std::vector<std::size_t> after = byPath(files.after, m_after);
        for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
            take(before[i], after[i]);
    }

    void take(std::size_t before, std::size_t after)
    {
        if (m_classes.first[before] == kNoClass && m_classes.second[after] == kNoClass)
            m_classes.first[before] = m_classes.second[after] = m_next++;
    }

    std::vector<std::string> m_before;
    std::vector<std::string> m_after;
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> m_classes;
    std::uint32_t m_next = 0;
};

} // namespace

std::string_view packageOf(std::string_view path)
{
    for (const std::string_view folder : {"site-packages", "dist-packages"}) {
        const std::size_t at = path.find(folder);
        if (at == std::string_view::npos || at + folder.size() >= path.size())
            continue;
        const std::string_view inside = path.substr(at + folder.size() + 1);
        return inside.substr(0, inside.find_first_of("/\\"));
    }
    return {};
}

bool isSpellingFile(std::string_view path)
{
    static constexpr std::array<std::string_view, 7> packages
        = {"einops", "einx", "opt_einsum", "jaxtyping", "beartype", "typeguard", "wrapt"};
    return std::ranges::find(packages, packageOf(path)) != packages.end();
}

std::string portablePath(std::string_view path)
{
    const std::string text = forwardSlashes(path);
    static constexpr std::array<std::string_view, 2> packages = {"site-packages/", "dist-packages/"};
    for (const std::string_view mark : packages)
        if (const std::size_t at = text.rfind(mark); at != std::string::npos)
            return text.substr(at + mark.size());
    static constexpr std::string_view library = "/lib/python3";
    if (const std::size_t at = text.rfind(library); at != std::string::npos)
        if (const std::size_t slash = text.find('/', at + library.size()); slash != std::string::npos)
            return "python3" + text.substr(slash);
    return text;
}

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> matchFiles(
    const std::vector<std::string>& before, const std::vector<std::string>& after)
{
    return FileMatcher(before, after).run();
}

} // namespace highwater
