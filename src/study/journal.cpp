#include "study/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "record/record_error.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::uint64_t header_size = 2 * word;
constexpr auto longest_wait = std::chrono::milliseconds(5);

std::uint64_t magic() {
  std::uint64_t value;
  std::memcpy(&value, "ARMCELLS", word);
  return value;
}

std::uint64_t checksum(const std::vector<std::uint64_t>& record) {
  return fingerprint(record.data(), (record.size() - 1) * word);
}

}  // namespace

std::uint64_t fingerprint(const void* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t k = 0; k < bytes; ++k) hash = (hash ^ static_cast<const unsigned char*>(data)[k]) * 0x100000001b3;
  return hash;
}

JournalReader::JournalReader(std::filesystem::path file, std::uint64_t job, int width)
    : file_(std::move(file)), job_(job), record_(static_cast<std::size_t>(width) + 2) {}

void JournalReader::read(const Take& take) {
  std::ifstream in(file_, std::ios::binary);
  const auto read_words = [&](std::uint64_t* words, std::size_t count) {
    return static_cast<bool>(in.read(reinterpret_cast<char*>(words), static_cast<std::streamsize>(count * word)));
  };
  if (end_ == 0) {
    std::uint64_t header[2];
    if (!in || !read_words(header, 2) || header[0] != magic() || header[1] != job_) return;
    end_ = header_size;
  }
  in.seekg(static_cast<std::streamoff>(end_));
  std::vector<double> values(record_.size() - 2);
  while (read_words(record_.data(), record_.size()) && record_.back() == checksum(record_)) {
    std::memcpy(values.data(), record_.data() + 1, values.size() * word);
    take(static_cast<long>(record_[0]), values);
    end_ += record_.size() * word;
  }
}

JournalWriter::JournalWriter(const std::filesystem::path& file, std::uint64_t job, int width) : file_(file) {
  JournalReader reader(file, job, width);
  reader.read([](long, std::span<const double>) {});
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(reader.end())) != 0)
    throw RecordError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  if (reader.end() == 0) waiting_ = {magic(), job};
  write_waiting();
}

JournalWriter::~JournalWriter() {
  try {
    flush();
  } catch (const RecordError&) {  // whoever wanted to know has called flush()
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

// Records are made outside the lock, for many threads may come at once.
void JournalWriter::append(long index, std::span<const double> values) {
  std::vector<std::uint64_t> record(values.size() + 2);
  record[0] = static_cast<std::uint64_t>(index);
  std::memcpy(record.data() + 1, values.data(), values.size() * word);
  record.back() = checksum(record);
  const std::lock_guard lock(mutex_);
  waiting_.insert(waiting_.end(), record.begin(), record.end());
  if (std::chrono::steady_clock::now() - written_ > longest_wait) write_waiting();
}

void JournalWriter::flush() {
  const std::lock_guard lock(mutex_);
  write_waiting();
}

void JournalWriter::write_waiting() {
  const char* data = reinterpret_cast<const char*>(waiting_.data());
  std::size_t left = waiting_.size() * word;
  while (left > 0) {
    const ssize_t written = ::write(descriptor_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw RecordError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
    data += written;
    left -= static_cast<std::size_t>(written);
  }
  waiting_.clear();
  written_ = std::chrono::steady_clock::now();
}

}  // namespace armature::internal
