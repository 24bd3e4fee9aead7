#pragma once

#include <optional>
#include <string>

#include "core/analysis/categories/categories.h"
#include "core/base/units.h"

namespace highwater {

/// One group of allocations: a value of the property, its texts, and its live bytes at the peak of the run.
struct BandGroup
{
    std::string key; ///< unique in a result of `groupBands`
    std::string label; ///< short, for legends
    Bytes bytesAtPeak = 0;
    bool isUnnamed = false; ///< a group of allocations without the property ("no stack", "not recorded")
    bool isKept = false; ///< part of a group that is kept from earlier steps
    /// In mode Module, the module at the depth of the groups without its number, so that all layers of a loop
    /// are one family; the same for all groups of a family, else empty.
    std::string family = {};
    /// The name of a family of three or more groups: "24 × forward (model.py:382–387)"; else empty.
    std::string familyTitle = {};
    std::optional<Category> category = {}; ///< not set if the allocations of the group may differ
    /// Which bytes of its call site or category the group has, if not all: "kept", "not kept", "of
    /// activations", "of activations kept".
    std::string part = {};
};

} // namespace highwater
