#include "core/analysis/diff/matching/file_classes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "core/analysis/diff/matching/code_paths.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::uint32_t kNoClass = std::numeric_limits<std::uint32_t>::max();
/// Limit on the compared pairs of files of one name, over all names. The files of a name that would exceed
/// it are paired in order of their paths.
constexpr std::size_t kMaxFilePairs = std::size_t{1} << 20;
/// Limit on the compared pairs of files of different names.
constexpr std::size_t kMaxVersionPairs = 4096;
/// A match of versions is unique if every other candidate differs by at least twice as much, plus this.
constexpr double kLeastDifference = 0.01;

/// Returns the number of equal characters at the end of two paths.
std::size_t commonEnd(std::string_view a, std::string_view b)
{
    const auto [end, other] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<std::size_t>(end - a.rbegin());
}

/// Returns the number of equal folders at the end of two paths, not counting the file name.
std::size_t commonFolders(std::string_view a, std::string_view b)
{
    const std::size_t length = commonEnd(a, b);
    const auto beginsAtName = [length](std::string_view path) {
        return path.size() == length || path[path.size() - length - 1] == '/';
    };
    const auto slashes = static_cast<std::size_t>(std::ranges::count(a.substr(a.size() - length), '/'));
    // The first slash ends a name that agrees only in its last letters, or in none.
    return slashes > 0 && !(beginsAtName(a) && beginsAtName(b)) ? slashes - 1 : slashes;
}

struct FilePair
{
    std::size_t folders = 0; ///< number of folders at the end that both paths share
    std::size_t characters = 0; ///< number of equal characters at the end of both paths
    double difference = 0; ///< difference of their contents
    std::size_t before = 0;
    std::size_t after = 0;
};

/// True if two files of one name may be versions of one file, judging by their recorded calls.
bool haveSimilarCalls(const FileContents& before, const FileContents& after, const FileLikeness& likeness)
{
    return before.calls.empty() || after.calls.empty() || likeness.callShare >= 0.5;
}

class FileMatcher
{
public:
    FileMatcher(const std::vector<FileContents>& before, const std::vector<FileContents>& after)
        : m_beforeFiles(before)
        , m_afterFiles(after)
    {
        for (const FileContents& file : before)
            m_before.push_back(portablePath(file.path));
        for (const FileContents& file : after)
            m_after.push_back(portablePath(file.path));
        m_classes.before.assign(before.size(), kNoClass);
        m_classes.after.assign(after.size(), kNoClass);
    }

    FileClasses match()
    {
        pairEqualPaths();
        pairNamesakes(haveSimilarCalls);
        pairVersions();
        pairNamesakes([](const FileContents&, const FileContents&, const FileLikeness& likeness) {
            return likeness.sharedFunctions > 0;
        });
        for (auto* classes : {&m_classes.before, &m_classes.after})
            for (std::uint32_t& classNumber : *classes)
                if (classNumber == kNoClass)
                    classNumber = m_nextClass++;
        std::ranges::sort(m_classes.joinedFiles, {}, &JoinedFile::after);
        return std::move(m_classes);
    }

private:
    /// Gives all files with one portable path one class, if both runs have such a file.
    void pairEqualPaths()
    {
        std::map<std::string_view, std::uint32_t> classes;
        for (std::size_t i = 0; i < m_before.size(); ++i)
            m_classes.before[i]
                = classes.try_emplace(m_before[i], m_nextClass + classes.size()).first->second;
        std::vector<bool> shared(classes.size(), false);
        for (std::size_t i = 0; i < m_after.size(); ++i)
            if (const auto found = classes.find(m_after[i]); found != classes.end()) {
                m_classes.after[i] = found->second;
                shared[found->second] = true;
            }
        m_nextClass = static_cast<std::uint32_t>(classes.size());
        for (std::uint32_t& classNumber : m_classes.before)
            if (!shared[classNumber])
                classNumber = kNoClass;
    }

    /// Files that have no class yet.
    struct Unmatched
    {
        std::vector<std::size_t> before;
        std::vector<std::size_t> after;

        std::size_t pairCount() const { return before.size() * after.size(); }
    };

    template <typename Use>
    void forEachUnmatched(std::vector<std::size_t> Unmatched::*side, Use use) const
    {
        const bool isBefore = side == &Unmatched::before;
        const auto& classes = isBefore ? m_classes.before : m_classes.after;
        for (std::size_t i = 0; i < classes.size(); ++i)
            if (classes[i] == kNoClass)
                use(isBefore ? m_before[i] : m_after[i], i);
    }

    /// Returns the unmatched files by file name.
    std::map<std::string_view, Unmatched> namesakes() const
    {
        std::map<std::string_view, Unmatched> byName;
        for (const auto side : {&Unmatched::before, &Unmatched::after})
            forEachUnmatched(side,
                [&](std::string_view path, std::size_t i) { (byName[fileName(path)].*side).push_back(i); });
        return byName;
    }

