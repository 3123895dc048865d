#include "import/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "model/request_error.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t entry_size = 46, local_size = 30, end_size = 22;
constexpr int deflated = 8, stored = 0;
constexpr std::uint16_t first_date = (1 << 5) | 1;  // 1 January 1980
// What an archive may unpack to: a small one can hold a lot of nothing.
constexpr std::uint64_t most_zip_bytes = std::uint64_t{1} << 31;
constexpr std::size_t most_zip_files = 20000;

// ---------------------------------------------------------------- writing

void put_number(std::string& bytes, std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
}

std::uint32_t zip_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string deflated_bytes(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw ComputationError("zlib has no memory");
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

// What stands alike in front of a file and in the list at the end.
std::string common_fields(const std::string& name, std::string_view bytes, std::size_t packed) {
  std::string fields;
  put_number(fields, 20, 2);       // version 2.0 unpacks it
  put_number(fields, 1 << 11, 2);  // the name is UTF-8
  put_number(fields, deflated, 2);
  put_number(fields, 0, 2), put_number(fields, first_date, 2);
  put_number(fields, zip_checksum(bytes), 4);
  put_number(fields, packed, 4), put_number(fields, bytes.size(), 4);
  put_number(fields, name.size(), 2), put_number(fields, 0, 2);
  return fields;
}

// ---------------------------------------------------------------- reading

class ZipReader {
 public:
  explicit ZipReader(std::string_view bytes) : bytes_(bytes) {}

  // Only one file, or all.
  ZipFiles read(const std::string& wanted = "", std::uint64_t most = most_zip_bytes) {
    wanted_ = wanted, most_ = most;
    const std::size_t end = find_end();
    const std::size_t count = number(end + 10, 2);
    std::size_t at = number(end + 16, 4);
    if (count > most_zip_files) refuse(fmt::format("it has {} files, and {} at most are read", count, most_zip_files));
    ZipFiles files;
    for (std::size_t k = 0; k < count; ++k) at = read_entry(at, files);
    require_tree();
    return files;
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) { throw RequestError("the archive is damaged: " + why); }

  std::uint64_t number(std::size_t at, int size) const {
    if (at + static_cast<std::size_t>(size) > bytes_.size()) refuse("it ends too early");
    std::uint64_t value = 0;
    for (int k = 0; k < size; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + static_cast<std::size_t>(k)])} << (8 * k);
    return value;
  }

  // The list's end may be followed by a comment.
  std::size_t find_end() const {
    if (bytes_.size() < end_size) throw RequestError("this is not a zip archive");
    const std::size_t last = bytes_.size() - end_size, first = last > 65535 ? last - 65535 : 0;
    for (std::size_t at = last + 1; at-- > first;)
      if (number(at, 4) == end_mark) return at;
    throw RequestError("this is not a zip archive");
  }

  std::size_t read_entry(std::size_t at, ZipFiles& files) {
    if (number(at, 4) != entry_mark) refuse("its list of files is broken");
    const std::uint64_t flags = number(at + 8, 2), method = number(at + 10, 2), sum = number(at + 16, 4);
    const std::uint64_t packed = number(at + 20, 4), size = number(at + 24, 4);
    const std::uint64_t name_size = number(at + 28, 2),
                        next = at + entry_size + name_size + number(at + 30, 2) + number(at + 32, 2);
    const std::uint64_t local = number(at + 42, 4);
    if (next > bytes_.size()) refuse("its list of files is broken");
    const std::string name(bytes_.substr(at + entry_size, name_size));
    if (flags & 1) refuse(fmt::format("{} is encrypted", name));
    require_inside(name);
    require_short(name);
    names_.push_back(name);
    total_ += size;
    if (total_ > most_zip_bytes)
      throw RequestError(fmt::format("the archive unpacks to more than {} MB", most_zip_bytes >> 20));
    if (name.ends_with('/') || (!wanted_.empty() && name != wanted_)) return next;
    if (size > most_)
      throw RequestError(fmt::format("{} unpacks to {} MB, more than {} MB", name, size >> 20, most_ >> 20));
    files.emplace_back(name, unpacked(name, local, packed, size, method));
    if (zip_checksum(files.back().second) != sum) refuse(fmt::format("the checksum of {} is wrong", name));
    return next;
  }

  static void require_inside(const std::string& name) {
    const fs::path path(name);
    const bool leaves = path.is_absolute() || std::ranges::find(path, "..") != path.end();
    if (name.empty() || leaves || name.find('\\') != name.npos || name.find('\0') != name.npos)
      throw RequestError(fmt::format("the archive has a file '{}', whose path leads out of the archive", name));
  }

  // What a file system takes.
  static void require_short(const std::string& name) {
    constexpr std::size_t longest_path = 3000, longest_name = 255;
    const auto is_long = [](const fs::path& part) { return part.native().size() > longest_name; };
    if (name.size() > longest_path || std::ranges::any_of(fs::path(name), is_long))
      throw RequestError(fmt::format("the archive has a file whose path is too long ({} characters): {}…", name.size(),
                                     name.substr(0, 60)));
  }

  // Names are sorted with / before all other characters, so that what lies below a name follows it.
  void require_tree() {
    const auto key = [](char c) { return c == '/' ? '\0' : c; };
    std::ranges::sort(names_, [&](const std::string& a, const std::string& b) {
      return std::ranges::lexicographical_compare(a, b, {}, key, key);
    });
    for (std::size_t k = 1; k < names_.size(); ++k) {
      const std::string &before = names_[k - 1], &name = names_[k];
      if (name == before && !name.ends_with('/')) refuse(fmt::format("it has two files {}", name));
      if (!before.ends_with('/') && name.starts_with(before + "/"))
        refuse(fmt::format("it has a file {} and a file {}", before, name));
    }
  }

  std::string unpacked(const std::string& name, std::uint64_t local, std::uint64_t packed, std::uint64_t size,
                       std::uint64_t method) const {
    if (number(local, 4) != local_mark) refuse(fmt::format("{} is not where the list says", name));
    const std::uint64_t first = local + local_size + number(local + 26, 2) + number(local + 28, 2);
    if (first + packed > bytes_.size()) refuse(fmt::format("{} is cut off", name));
    const std::string_view data = bytes_.substr(first, packed);
    if (method == stored) return std::string(data);
    if (method != deflated) refuse(fmt::format("{} is packed by a method that is not read ({})", name, method));
    return inflated(name, data, size);
  }

  static std::string inflated(const std::string& name, std::string_view data, std::uint64_t size) {
    constexpr std::uint64_t densest = 1040;  // bytes that deflate makes of one
    if (size > densest * (data.size() + 1)) refuse(fmt::format("{} does not unpack to its size", name));
    std::string result(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw ComputationError("zlib has no memory");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int status = inflate(&stream, Z_FINISH);
    const bool is_whole = status == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    if (!is_whole) refuse(fmt::format("{} does not unpack to its size", name));
    return result;
  }

  std::string_view bytes_;
  std::string wanted_;
  std::uint64_t total_ = 0, most_ = most_zip_bytes;
  std::vector<std::string> names_;
};

}  // namespace

