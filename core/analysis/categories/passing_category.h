#pragma once

#include "core/run/category_rules.h"

namespace highwater {

/// True if a step may allocate and free memory of this category: activations, temporaries, inputs and unknown
/// memory.
constexpr bool mayEndInStep(Category category)
{
    return category == Category::Activation || category == Category::Temporary || category == Category::Input
        || isUncategorized(category);
}

} // namespace highwater
