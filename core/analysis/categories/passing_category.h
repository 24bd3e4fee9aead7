#pragma once

#include "core/run/category_rules.h"

namespace highwater {

/// Whether that may be something a step makes and lets go: activations, temporaries, inputs, and what
/// is not known.
constexpr bool mayPass(Category category)
{
    return category == Category::Activation || category == Category::Temporary || category == Category::Input
        || isUntold(category);
}

} // namespace highwater
