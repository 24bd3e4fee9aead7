#include "importers/log/configuration_lines.h"

#include <algorithm>

#include "core/base/text_parts.h"
#include "importers/log/configuration_text.h"
#include "importers/log/text/literal_reader.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kMaxEntries = 20'000;
constexpr std::size_t kLongestValue = 2'000;
constexpr std::size_t kLongestName = 300;
constexpr std::size_t kMaxBlockLines = 20'000;
constexpr std::size_t kMaxBlockBytes = 1 << 20;
constexpr std::size_t kMaxLevels = 64;

/// True if the text can be the name of a setting.
bool isName(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestName
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/+$")
        == std::string_view::npos;
}

/// Counts the brackets that a line of a literal leaves open, ignoring quoted ones.
int openBrackets(std::string_view text)
{
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\')
            ++i;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return depth;
}

} // namespace

ConfigurationLines::ConfigurationLines(const PatternTable& table)
    : m_table(table)
{
}

void ConfigurationLines::add(std::string_view name, std::string_view value)
{
    name = name.substr(0, kLongestName);
    value = isSecretName(name) ? std::string_view("(withheld)") : value.substr(0, kLongestValue);
    if (name.empty() || m_entries.size() >= kMaxEntries)
        return;
    std::string key(name);
    (key += '\n') += value;
    if (!m_seen.insert(std::move(key)).second)
        return;
    m_entries.push_back({std::string(name), std::string(value), std::string(m_origin), m_line});
    m_memoryBytes += 2 * (name.size() + value.size()) + 200;
}

void ConfigurationLines::add(std::string_view name, std::string_view value, std::string_view origin)
{
    m_origin = origin;
    m_line = 0;
    add(name, value);
}

bool ConfigurationLines::read(std::size_t index, const LineContext& context)
{
    const ConfigurationPattern& pattern = m_table.configuration[index];
    re2::StringPiece groups[kMaxGroups];
    const std::string_view text = context.text;
    if (!pattern.regex->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, groups,
            pattern.regex->NumberOfCapturingGroups() + 1)
        || (pattern.unless && re2::RE2::PartialMatch(piece(text), *pattern.unless)))
        return false;
    const auto group
        = [&](const char* name) { return view(groups[pattern.regex->NamedCapturingGroups().at(name)]); };
    m_origin = pattern.origin;
    m_line = context.line;
    switch (pattern.form) {
    case ConfigurationForm::Pair: add(trimmed(group("name")), unquoted(trimmed(group("value")))); break;
    case ConfigurationForm::Command: addCommand(group("command")); break;
    case ConfigurationForm::Namespace: addArguments(group("arguments")); break;
    case ConfigurationForm::YamlBlock:
    case ConfigurationForm::JsonBlock: beginBlock(pattern, text); break;
    }
    return true;
}

/// Understands "--name value", "--name=value", "name=value" and "--flag"; the first other word with a dot or
/// a slash is the program.
void ConfigurationLines::addCommand(std::string_view command)
{
    const std::vector<std::string> words = shellWords(command);
    bool hasProgram = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string_view word = words[i];
        // Switches before the script or the module are the interpreter's, such as -u.
        const bool isInterpreter = !hasProgram && std::string_view(words.front()).find("python") != word.npos;
        const bool isOption = word.starts_with('-') && word.size() > 1;
        const std::string_view undashed = word.substr(std::min(word.find_first_not_of('-'), word.size()));
        const std::size_t equals = undashed.find('=');
        const bool nextIsValue = i + 1 < words.size() && !words[i + 1].starts_with("--")
            && !(words[i + 1].size() > 1 && words[i + 1][0] == '-' && !parseNumber(words[i + 1]));
        if (equals != std::string_view::npos && isName(undashed.substr(0, equals)))
            add(undashed.substr(0, equals), undashed.substr(equals + 1));
        else if (isOption && nextIsValue && isName(undashed) && words[i + 1].find('=') == std::string::npos)
            add(undashed == "m" ? "module" : undashed, words[++i]),
                hasProgram = hasProgram || undashed == "m";
        else if (isOption && isName(undashed) && !(isInterpreter && undashed.size() == 1))
            add(undashed, "true");
        else if (!hasProgram && word.find_first_of("./") != std::string_view::npos) {
            add("program", word);
            hasProgram = true;
        }
    }
}

/// Adds "name=value" pairs that are separated by commas; skips other arguments.
void ConfigurationLines::addArguments(std::string_view arguments)
{
    for (const std::string_view argument : splitArguments(arguments)) {
        const std::size_t equals = argument.find('=');
        if (equals != std::string_view::npos && isName(trimmed(argument.substr(0, equals))))
            add(trimmed(argument.substr(0, equals)), unquoted(trimmed(argument.substr(equals + 1))));
    }
}

void ConfigurationLines::beginBlock(const ConfigurationPattern& pattern, std::string_view text)
{
    if (m_openBlock)
        return; // the line belongs to the open block
    m_openBlock = &pattern;
    m_blockLines = 0;
    m_levels.clear();
    m_literal.clear();
    if (pattern.form == ConfigurationForm::JsonBlock)
        text = text.substr(std::min(text.find('{'), text.size()));
    continueBlock(text);
}

void ConfigurationLines::continueBlock(std::string_view text)
{
    const bool isContinued = ++m_blockLines < kMaxBlockLines
        && (m_openBlock->form == ConfigurationForm::YamlBlock ? continueYaml(text) : continueLiteral(text));
    if (!isContinued)
        endBlock();
}

bool ConfigurationLines::continueYaml(std::string_view text)
{
    const std::size_t indent = text.find_first_not_of(' ');
    if (indent == std::string_view::npos || indent > 200)
        return false;
    std::string_view rest = text.substr(indent);
    if (rest.starts_with("- ")) { // list items belong to a value that is not recorded
        ++m_line;
        return true;
    }
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || !isName(rest.substr(0, colon))
        || (colon + 1 < rest.size() && rest[colon + 1] != ' '))
        return false;
    while (!m_levels.empty() && m_levels.back().indent >= indent)
        m_levels.pop_back();
    std::string name = m_levels.empty() ? std::string() : m_levels.back().name + ".";
    name += rest.substr(0, colon);
    const std::string_view value = trimmed(rest.substr(colon + 1));
    if (!value.empty())
        add(name, unquoted(value));
    else if (m_levels.size() < kMaxLevels && name.size() <= kLongestName)
        m_levels.push_back({indent, std::move(name)});
    ++m_line;
    return true;
}

bool ConfigurationLines::continueLiteral(std::string_view text)
{
    if (m_literal.size() + text.size() > kMaxBlockBytes)
        return false;
    (m_literal += text) += '\n';
    m_openBrackets += openBrackets(text);
    return m_openBrackets > 0;
}

void ConfigurationLines::endBlock()
{
    if (m_openBlock->form == ConfigurationForm::JsonBlock)
        readDictionary(m_literal, [this](const LiteralLeaf& leaf) {
            std::string name(leaf.key);
            std::ranges::replace(name, '/', '.');
            add(name, leaf.text);
        });
    m_literal.clear();
    m_openBrackets = 0;
    m_openBlock = nullptr;
}

std::vector<ConfigurationEntry> ConfigurationLines::take()
{
    if (m_openBlock)
        endBlock();
    m_seen.clear();
    return std::move(m_entries);
}

} // namespace highwater::logs
