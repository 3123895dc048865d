#include "report/film_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "record/record_error.hpp"

extern char** environ;

namespace armature::internal::plot {
namespace {

// A pipe that nobody reads any more is an error here, not the end of the program.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~WithoutPipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

std::vector<std::string> encoder_of(const std::string& ending) {
  if (ending == ".webm")
    return {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "30", "-deadline", "good", "-cpu-used", "4", "-f", "webm"};
  return {"-c:v", "libx264", "-crf", "20", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"};
}

// 0: it was started.
int spawn_ffmpeg(std::vector<std::string> words, posix_spawn_file_actions_t* actions, pid_t& process) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return posix_spawnp(&process, "ffmpeg", actions, nullptr, arguments.data(), environ);
}

}  // namespace

bool has_ffmpeg() {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  pid_t process = -1;
  const int error = spawn_ffmpeg({"ffmpeg", "-version"}, &actions, process);
  posix_spawn_file_actions_destroy(&actions);
  int status = 1;
  return error == 0 && waitpid(process, &status, 0) == process && status == 0;
}

FilmProcess::FilmProcess(const std::filesystem::path& name, const std::filesystem::path& file, int width, int height,
                         double per_second)
    : name_(name.string()) {
  std::vector<std::string> words{"ffmpeg",    "-y",
                                 "-loglevel", "error",
                                 "-f",        "rawvideo",
                                 "-pix_fmt",  "bgr0",
                                 "-s",        fmt::format("{}x{}", width, height),
                                 "-r",        fmt::format("{:g}", per_second),
                                 "-i",        "-",
                                 "-an",       "-pix_fmt",
                                 "yuv420p"};
  for (const std::string& word : encoder_of(name.extension().string())) words.push_back(word);
  words.push_back(file.string());
  int ends[2];
  said_ = std::tmpfile();
  if (!said_ || pipe2(ends, O_CLOEXEC) != 0) throw RecordError(fmt::format("{}: {}", name_, std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(said_), STDERR_FILENO);
  const int error = spawn_ffmpeg(std::move(words), &actions, process_);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  pipe_ = ends[1];
  if (error != 0) {
    process_ = -1;
    close(pipe_), std::fclose(said_);
    throw RecordError(
        fmt::format("{}: ffmpeg, which encodes webm and mp4, cannot be started ({}); install it with "
                    "'apt install ffmpeg', or write a .gif, which needs nothing",
                    name_, std::strerror(error)));
  }
}

FilmProcess::~FilmProcess() {
  if (pipe_ >= 0) close(pipe_);
  if (process_ > 0) kill(process_, SIGKILL), wait();
  if (said_) std::fclose(said_);
}

int FilmProcess::wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void FilmProcess::fail() {
  close(pipe_), pipe_ = -1;
  if (process_ > 0) wait();
  std::string last;
  std::rewind(said_);
  for (char line[400]; std::fgets(line, sizeof line, said_);) last = line;
  while (!last.empty() && (last.back() == '\n' || last.back() == ' ')) last.pop_back();
  throw RecordError(fmt::format("{}: ffmpeg failed: {}", name_, last.empty() ? "it gave no reason" : last));
}

void FilmProcess::add(const Image& image) {
  const WithoutPipeSignal quiet;
  const char* bytes = reinterpret_cast<const char*>(image.pixels.data());
  for (std::size_t left = image.pixels.size() * sizeof(std::uint32_t); left > 0;) {
    const ssize_t written = write(pipe_, bytes, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes += written, left -= static_cast<std::size_t>(written);
  }
}

void FilmProcess::finish() {
  close(pipe_), pipe_ = -1;
  if (wait() != 0) fail();
}

}  // namespace armature::internal::plot
