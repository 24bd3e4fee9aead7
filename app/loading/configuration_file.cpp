#include "app/loading/configuration_file.h"

#include "app/loading/files/small_file.h"

namespace highwater {

Result<std::vector<ConfigurationEntry>> loadConfiguration(const std::string& path)
{
    const Result<std::string> text = readSmallFile(path, "exceeds the limit for a configuration (1 MiB)");
    if (!text)
        return tl::unexpected<Error>(text.error());
    return parseConfiguration(*text);
}

} // namespace highwater
