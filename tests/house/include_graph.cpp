#include "tests/house/include_graph.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace highwater::test {

namespace {

/// Number of includes that are named for one step of a cycle; the others are only counted.
constexpr std::size_t kNamed = 5;

std::string withoutEnding(const std::string& path)
{
    const std::size_t dot = path.find_last_of('.');
    return dot == std::string::npos || path.find('/', dot) != std::string::npos ? path : path.substr(0, dot);
}

std::string folderOf(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// The graph of includes, by file or by folder.
class Graph
{
public:
    Graph(const std::vector<Include>& includes, std::string (*nodeOf)(const std::string& path))
    {
        for (const Include& include : includes) {
            const std::string from = nodeOf(include.from);
            const std::string to = nodeOf(include.to);
            if (from != to)
                m_next[from][to].push_back(include);
        }
        dropEnds();
    }

    /// Returns one cycle for each set of nodes that all reach each other.
    std::vector<std::string> cycles() const
    {
        std::vector<std::string> found;
        std::set<std::string> told;
        for (const auto& [start, next] : m_next) {
            if (told.contains(start))
                continue;
            const std::vector<std::string> members = strongComponent(start);
            told.insert(members.begin(), members.end());
            if (members.size() > 1)
                found.push_back(sentence(members));
        }
        return found;
    }

private:
    using Way = std::vector<std::string>;

    /// Removes nodes that lead to no cycle, so that nothing is left to search if there are no cycles.
    void dropEnds()
    {
        for (bool hasDropped = true; hasDropped;) {
            hasDropped = false;
            for (auto node = m_next.begin(); node != m_next.end();) {
                std::erase_if(
                    node->second, [this](const auto& edge) { return !m_next.contains(edge.first); });
                hasDropped = hasDropped || node->second.empty();
                node = node->second.empty() ? m_next.erase(node) : std::next(node);
            }
        }
    }

    std::set<std::string> reachedFrom(const std::string& start) const
    {
        std::set<std::string> reached;
        std::deque<std::string> open{start};
        for (; !open.empty(); open.pop_front())
            for (const auto& [next, includes] : m_next.at(open.front()))
                if (reached.insert(next).second)
                    open.push_back(next);
        return reached;
    }

    /// Returns the node and all nodes that it reaches and that reach it.
    std::vector<std::string> strongComponent(const std::string& start) const
    {
        std::vector<std::string> members;
        const std::set<std::string> reached = reachedFrom(start);
        if (reached.contains(start))
            std::copy_if(reached.begin(), reached.end(), std::back_inserter(members),
                [&](const std::string& node) { return reachedFrom(node).contains(start); });
        return members;
    }

    /// Returns the shortest way from a node back to itself.
    Way wayRound(const std::string& start) const
    {
        std::map<std::string, std::string> cameFrom;
        std::deque<std::string> open{start};
        for (; !open.empty() && !cameFrom.contains(start); open.pop_front())
            for (const auto& [next, includes] : m_next.at(open.front()))
                if (cameFrom.try_emplace(next, open.front()).second)
                    open.push_back(next);
        Way way{start};
        for (std::string at = cameFrom.at(start); at != start; at = cameFrom.at(at))
            way.push_back(at);
        way.push_back(start);
        std::reverse(way.begin(), way.end());
        return way;
    }

    std::string sentence(const std::vector<std::string>& members) const
    {
        Way shortest;
        for (const std::string& member : members)
            if (Way way = wayRound(member); shortest.empty() || way.size() < shortest.size())
                shortest = std::move(way);
        std::ostringstream text;
        for (std::size_t i = 0; i < shortest.size(); ++i)
            text << (i == 0 ? "" : " -> ") << shortest[i];
        if (members.size() + 1 > shortest.size())
            text << " (of " << members.size() << " that all lead to each other)";
        for (std::size_t i = 0; i + 1 < shortest.size(); ++i) {
            const std::vector<Include>& includes = m_next.at(shortest[i]).at(shortest[i + 1]);
            for (std::size_t k = 0; k < std::min(includes.size(), kNamed); ++k)
                text << "\n  " << includes[k].from << " includes " << includes[k].to;
            if (includes.size() > kNamed)
                text << "\n  and " << includes.size() - kNamed << " more like it";
        }
        return text.str();
    }

    std::map<std::string, std::map<std::string, std::vector<Include>>> m_next;
};

} // namespace

std::string includedBy(const std::string& line)
{
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line.compare(hash, 8, "#include") != 0)
        return "";
    const std::size_t begin = line.find_first_of("<\"", hash);
    const std::size_t end = begin == std::string::npos ? begin : line.find_first_of(">\"", begin + 1);
    return end == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

std::vector<Include> includesOf(const std::string& name, const std::string& text)
{
    std::vector<Include> includes;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (std::string target = includedBy(line); !target.empty())
            includes.push_back({name, std::move(target)});
    return includes;
}

std::vector<std::string> circlesOfFiles(const std::vector<Include>& includes)
{
    return Graph(includes, withoutEnding).cycles();
}

std::vector<std::string> cyclesOfFolders(const std::vector<Include>& includes)
{
    return Graph(includes, folderOf).cycles();
}

} // namespace highwater::test
