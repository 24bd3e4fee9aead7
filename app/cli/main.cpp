#include "app/cli/command_line.h"

int main(int argc, char** argv)
{
    return highwater::cli::runCommandLine(argc, argv);
}
