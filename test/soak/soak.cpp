// Soak: one process that does for minutes or hours what a user does in an afternoon, and must not grow.
//
//   armature_soak MODELS MINUTES
//
// It is the server of `armature view` with four pages. In each round they ask for runs of shipped models, of mutants of them
// and of runs that they stop on the way; beside that a small map is computed. At the end of a round every page shows the same
// pendulum, so that what is kept then is comparable: the bytes that are allocated, and the memory of the process.
// The first third of the rounds is to warm up. The most of the last third may exceed the most of the second by `allowance`.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "live/server.hpp"
#include "read/reader.hpp"
#include "study/study_cells.hpp"
#include "support/mutation.hpp"

#include <httplib.h>  // last: it brings a macro _res, which is a name of Eigen's

namespace {

namespace fs = std::filesystem;
using namespace armature::internal;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int pages = 4, runs_a_round = 12;
constexpr std::size_t fewest_rounds = 9;     // to say something about growth
constexpr double allowance = 1e6;            // bytes allocated; an hour has some hundred rounds
constexpr double memory_allowance = 8e6;     // of the process, whose allocator may keep holes
constexpr std::chrono::seconds patience{3};  // then a run is stopped

struct Size {
  double allocated = 0, memory = 0;  // bytes
};

Size size_now() {
  long pages_in_memory = 0, ignored = 0;
  std::ifstream("/proc/self/statm") >> ignored >> pages_in_memory;
  const struct mallinfo2 heap = mallinfo2();
  return {static_cast<double>(heap.uordblks + heap.hblkhd),
          static_cast<double>(pages_in_memory) * sysconf(_SC_PAGESIZE)};
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Soak {
 public:
  Soak(const fs::path& models, double minutes)
      : folder_(models),
        until_(Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(60 * minutes))) {
    for (const auto& entry : fs::directory_iterator(models))
      if (entry.path().extension() == ".yaml") files_.push_back(entry.path());
    std::sort(files_.begin(), files_.end());
    server_ = std::make_unique<LiveServer>(folder_, LiveOptions{"127.0.0.1", 0, "pendulum.yaml"});
    listening_ = std::thread([this] { server_->listen(); });
  }
  ~Soak() {
    server_->stop();
    listening_.join();
  }
  Soak(const Soak&) = delete;
  Soak& operator=(const Soak&) = delete;

  int run() {
    do {
      one_round();
      sizes_.push_back(size_now());
      fmt::print("round {}: {:.2f} MB allocated, {:.1f} MB in memory\n", sizes_.size(), sizes_.back().allocated / 1e6,
                 sizes_.back().memory / 1e6);
      std::fflush(stdout);
    } while (Clock::now() < until_);
    for (const auto& [what, count] : counts_) fmt::print("{:6}  {}\n", count, what);
    return judge();
  }

 private:
  void one_round() {
    std::vector<std::thread> clients;
    std::vector<std::map<std::string, long>> counts(pages);
    std::vector<std::exception_ptr> errors(pages);
    for (int page = 0; page < pages; ++page)
      clients.emplace_back([&, page] {
        try {
          for (int k = page; k < runs_a_round; k += pages)
            ++counts[page][ask(page, text_of(sizes_.size(), k), k % 3 == 2)];
        } catch (...) {
          errors[page] = std::current_exception();
        }
      });
    map_of_pendulums();
    for (std::thread& client : clients) client.join();
    for (const std::exception_ptr& error : errors)
      if (error) std::rethrow_exception(error);
    for (int page = 0; page < pages; ++page) ++counts[page][ask(page, read(folder_.root() / "pendulum.yaml"), false)];
    for (const auto& each : counts)
      for (const auto& [what, count] : each) counts_[what] += count;
  }

  // Every other text has a mistake in it.
  std::string text_of(std::size_t round, int k) const {
    Mutation mutation(1'000'003 * round + static_cast<std::size_t>(k));
    const std::string text = read(files_[mutation.below(files_.size())]);
    return k % 2 == 0 ? text : mutation.of_model(text);
  }

  // What became of the run of a text, in words.
  std::string ask(int page, const std::string& text, bool stop) {
    const std::string name = std::to_string(page);
    const Json question{{"page", name}, {"name", "pendulum.yaml"}, {"text", text}, {"edits", Json::array()}};
    const std::string body = question.dump(-1, ' ', false, Json::error_handler_t::replace);
    Json reply = post("/api/run", body);
    const auto began = Clock::now();
    bool stopped = false;
    while (reply["status"] == "running") {
      if (!stopped && (stop || Clock::now() > began + patience)) {
        post("/api/stop", Json{{"page", name}}.dump());
        stopped = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      reply = get(fmt::format("/api/result?page={}&run={}", name, reply["run"].get<long>()));
    }
    return "runs: " + reply["status"].get<std::string>();
  }

  Json post(const std::string& path, const std::string& body) {
    return answer([&](httplib::Client& client, const httplib::Headers& headers) {
      return client.Post(path, headers, body, "application/json");
    });
  }
  Json get(const std::string& path) {
    return answer([&](httplib::Client& client, const httplib::Headers& headers) { return client.Get(path, headers); });
  }

  // The server drops a client that is slow. On a machine that is busy elsewhere that may be this one: it asks again.
  Json answer(const std::function<httplib::Result(httplib::Client&, const httplib::Headers&)>& ask) {
    constexpr int tries = 10;
    for (int k = 0; k < tries; ++k) {
      httplib::Client client("127.0.0.1", server_->port());
      client.set_read_timeout(60);
      if (const httplib::Result result = ask(client, {{"X-Armature-Key", server_->key()}}))
        return Json::parse(result->body);
    }
    throw std::runtime_error("the server does not answer");
  }

  void map_of_pendulums() {
    const Varied varied = vary(read_model((folder_.root() / "pendulum.yaml").string()), {"length"});
    MotionFormulas formulas(varied.model, varied.parameters);
    formulas.add_number("max(abs(swing))");
    const Study study(varied, formulas);
    const Points points = grid_points({{"length", 1, 2, 32}});
    const MotionNumbers write = [](const StudyRun& run, MotionStatus status, std::span<double> result) {
      result[0] = status == MotionStatus::finished ? run.values()[0] : 0;
    };
    const CellTable table = run_cells(study_cells(study, nullptr, points, 1, write), {.threads = 2});
    if (table.missing() != 0 || table.values[0] <= 0) throw std::runtime_error("the map has no values");
    ++counts_["maps of 32 motions"];
  }

  int judge() const {
    if (sizes_.size() < fewest_rounds) {
      fmt::print("{} rounds: too few to say whether memory grows\n", sizes_.size());
      return 0;
    }
    const std::size_t third = sizes_.size() / 3;
    const auto most = [&](std::size_t begin, double Size::*which) {
      double largest = 0;
      for (std::size_t k = begin; k < begin + third; ++k) largest = std::max(largest, sizes_[k].*which);
      return largest;
    };
    const std::size_t last = sizes_.size() - third;
    const double allocated = most(last, &Size::allocated) - most(last - third, &Size::allocated);
    const double memory = most(last, &Size::memory) - most(last - third, &Size::memory);
    fmt::print("{} rounds: from the second third to the last, allocations grow by {:.3f} MB and memory by {:.1f} MB\n",
               sizes_.size(), allocated / 1e6, memory / 1e6);
    return allocated > allowance || memory > memory_allowance ? 1 : 0;
  }

  ServedFolder folder_;
  std::vector<fs::path> files_;
  std::unique_ptr<LiveServer> server_;
  std::thread listening_;
  Clock::time_point until_;
  std::vector<Size> sizes_;
  std::map<std::string, long> counts_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: armature_soak MODELS MINUTES\n");
    return 2;
  }
  try {
    return Soak(argv[1], std::atof(argv[2])).run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "soak: {}\n", error.what());
    return 1;
  }
}
