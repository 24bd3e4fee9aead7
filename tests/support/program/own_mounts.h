#pragma once

#include <functional>
#include <optional>
#include <string>

namespace highwater::test {

/// Does work in a child of its own, for which a disk of this size is mounted on the folder. What the work
/// returns comes back: complaints, empty where there are none. None: the system allows no mounts here.
std::optional<std::string> withSmallDisk(
    const std::string& folder, const std::string& size, const std::function<std::string()>& work);

} // namespace highwater::test
