// The live page of `armature view`, served from this process to this computer alone.
#include <memory>
#include <thread>

#include "call.hpp"
#include "library/translate.hpp"
#include "live/server.hpp"
#include "model/file_kind.hpp"
#include "report/page.hpp"

namespace armature::python {

namespace {

namespace fs = std::filesystem;

class LivePage {
 public:
  LivePage(const std::string& file, const std::string& root, int port) {
    translated([&] {
      if (const std::string why = internal::why_no_file(file, "model file"); !why.empty())
        throw Error(Error::Kind::input, file + ": " + why);
      if (internal::embedded_page(internal::Page::view).empty())
        throw Error(Error::Kind::computation, "this build has no viewer: Node was missing when it was made");
      folder_ =
          std::make_unique<internal::ServedFolder>(root.empty() ? fs::absolute(file).parent_path() : fs::path(root));
      if (!folder_->holds(file)) throw Error(Error::Kind::input, file + ": is outside of " + folder_->root().string());
      internal::LiveOptions options;
      options.port = port;
      options.file = fs::relative(fs::canonical(file), folder_->root()).string();
      folder_->read(options.file);
      server_ = std::make_unique<internal::LiveServer>(*folder_, options);
      listening_ = std::thread([this] { server_->listen(); });
    });
  }
  ~LivePage() { stop(); }

  std::string address() const { return server_->address(); }
  bool running() const { return listening_.joinable(); }
  void stop() {
    if (!running()) return;
    server_->stop();
    listening_.join();
  }

 private:
  std::unique_ptr<internal::ServedFolder> folder_;
  std::unique_ptr<internal::LiveServer> server_;
  std::thread listening_;
};

}  // namespace

void add_live(py::module_& module) {
  py::class_<LivePage>(module, "LivePage", "A live page. It ends with stop() or at the end of a with block.")
      .def(py::init<const std::string&, const std::string&, int>(), py::arg("file"), py::arg("root"), py::arg("port"))
      .def_property_readonly("address", &LivePage::address, "to open in a browser on this computer; it contains a key")
      .def_property_readonly("running", &LivePage::running, "until stop()")
      .def("stop", &LivePage::stop, py::call_guard<Unlocked>(), "Ends the page and its runs.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](LivePage& self, const py::args&) { self.stop(); })
      .def("__repr__", [](const LivePage& self) {
        return self.running() ? "<armature.LivePage " + self.address() + ">" : "<armature.LivePage, stopped>";
      });
}

}  // namespace armature::python
