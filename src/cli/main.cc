// The entry point: answers the version at once, leaves everything else to run_cli.
#include <cstdio>
#include <cstring>

#include "cli/cli.h"

int main(int argc, char** argv) {
  // Scripts ask for the version often, so this path builds no parser.
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
    return std::puts("pi-memory " PIMEMORY_VERSION) < 0 || std::fflush(stdout) != 0 ? 1 : 0;
  return pimemory::run_cli(argc, argv);
}
