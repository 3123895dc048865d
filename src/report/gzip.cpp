#include "report/gzip.hpp"

#include <zlib.h>

#include <new>

namespace armature::internal {

std::string gzip(std::string_view bytes) {
  constexpr int with_gzip_header = 16, quick = 5;  // better levels take longer for less than one percent
  z_stream stream{};
  if (deflateInit2(&stream, quick, Z_DEFLATED, MAX_WBITS + with_gzip_header, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace armature::internal
