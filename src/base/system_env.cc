// The ports of the running system, bundled once for the whole process.
#include "base/env.h"

namespace pimemory {

Env& system_env() {
  static Env env{system_clock(), system_random(), system_files(), system_processes(), {}};
  return env;
}

}  // namespace pimemory
