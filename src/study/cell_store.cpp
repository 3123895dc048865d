#include "study/cell_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "model/file_kind.hpp"
#include "record/record_error.hpp"
#include "study/job_difference.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr long most_ranks = 1 << 20;  // bytes of the claims file before those of the chunks
constexpr auto poll = std::chrono::milliseconds(10);
constexpr auto patience = std::chrono::seconds(60);  // for the first process of a team

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw RecordError(fmt::format("{}: {}", path.string(), reason));
}

// Appears whole or not at all.
void write_text(const fs::path& file, const std::string& text) {
  fs::path draft = file;
  draft += ".new";
  std::ofstream out(draft);
  out << text;
  out.close();
  if (!out || ::rename(draft.c_str(), file.c_str()) != 0) fail(file, "cannot be written");
}

bool is_journal(const fs::path& file) { return file.filename().string().starts_with("journal."); }

std::vector<fs::path> journals(const fs::path& folder) {
  std::vector<fs::path> list;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_journal(entry.path())) list.push_back(entry.path());
  return list;
}

// A lock for writing on one byte of a file.
struct flock one_byte(long place) {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = place;
  range.l_len = 1;
  return range;
}

}  // namespace

bool has_cells(const fs::path& folder) { return !journals(folder).empty(); }

CellStore::CellStore(fs::path folder, const std::string& job, int width, const Team& team)
    : folder_(std::move(folder)), team_(team), width_(width), job_(fingerprint(job.data(), job.size())) {
  if (team_.rank == 0)
    open_session(job);
  else
    wait_for_session();
  claims_ = ::open((folder_ / "claims").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const char here = 1;
  if (claims_ < 0 || !lock(team_.rank) || ::pwrite(claims_, &here, 1, team_.rank) != 1)
    fail(folder_ / "claims", fmt::format("cannot be written: {}", std::strerror(errno)));
  const fs::path own = folder_ / fmt::format("journal.{}", team_.rank);
  for (const fs::path& file : journals(folder_)) readers_.emplace_back(file, job_, width_);
  refresh();
  restored_ = static_cast<long>(cells_.size());
  journal_ = std::make_unique<JournalWriter>(own, job_, width_);
  readers_.clear();
  for (int rank = 0; rank < team_.size; ++rank)
    if (rank != team_.rank) readers_.emplace_back(folder_ / fmt::format("journal.{}", rank), job_, width_);
}

CellStore::~CellStore() {
  if (claims_ >= 0) ::close(claims_);
}

// The first process: the job is that of the cells that are here, or a new one.
void CellStore::open_session(const std::string& job) {
  check_job(job);
  fs::remove(folder_ / "session");
  fs::remove(folder_ / "claims");
  write_text(folder_ / "job", job);
  if (!team_.alone()) write_text(folder_ / "session", team_.session);
}

void CellStore::check_job(const std::string& job) const {
  if (!has_cells(folder_)) return;
  const std::string difference = job_difference(read_file(folder_ / "job").value_or(""), job);
  if (!difference.empty())
    fail(folder_, fmt::format("holds cells of another job: {}; --restart discards them", difference));
}

void CellStore::wait_for_session() const {
  const auto began = std::chrono::steady_clock::now();
  while (read_file(folder_ / "session").value_or("") != team_.session || !fs::exists(folder_ / "session")) {
    if (std::chrono::steady_clock::now() - began > patience)
      fail(folder_, "process 0 of the team has not opened it for a minute");
    std::this_thread::sleep_for(poll);
  }
}

bool CellStore::lock(long byte) const {
  struct flock range = one_byte(byte);
  return ::fcntl(claims_, F_OFD_SETLK, &range) == 0;
}

bool CellStore::take(long chunk) { return team_.alone() || lock(most_ranks + chunk); }

bool CellStore::alive(int rank) const {
  struct flock range = one_byte(rank);
  return ::fcntl(claims_, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

bool CellStore::all_arrived() const {
  std::vector<char> here(static_cast<std::size_t>(team_.size), 0);
  return ::pread(claims_, here.data(), here.size(), 0) == static_cast<ssize_t>(here.size()) &&
         std::string(here.begin(), here.end()) == std::string(here.size(), 1);
}

bool CellStore::gone() const { return !fs::exists(folder_ / "session"); }

void CellStore::refresh() {
  const std::lock_guard lock(mutex_);
  for (JournalReader& reader : readers_)
    reader.read(
        [&](long index, std::span<const double> values) { cells_[index].assign(values.begin(), values.end()); });
}

long CellStore::fill(CellTable& table, long first) {
  const std::lock_guard lock(mutex_);
  long fresh = 0;
  for (auto cell = cells_.lower_bound(first); cell != cells_.end() && cell->first < first + table.count(); ++cell) {
    char& done = table.done[static_cast<std::size_t>(cell->first - first)];
    if (done) continue;
    std::copy(cell->second.begin(), cell->second.end(), table.row(cell->first - first).begin());
    done = 1;
    ++fresh;
  }
  return fresh;
}

void CellStore::append(long index, std::span<const double> values) { journal_->append(index, values); }
void CellStore::flush() { journal_->flush(); }

void CellStore::remove_traces() {
  journal_.reset();
  for (const fs::path& file : journals(folder_)) fs::remove(file);
  for (const char* name : {"claims", "job", "session"}) fs::remove(folder_ / name);
}

}  // namespace armature::internal
