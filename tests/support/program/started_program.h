#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace highwater::test {

/// The built command-line program while it runs. Its standard output is discarded, its standard error goes
/// into a file.
class StartedProgram
{
public:
    /// `said` is an existing file for standard error.
    StartedProgram(const std::vector<std::string>& arguments, const std::string& said);
    ~StartedProgram();
    StartedProgram(const StartedProgram&) = delete;
    StartedProgram& operator=(const StartedProgram&) = delete;

    /// Waits for the program to end, at most this long. Returns true if it has ended.
    bool endsWithin(long microseconds) const;
    void send(int signal) const;
    /// Waits for the end and returns the status for WIFEXITED and the like.
    int wait();

private:
    pid_t m_child = -1;
    int m_handle = -1; ///< readable once the program has ended
};

} // namespace highwater::test
