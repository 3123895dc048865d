// The functions of an FMU's binary, of either version of the standard, as the program asks for them.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>

#include "couple/fmu_protocol.hpp"

namespace armature::fmu_host {

using fmu_protocol::Deed;
using fmu_protocol::Memory;
using fmu_protocol::Value;

struct Request {
  std::string library, token, resources, name;
};

// A call that was not answered with "ok" or "warning".
struct Refused {
  int status;
};
struct Terminated {
  double t;
};
struct NotLoaded {
  std::string why;
};

class Binary {
 public:
  Binary(const Request& request, Memory& memory);  // throws NotLoaded
  virtual ~Binary() = default;
  Binary(const Binary&) = delete;

  virtual void instantiate(const Request& request) = 0;
  virtual void set(const Value& value) = 0;
  virtual double get(const Value& value) = 0;
  virtual void initialize(double t, double end) = 0;
  virtual void step(double t, double length) = 0;
  virtual void free() = 0;

 protected:
  // What is done next, and where its process ends if it ends there.
  void begin(Deed deed) { memory_.deed = deed; }
  void require(int status) {
    memory_.status = status;
    if (status != 0 && status != 1) throw Refused{status};
  }
  template <class Function>
  Function* function(const char* name) const {
    void* found = dlsym(library_, name);
    if (!found) throw NotLoaded{std::string("its binary has no function ") + name};
    return reinterpret_cast<Function*>(found);
  }

 private:
  Memory& memory_;
  void* library_ = nullptr;
};

// An FMU logs into the memory of its process, whatever environment it names.
void log_into(Memory& memory);
void log(int status, const char* text);

std::unique_ptr<Binary> make_binary2(const Request& request, Memory& memory);
std::unique_ptr<Binary> make_binary3(const Request& request, Memory& memory);

}  // namespace armature::fmu_host
