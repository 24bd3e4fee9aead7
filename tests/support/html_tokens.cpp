#include "tests/support/html_tokens.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr std::string_view kNameCharacters
    = "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool isVoid(std::string_view name)
{
    return name == "meta" || name == "br" || name == "hr";
}

std::string decoded(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}}};
    std::string out;
    while (!text.empty()) {
        EXPECT_TRUE(text[0] != '<' && text[0] != '>') << text.substr(0, 80);
        const auto found = std::find_if(kEntities.begin(), kEntities.end(),
            [&](const auto& entity) { return text.starts_with(entity.first); });
        EXPECT_TRUE(text[0] != '&' || found != kEntities.end()) << text.substr(0, 80);
        out += found == kEntities.end() ? text[0] : found->second;
        text.remove_prefix(found == kEntities.end() ? 1 : found->first.size());
    }
    return out;
}

class Tokenizer
{
public:
    explicit Tokenizer(std::string_view html)
        : m_rest(html)
    {
        skip("<!DOCTYPE html>");
    }

    std::vector<HtmlToken> run()
    {
        while (!m_rest.empty() && !testing::Test::HasFailure()) {
            if (m_rest[0] == '<')
                tag();
            else
                text(until("<"));
        }
        EXPECT_TRUE(m_open.empty()) << m_open.back() << " is not closed";
        return std::move(m_tokens);
    }

private:
    void skip(std::string_view expected)
    {
        EXPECT_TRUE(m_rest.starts_with(expected)) << expected << " expected at " << m_rest.substr(0, 80);
        m_rest.remove_prefix(std::min(expected.size(), m_rest.size()));
    }
    std::string_view until(std::string_view mark)
    {
        const std::string_view part = m_rest.substr(0, m_rest.find(mark));
        m_rest.remove_prefix(part.size());
        return part;
    }
    std::string name()
    {
        const std::size_t length = std::min(m_rest.find_first_not_of(kNameCharacters), m_rest.size());
        EXPECT_GT(length, 0u) << "a name expected at " << m_rest.substr(0, 80);
        const std::string name(m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        return name;
    }
    void text(std::string_view raw) { m_tokens.push_back({HtmlToken::Kind::Text, "", {}, decoded(raw)}); }
    void tag();
    void closing();

    std::string_view m_rest;
    std::vector<HtmlToken> m_tokens;
    std::vector<std::string> m_open;
};

void Tokenizer::closing()
{
    const std::string element = name();
    skip(">");
    EXPECT_TRUE(!m_open.empty() && m_open.back() == element)
        << "</" << element << "> closes " << (m_open.empty() ? "nothing" : m_open.back());
    if (!m_open.empty())
        m_open.pop_back();
    m_tokens.push_back({HtmlToken::Kind::Close, element, {}, ""});
}

void Tokenizer::tag()
{
    skip("<");
    if (m_rest.starts_with('/')) {
        skip("/");
        closing();
        return;
    }
    HtmlToken token{HtmlToken::Kind::Open, name(), {}, ""};
    while (m_rest.starts_with(' ')) {
        skip(" ");
        std::string attribute = name();
        skip("=\"");
        token.attributes.emplace_back(std::move(attribute), decoded(until("\"")));
        skip("\"");
    }
    const bool closesItself = m_rest.starts_with('/');
    skip(closesItself ? "/>" : ">");
    const std::string element = token.name;
    m_tokens.push_back(std::move(token));
    if (closesItself || isVoid(element))
        return;
    m_open.push_back(element);
    if (element == "script" || element == "style") // its content is not markup
        m_tokens.push_back({HtmlToken::Kind::Text, element, {}, std::string(until("</" + element))});
}

} // namespace

std::string HtmlToken::attribute(std::string_view wanted) const
{
    for (const auto& [key, value] : attributes)
        if (key == wanted)
            return value;
    return {};
}

std::vector<HtmlToken> htmlTokens(std::string_view html)
{
    return Tokenizer(html).run();
}

std::string htmlSkeleton(const std::vector<HtmlToken>& tokens)
{
    std::string skeleton;
    for (const HtmlToken& token : tokens) {
        if (token.kind == HtmlToken::Kind::Text)
            continue;
        skeleton += (token.kind == HtmlToken::Kind::Close ? "/" : "") + token.name;
        for (const auto& [key, value] : token.attributes)
            skeleton += " " + key;
        skeleton += "\n";
    }
    return skeleton;
}

std::string htmlText(const std::vector<HtmlToken>& tokens)
{
    std::string text;
    for (const HtmlToken& token : tokens)
        if (token.kind == HtmlToken::Kind::Text && token.name.empty())
            text += token.text;
    return text;
}

} // namespace highwater
