// The command line as one call, so that the executable holds nothing but main.
#pragma once

namespace pimemory {

// Parses, runs one verb, prints and returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 busy, 5 refused,
// 6 done in part. Installs a handler that ends the process with 130 on SIGINT. Call it once, from the main thread.
int run_cli(int argc, char** argv);

}  // namespace pimemory
