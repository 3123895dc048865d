// A film that another program, ffmpeg, encodes: it reads frames from a pipe and writes a file.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

bool has_ffmpeg();

class FilmProcess {
 public:
  // By the ending of `name`: webm (VP9) or mp4 (H.264); what is encoded goes to `file`. Throws RecordError where there is no ffmpeg.
  FilmProcess(const std::filesystem::path& name, const std::filesystem::path& file, int width, int height,
              double per_second);
  ~FilmProcess();  // stops it where it is not finished
  FilmProcess(const FilmProcess&) = delete;
  FilmProcess& operator=(const FilmProcess&) = delete;

  void add(const Image& image);  // throws RecordError
  void finish();                 // throws RecordError

 private:
  [[noreturn]] void fail();
  int wait();  // its exit code; -1: it was killed

  std::string name_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::FILE* said_ = nullptr;
};

}  // namespace armature::internal::plot
