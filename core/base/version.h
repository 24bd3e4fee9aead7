#pragma once

namespace highwater {

/// Returns the version of this program from the project's CMakeLists.txt: "1.0.0".
const char* programVersion();

} // namespace highwater
