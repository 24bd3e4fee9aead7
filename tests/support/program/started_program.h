#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace highwater::test {

/// The built command-line program while it runs; its output goes nowhere, what it says into a file.
class StartedProgram
{
public:
    /// `said`: an existing file for standard error.
    StartedProgram(const std::vector<std::string>& arguments, const std::string& said);
    ~StartedProgram();
    StartedProgram(const StartedProgram&) = delete;
    StartedProgram& operator=(const StartedProgram&) = delete;

    /// Waits for its end, at most so long. True: it has ended.
    bool endsWithin(long microseconds) const;
    void send(int signal) const;
    /// Its status for WIFEXITED and the like.
    int wait();

private:
    pid_t m_child = -1;
    int m_handle = -1; ///< becomes readable when it ends
};

} // namespace highwater::test