    /// Makes a candidate from two files and their likeness.
    FilePair pairOf(std::size_t before, std::size_t after, const FileLikeness& likeness) const
    {
        return {commonFolders(m_before[before], m_after[after]), commonEnd(m_before[before], m_after[after]),
            likeness.difference(), before, after};
    }
    FileLikeness compareFiles(std::size_t before, std::size_t after) const
    {
        return highwater::compareFiles(m_beforeFiles[before], m_afterFiles[after]);
    }

    /// Returns both paths in an order that does not depend on which run they come from.
    auto pathsOf(const FilePair& pair) const
    {
        const auto paths = std::minmax(m_before[pair.before], m_after[pair.after]);
        return std::pair(std::string_view(paths.first), std::string_view(paths.second));
    }

    /// Pairs files of one name. `mayBeVersions` decides from the contents of both and their likeness.
    template <typename MayBeVersions>
    void pairNamesakes(MayBeVersions mayBeVersions)
    {
        std::vector<FilePair> candidates;
        std::size_t comparedPairs = 0;
        for (auto& [name, files] : namesakes()) {
            if (comparedPairs + files.pairCount() > kMaxFilePairs) {
                pairInOrder(files);
                continue;
            }
            comparedPairs += files.pairCount();
            for (const std::size_t before : files.before)
                for (const std::size_t after : files.after)
                    if (const FileLikeness likeness = compareFiles(before, after);
                        mayBeVersions(m_beforeFiles[before], m_afterFiles[after], likeness))
                        candidates.push_back(pairOf(before, after, likeness));
        }
        std::ranges::sort(candidates, {}, [this](const FilePair& pair) {
            return std::tuple(-static_cast<std::int64_t>(pair.folders), pair.difference,
                -static_cast<std::int64_t>(pair.characters), pathsOf(pair));
        });
        for (const FilePair& candidate : candidates)
            pairFiles(candidate.before, candidate.after);
    }

    /// Pairs files in order of their paths, because there are too many to compare each with each.
    void pairInOrder(const Unmatched& files)
    {
        const auto byPath = [](std::vector<std::size_t> indices, const std::vector<std::string>& paths) {
            std::ranges::sort(indices, [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });
            return indices;
        };
        const std::vector<std::size_t> before = byPath(files.before, m_before);
        const std::vector<std::size_t> after = byPath(files.after, m_after);
        for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
            pairFiles(before[i], after[i]);
    }

    /// Returns the pairs of versions among the files whose allocations were read (the user's own files),
    /// most similar first. Empty if there are too many pairs to compare.
    std::vector<FilePair> versions() const
    {
        Unmatched files;
        for (const auto side : {&Unmatched::before, &Unmatched::after})
            forEachUnmatched(side, [&](std::string_view, std::size_t i) {
                if (!(side == &Unmatched::before ? m_beforeFiles : m_afterFiles)[i].allocations.empty())
                    (files.*side).push_back(i);
            });
        std::vector<FilePair> found;
        if (files.pairCount() > kMaxVersionPairs)
            return found;
        for (const std::size_t before : files.before)
            for (const std::size_t after : files.after)
                if (const FileLikeness likeness = compareFiles(before, after); areVersions(likeness))
                    found.push_back(pairOf(before, after, likeness));
        std::ranges::sort(
            found, {}, [this](const FilePair& pair) { return std::pair(pair.difference, pathsOf(pair)); });
        return found;
    }

    /// Pairs versions that have no rival: no other candidate with one of the files that is nearly as similar.
    void pairVersions()
    {
        const std::vector<FilePair> candidates = versions();
        const auto isRival = [this](const FilePair& other, const FilePair& best) {
            return (other.before == best.before) != (other.after == best.after)
                && areUnmatched(other.before, other.after)
                && other.difference < 2 * best.difference + kLeastDifference;
        };
        for (const FilePair& candidate : candidates)
            if (std::ranges::none_of(
                    candidates, [&](const FilePair& other) { return isRival(other, candidate); }))
                pairFiles(candidate.before, candidate.after);
    }

    bool areUnmatched(std::size_t before, std::size_t after) const
    {
        return m_classes.before[before] == kNoClass && m_classes.after[after] == kNoClass;
    }

    /// Pairs two files, unless one has a class already.
    void pairFiles(std::size_t before, std::size_t after)
    {
        if (!areUnmatched(before, after))
            return;
        m_classes.before[before] = m_classes.after[after] = m_nextClass++;
        if (isOwnFile(m_beforeFiles[before].path) && isOwnFile(m_afterFiles[after].path))
            m_classes.joinedFiles.push_back(
                {m_beforeFiles[before].path, m_afterFiles[after].path, compareFiles(before, after)});
    }

    const std::vector<FileContents>& m_beforeFiles;
    const std::vector<FileContents>& m_afterFiles;
    std::vector<std::string> m_before; ///< portable paths
    std::vector<std::string> m_after;
    FileClasses m_classes;
    std::uint32_t m_nextClass = 0;
};

} // namespace

bool JoinedFile::hasNewName() const
{
    return sourceFileName(before) != sourceFileName(after);
}

FileClasses matchFiles(const std::vector<FileContents>& before, const std::vector<FileContents>& after)
{
    return FileMatcher(before, after).match();
}

} // namespace highwater
