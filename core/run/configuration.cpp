#include "core/run/configuration.h"

#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "core/base/json.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxLevels = 64;
constexpr std::size_t kMaxSettings = 100'000;

/// Thrown while a file is read if it exceeds the limits.
struct TooLarge
{
};

/// The names of the objects and lists that contain the value that is being read, outermost first.
class Path
{
public:
    void enter(std::string name)
    {
        if (m_names.size() >= kMaxLevels)
            throw TooLarge();
        m_names.push_back(std::move(name));
    }
    std::string leave()
    {
        std::string name = std::move(m_names.back());
        m_names.pop_back();
        return name;
    }
    std::string nameOf(std::string_view last) const
    {
        std::string text;
        for (const std::string& name : m_names)
            if (!name.empty())
                (text += name) += '.';
        return text.append(last);
    }

private:
    std::vector<std::string> m_names;
};

/// Collects settings from yaml-cpp's events. Without a tree, aliases that nest cannot use up memory.
class YamlSettings : public YAML::EventHandler
{
public:
    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { addValue("null", mark); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        addValue("*" + std::to_string(anchor), mark);
    }
    void OnScalar(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& text) override
    {
        Level* const level = m_levels.empty() ? nullptr : &m_levels.back();
        if (level && level->isMap && !level->hasKey) {
            level->key = text;
            level->hasKey = true;
        } else {
            addValue(text, mark);
        }
    }
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        beginLevel(false, mark);
    }
    void OnSequenceEnd() override { endLevel(); }
    void OnMapStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        beginLevel(true, mark);
    }
    void OnMapEnd() override { endLevel(); }

    std::vector<ConfigurationEntry> entries;

private:
    struct Level
    {
        bool isMap = false;
        bool isEmpty = true;
        bool hasKey = false; ///< For maps: the key is read, its value follows
        std::string key;
        std::size_t index = 0; ///< For sequences
        YAML::Mark mark = {};
    };

    /// Returns the name of the next value.
    std::string nextName()
    {
        if (m_levels.empty())
            return {};
        Level& level = m_levels.back();
        level.isEmpty = false;
        if (!level.isMap)
            return std::to_string(level.index++);
        level.hasKey = false;
        return level.key;
    }
    void addValue(std::string text, const YAML::Mark& mark)
    {
        const std::string name = nextName();
        if (!m_levels.empty())
            add(name, std::move(text), mark);
    }
    void add(const std::string& name, std::string text, const YAML::Mark& mark)
    {
        if (entries.size() >= kMaxSettings)
            throw TooLarge();
        entries.push_back(
            {m_path.nameOf(name), std::move(text), "yaml", static_cast<std::uint64_t>(mark.line) + 1});
    }
    void beginLevel(bool isMap, const YAML::Mark& mark)
    {
        m_path.enter(nextName());
        m_levels.push_back({isMap, true, false, {}, 0, mark});
    }
    void endLevel()
    {
        const Level level = std::move(m_levels.back());
        m_levels.pop_back();
        const std::string name = m_path.leave();
        if (level.isEmpty && !m_levels.empty())
            add(name, level.isMap ? "{}" : "[]", level.mark);
    }

    Path m_path;
    std::vector<Level> m_levels;
};

void flatten(const nlohmann::ordered_json& json, Path& path, std::vector<ConfigurationEntry>& entries)
{
    for (const auto& [name, value] : json.items()) {
        if (entries.size() >= kMaxSettings)
            throw TooLarge();
        if (value.is_structured() && !value.empty()) {
            path.enter(name);
            flatten(value, path, entries);
            path.leave();
        } else {
            entries.push_back({path.nameOf(name),
                value.is_string() ? value.get<std::string>() : jsonText(value), "json", 0});
        }
    }
}

std::vector<ConfigurationEntry> yamlEntries(std::string_view text)
{
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    YamlSettings settings;
    parser.HandleNextDocument(settings);
    return std::move(settings.entries);
}

} // namespace

Result<std::vector<ConfigurationEntry>> parseConfiguration(std::string_view text)
{
    try {
        if (text.size() > kMaxFileBytes)
            throw TooLarge();
        const auto json = parseOrderedJson(text);
        if (json.is_discarded())
            return yamlEntries(text);
        std::vector<ConfigurationEntry> entries;
        Path path;
        if (json.is_structured())
            flatten(json, path, entries);
        return entries;
    } catch (const TooLarge&) {
        return fail(ErrorCode::LimitExceeded,
            "exceeds the limits of a configuration (4 MiB, 64 levels, 100,000 settings)");
    } catch (const YAML::Exception& error) {
        return fail(ErrorCode::Malformed, "is neither JSON nor YAML: " + error.msg,
            Place::line(static_cast<std::uint64_t>(error.mark.line) + 1));
    }
}

} // namespace highwater
