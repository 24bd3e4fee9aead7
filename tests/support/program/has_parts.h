#pragma once

#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"

namespace highwater::test {

/// Succeeds if the text contains each of these parts: the figures and places of a sentence, whatever its
/// other words are.
inline testing::AssertionResult hasParts(std::string_view text, std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
        if (!contains(text, part))
            return testing::AssertionFailure() << "no \"" << part << "\" in: " << text;
    return testing::AssertionSuccess();
}

} // namespace highwater::test
