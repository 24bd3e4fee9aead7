#include "tests/support/sqlite_bytes.h"

#include <stdexcept>

#include <sqlite3.h>

namespace highwater::test {

const char* const kNsysTables = R"(
    CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
    CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
    INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000);
    CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid INTEGER NOT NULL,
        deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, address INTEGER NOT NULL, bytes INTEGER NOT NULL,
        memKind INTEGER NOT NULL, memoryOperationType INTEGER NOT NULL, name TEXT, correlationId INTEGER);
    CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
        globalTid INTEGER, textId INTEGER, int64Value INTEGER);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER,
        correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
)";

std::string sqliteBytes(const std::string& script)
{
    sqlite3* database = nullptr;
    sqlite3_open(":memory:", &database);
    char* problem = nullptr;
    if (sqlite3_exec(database, script.c_str(), nullptr, nullptr, &problem) != SQLITE_OK)
        throw std::runtime_error(problem);
    sqlite3_int64 size = 0;
    unsigned char* content = sqlite3_serialize(database, "main", &size, 0);
    const std::string bytes(reinterpret_cast<const char*>(content), static_cast<std::size_t>(size));
    sqlite3_free(content);
    sqlite3_close(database);
    return bytes;
}

std::string memoryRow(const std::string& row)
{
    return "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, contextId, address, bytes, "
           "memKind, memoryOperationType) VALUES ("
        + row + ");\n";
}

} // namespace highwater::test