std::string zip_of(const ZipFiles& files) {
  std::string bytes, list;
  for (const auto& [name, content] : files) {
    const std::string packed = deflated_bytes(content), fields = common_fields(name, content, packed.size());
    const std::size_t place = bytes.size();
    put_number(bytes, local_mark, 4);
    bytes += fields + name + packed;
    put_number(list, entry_mark, 4);
    put_number(list, (3 << 8) | 20, 2);  // made on Unix
    list += fields;
    put_number(list, 0, 2), put_number(list, 0, 2), put_number(list, 0, 2);  // comment, disk, kind of text
    put_number(list, std::uint64_t{0100644} << 16, 4);                       // a file that everybody may read
    put_number(list, place, 4);
    list += name;
  }
  const std::size_t place = bytes.size();
  bytes += list;
  put_number(bytes, end_mark, 4);
  put_number(bytes, 0, 4);
  put_number(bytes, files.size(), 2), put_number(bytes, files.size(), 2);
  put_number(bytes, list.size(), 4), put_number(bytes, place, 4);
  put_number(bytes, 0, 2);
  return bytes;
}

ZipFiles files_of_zip(std::string_view bytes) { return ZipReader(bytes).read(); }

std::string file_of_zip(std::string_view bytes, const std::string& name, std::uint64_t most) {
  ZipFiles files = ZipReader(bytes).read(name, most);
  if (files.empty()) throw RequestError(fmt::format("the archive has no file {}", name));
  return std::move(files.front().second);
}

void unpack_zip(std::string_view bytes, const fs::path& folder) {
  for (const auto& [name, content] : files_of_zip(bytes)) {
    const fs::path file = folder / name;
    std::error_code ignored;  // the file cannot be written then
    fs::create_directories(file.parent_path(), ignored);
    std::ofstream stream(file, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!stream) throw ComputationError(fmt::format("{}: cannot be written", file.string()));
  }
}

}  // namespace armature::internal
