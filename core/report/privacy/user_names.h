#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Account names found in texts, and their replacement.
class UserNames
{
public:
    /// Learns the names in /home/NAME, /Users/NAME, C:\Users\NAME, ~NAME/, NAME@host and
    /// scheme://NAME:password@host. Names of fewer than three or more than 64 characters, numbers, and common
    /// names ("root", "ubuntu") are ignored. O(text).
    void learn(std::string_view text);

    /// Returns the text with every whole-word occurrence of a name replaced by "user". O(text × names with
    /// the same first word).
    std::string replaced(std::string_view text) const;

private:
    void add(std::string_view name);
    void learnHomes(std::string_view text);
    void learnAccounts(std::string_view text);

    /// By the first word of the name; longer names first.
    std::map<std::string, std::vector<std::string>, std::less<>> m_names;
};

} // namespace highwater
