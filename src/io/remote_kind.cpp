#include "io/remote_kind.hpp"

#include <algorithm>
#include <array>

namespace logwood::io {
namespace {

struct Kind {
  std::uint32_t statfs_type;
  std::string_view name;
};

// Network file systems emulate O_APPEND on the client, may lose a lock with the
// connection, and answer a sync from a cache we cannot see; FUSE promises whatever
// its program does. A cluster file system that keeps POSIX semantics is listed
// too: whoever runs one knows it and can allow it.
constexpr auto kinds = std::to_array<Kind>({
    {0x6969, "NFS"},
    {0x517b, "SMB"},
    {0xff534d42, "CIFS"},
    {0xfe534d42, "SMB2"},
    {0x01021997, "9p"},
    {0x65735546, "FUSE"},
    {0x5346414f, "AFS"},
    {0x6b414653, "AFS"},
    {0x73757245, "Coda"},
    {0x00c36400, "Ceph"},
    {0x564c, "NCP"},
    {0x0bd00bd0, "Lustre"},
    {0x47504653, "GPFS"},
    {0x19830326, "BeeGFS"},
    {0x20030528, "OrangeFS"},
    {0x01161970, "GFS2"},
    {0x7461636f, "OCFS2"},
    {0x786f4256, "VirtualBox shared folder"},
    {0xbacbacbc, "VMware shared folder"},
    {0x013111a8, "IBRIX"},
    {0xaad7aaea, "PanFS"},
});

}  // namespace

std::optional<std::string_view> remote_kind(std::uint32_t statfs_type) {
  const auto found = std::ranges::find(kinds, statfs_type, &Kind::statfs_type);
  if (found == kinds.end()) return std::nullopt;
  return found->name;
}

}  // namespace logwood::io
