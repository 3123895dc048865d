// Zip archives: written whole, and read from bytes of somebody else's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armature::internal {

using ZipFiles = std::vector<std::pair<std::string, std::string>>;  // path in the archive, with /, and bytes

// Deflated. Two archives of the same files have the same bytes: all carry the same date.
std::string zip_of(const ZipFiles& files);

// Throws RequestError: no archive, a damaged one, more than the limits allow, a path that leaves its folder.
ZipFiles files_of_zip(std::string_view bytes);

// One of its files, the others unread. It is refused before it is unpacked if it has more than `most` bytes.
std::string file_of_zip(std::string_view bytes, const std::string& name, std::uint64_t most = UINT64_MAX);

// All of them, into a folder, which is made.
void unpack_zip(std::string_view bytes, const std::filesystem::path& folder);

}  // namespace armature::internal
