// Files of a person, outside any store: what is exported and imported.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/descriptor.hpp"
#include "io/file_system.hpp"
#include "logwood/byte_source.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

/// A file that gets its name when it is whole: until `finish` returns there is none, and none is
/// ever replaced. Mode 0600.
class WholeFile {
 public:
  /// `already_exists` when the name is taken, `not_found` when there is no such folder.
  static Result<WholeFile> create(const std::string& path);

  WholeFile(WholeFile&&) noexcept = default;
  WholeFile& operator=(WholeFile&&) noexcept = default;
  ~WholeFile();  ///< without finish: nothing is left

  Result<> write(std::string_view bytes);

  /// Returns when the file and its name would survive a power cut.
  Result<> finish();

 private:
  WholeFile(std::string path, std::string folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::string path_;
  std::string folder_;   // in which it lies
  std::string made_as_;  // the name it has until it is whole; empty: none
  Descriptor file_;
};

/// A file that only grows. Mode 0600 where it is made here.
class GrowingFile {
 public:
  /// Opens it, or makes it.
  static Result<GrowingFile> open(const std::string& path);

  /// One write at its end; returns when that would survive a power cut.
  Result<> append(std::string_view bytes);

 private:
  GrowingFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
};

/// A file to be read at any place and never written; `invalid_argument` for anything but a file.
Result<std::unique_ptr<File>> open_outside(const std::string& path);

/// The same for a name below a folder, never through a symbolic link.
Result<std::unique_ptr<File>> open_outside_beneath(const std::string& folder,
                                                   const std::string& name);

/// The bytes of a file, a pipe or a device; `invalid_argument` for a folder.
Result<ByteSource> read_outside(const std::string& path);

}  // namespace logwood::io
