#include "record/csv_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/compile.h>

#include "record/record_error.hpp"

namespace armature::internal {
namespace {

constexpr BlockThread::Sizes blocks{.some = 1 << 14, .many = 1 << 14, .interval = 1};

// A field with a comma or a quote is quoted, quotes doubled (RFC 4180).
void append_field(fmt::memory_buffer& out, const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
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

CsvRecorder::CsvRecorder(const std::filesystem::path& path)
    : path_(path.string()), writer_(blocks, [this](const auto& values) { write_rows(values); }) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
}

CsvRecorder::~CsvRecorder() {
  if (file_ < 0) return;
  try {
    writer_.finish();
  } catch (const RecordError&) {  // close() was not called: nobody wants to know
  }
  ::close(file_);
}

void CsvRecorder::begin(const std::vector<Channel>& channels) {
  columns_ = channels.size();
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (k > 0) text_.push_back(',');
    const auto& [name, unit] = channels[k];
    append_field(text_, unit.empty() ? name : fmt::format("{} [{}]", name, unit));
  }
  text_.push_back('\n');
  write_text();
}

void CsvRecorder::row(std::span<const double> values) {
  writer_.block().insert(writer_.block().end(), values.begin(), values.end());
  writer_.added();
}

void CsvRecorder::write_rows(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(fmt::appender(text_), FMT_COMPILE("{}"), values[i]);
    text_.push_back((i + 1) % columns_ == 0 ? '\n' : ',');
  }
  write_text();
}

void CsvRecorder::write_text() {
  const char* data = text_.data();
  for (std::size_t left = text_.size(); left > 0;) {
    const ssize_t written = ::write(file_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    if (written > 0) data += written, left -= std::size_t(written);
  }
  text_.clear();
}

void CsvRecorder::fail(int reason) const {
  throw RecordError(fmt::format("{}: cannot be written: {}", path_, std::strerror(reason)));
}

void CsvRecorder::close() {
  if (file_ < 0) return;
  writer_.finish();
  const bool closed = ::close(file_) == 0;
  file_ = -1;
  if (!closed) fail(errno);
}

}  // namespace armature::internal
