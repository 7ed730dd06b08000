#include "io/scratch_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "io/descriptor.hpp"
#include "io/descriptor_file.hpp"
#include "io/system_error.hpp"

namespace logwood::io {

Result<std::unique_ptr<File>> scratch_file() {
  std::error_code unknown;
  std::string name = std::filesystem::temp_directory_path(unknown);
  if (unknown) name = "/tmp";
  name += "/logwood-XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_APPEND | O_CLOEXEC));  // mode 0600
  if (!file.is_open()) return system_error(errno, "create a temporary file", name);
  if (::unlink(name.c_str()) != 0) return system_error(errno, "remove the name of", name);
  return std::unique_ptr<File>(
      std::make_unique<DescriptorFile>(std::move(file), Access::write, "a temporary file"));
}

}  // namespace logwood::io
