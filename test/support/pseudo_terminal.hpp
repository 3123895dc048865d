// Runs a command of the shell on a terminal of its own, as a user at a window of so many columns does.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace armature::internal {

// What the terminal was sent: stdout and stderr together, lines ended by "\n".
inline std::string on_terminal(const std::string& command, unsigned short columns) {
  winsize size{};
  size.ws_row = 24, size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no pseudo terminal");
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;)  // fails when the child has closed it
    text.append(buffer, static_cast<std::size_t>(count));
  close(terminal);
  waitpid(child, nullptr, 0);
  std::string lines;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (!(text[k] == '\r' && k + 1 < text.size() && text[k + 1] == '\n')) lines += text[k];
  return lines;
}

}  // namespace armature::internal
