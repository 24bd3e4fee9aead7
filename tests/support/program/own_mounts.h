#pragma once

#include <functional>
#include <optional>
#include <string>

namespace highwater::test {

/// Runs `work` in a child process, in which a disk of this size is mounted on the folder. Returns the result
/// of `work`: complaints, or an empty text. Returns nothing if the system does not allow mounts here.
std::optional<std::string> withSmallDisk(
    const std::string& folder, const std::string& size, const std::function<std::string()>& work);

} // namespace highwater::test
