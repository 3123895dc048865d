#include "record/csv_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/compile.h>

#include "record/record_error.hpp"

namespace armature {
namespace {

constexpr std::size_t buffer_size = 1 << 16;  // bytes, over which rows are handed to the system
constexpr double flush_interval = 1;          // s, after which they are anyway

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A field with a comma or a quote is quoted, quotes doubled (RFC 4180).
void append_field(fmt::memory_buffer& out, const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) {
    out.append(field);
    return;
  }
  out.push_back('"');
  for (char c : field) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace

CsvRecorder::CsvRecorder(const std::filesystem::path& path) : path_(path.string()), last_flush_(now()) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) throw RecordError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  buffer_.reserve(2 * buffer_size);
}

CsvRecorder::~CsvRecorder() {
  if (file_ < 0) return;
  flush();
  ::close(file_);
}

void CsvRecorder::begin(const std::vector<Channel>& channels) {
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (k > 0) buffer_.push_back(',');
    const auto& [name, unit] = channels[k];
    append_field(buffer_, unit.empty() ? name : fmt::format("{} [{}]", name, unit));
  }
  buffer_.push_back('\n');
  flush();
}

void CsvRecorder::row(std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) buffer_.push_back(',');
    fmt::format_to(fmt::appender(buffer_), FMT_COMPILE("{}"), values[k]);
  }
  buffer_.push_back('\n');
  if (buffer_.size() >= buffer_size || now() - last_flush_ > flush_interval) flush();
}

void CsvRecorder::flush() {
  const char* data = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0 && error_ == 0) {
    const ssize_t written = ::write(file_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) error_ = errno;
    if (written > 0) data += written, left -= std::size_t(written);
  }
  buffer_.clear();
  last_flush_ = now();
}

void CsvRecorder::close() {
  if (file_ < 0) return;
  flush();
  if (::close(file_) != 0 && error_ == 0) error_ = errno;
  file_ = -1;
  if (error_ != 0) throw RecordError(fmt::format("{}: cannot be written: {}", path_, std::strerror(error_)));
}

}  // namespace armature
